"""What was read from recordings, and the table of runs that it makes."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from advisor.findings.words import counted
from advisor.report.screen import show_list, table
from calibration.recordings.importing import Imported
from calibration.recordings.series import FAILED, Recording

#: Rows of the table on a screen, and notes.
ROWS, NOTES = 12, 4
_NAMES = {"population": "users", "response_time": "response"}


def show_import(console: Console, found: Imported, *, every: bool = False) -> None:
    """Print how many runs there are, what each file was read as, the table, and what is missing."""
    runs, lacking = found.table, missing(found)
    mark, style = ("?", "bold yellow") if lacking else ("✓", "bold green")
    said = f", from {found.told_by}" if found.told_by else ""
    console.print(Text(f"{mark} {counted(len(runs.texts), 'run')}{said}", style))
    if found.load:
        console.print(f"  {found.load}")
    for line in lacking:
        console.print(f"  {line}")
    console.print()
    for each in found.recordings:
        console.print(Text(f"{each.path}: {each.kind}", "bold"))
        console.print(*_taken(each), sep="\n")
    if found.recordings:
        console.print()
    heads = [_heading(found, i) for i in range(len(runs.columns))]
    rows = runs.texts
    if not every and heads[0] == "start" and len({row[0].partition(" ")[0] for row in rows}) == 1:
        rows = tuple((row[0].partition(" ")[2], *row[1:]) for row in rows)  # all of one day
    widths = [max(len(head), *(len(row[i]) for row in rows)) + 2 for i, head in enumerate(heads)]
    kept = [i for i, column in enumerate(runs.columns) if every or column.quantity != "end"]
    blocks = [kept[:1]]
    for i in kept[1:]:  # as many as fit beside the first column
        if sum(widths[j] for j in (*blocks[-1], i)) > console.width:
            blocks.append(kept[:1])
        blocks[-1] = [*blocks[-1], i]
    for block in blocks if every else blocks[:1]:

        def build(count: int, block: Sequence[int] = block) -> RenderableType:
            shown = table(*(heads[i] for i in block), right=[heads[i] for i in block])
            for row in rows[:count]:
                shown.add_row(*(row[i] or "-" for i in block))
            return shown

        show_list(console, build, len(rows), room=None if every else ROWS)
        if block is not blocks[-1] and every:
            console.print()
    notes = [note for note in found.notes if note not in lacking]
    for note in notes if every else notes[:NOTES]:
        console.print(Text(f"note: {note}", "dim"))
    console.print(Text("more: -o runs.csv   other columns: --columns   all of it: --all", "dim"))


def missing(found: Imported) -> list[str]:
    """What a calibration will ask for, and what makes it doubtful."""
    kinds = {column.quantity for column in found.table.columns}
    lines = [note for note in found.notes if FAILED in note]
    if not kinds & {"population", "throughput"}:
        lines.append("no users and no requests per second: add a load generator's or server's file")
    if "utilization" not in kinds:
        read = any(one.quantity == "utilization" for r in found.recordings for one in r.series)
        lines.append(
            "utilization is next to nothing or has gaps; is its unit right?"
            if read
            else "no utilization: add a monitor's file, as of sar or node_exporter"
        )
    return lines


def import_data(found: Imported) -> dict[str, Any]:
    """The same as data."""
    return {
        "told_by": found.told_by, "load": found.load,
        "recordings": [
            {"path": r.path, "kind": r.kind, "clock": r.clock, "read_as": dict(r.mapping)}
            for r in found.recordings
        ],
        "columns": [{"name": c.text, "unit": c.unit} for c in found.table.columns],
        "services": [s._asdict() for r in found.recordings for s in r.services],
        "rows": [list(row) for row in found.table.texts], "missing": missing(found),
        "notes": list(found.notes),
    }  # fmt: skip


def _taken(recording: Recording) -> list[str]:
    """The columns that became each quantity."""
    seen = {*(each.quantity for each in recording.series), "users"}
    by_meaning: dict[str, list[str]] = {}
    for name, taken in recording.mapping:
        if any(word in taken for word in seen):
            by_meaning.setdefault(taken, []).append(name)
    return [
        f"  {taken} = {names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}"
        for taken, names in by_meaning.items()
    ]


def _heading(found: Imported, index: int) -> str:
    column = found.table.columns[index]
    name = f"{_NAMES.get(column.quantity, column.quantity)} {column.of}".strip()
    name = column.of if column.quantity == "utilization" else name
    name = f"± {_NAMES.get(column.of, column.of)}" if column.quantity == "error" else name
    return f"{name} [{column.unit}]" if column.unit else name
