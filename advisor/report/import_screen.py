"""What was read from recordings, and the table of runs that it makes."""

from __future__ import annotations

from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from advisor.findings.words import counted
from advisor.report.screen import show_list, table
from calibration.recordings.importing import Imported
from calibration.recordings.series import Recording

#: Rows of the table on a screen, lines of what was read, and of what is to be known.
ROWS, READ, NOTES = 12, 10, 4


def show_import(console: Console, found: Imported, *, every: bool = False) -> None:
    """Print how many runs there are, what each file was read as, the table, and what is missing."""
    runs = found.table
    lacking = missing(found)
    mark = ("✗", "bold red") if not runs.texts else ("?", "bold yellow") if lacking else ("✓", "bold green")
    said = f", from {found.told_by}" if found.told_by else ""
    console.print(Text(f"{mark[0]} {counted(len(runs.texts), 'run')}{said}", mark[1]))
    for line in lacking:
        console.print(f"  {line}")
    console.print()
    read = table("file", "kind", "read as")
    for each in found.recordings:
        read.add_row(each.path.replace(", ", "\n"), each.kind, _taken(each))
    if found.recordings:
        console.print(read)
        console.print()

    def build(count: int) -> RenderableType:
        columns = [c for c in runs.columns if c.quantity != "end"]
        kept = [i for i, c in enumerate(runs.columns) if c in columns]
        room = console.width
        while not every and len(kept) > 3 and sum(_width(found, i) + 2 for i in kept) > room:
            del kept[-1]
        heads = [_heading(found, i) for i in kept]
        shown = table(*heads, right=heads)
        for row in runs.texts[:count]:
            shown.add_row(*(row[i] or "-" for i in kept))
        return shown

    show_list(console, build, len(runs.texts), room=None if every else ROWS)
    notes = found.notes if every else found.notes[:NOTES]
    for note in notes:
        console.print(Text(f"note: {note}", "dim"))
    if len(notes) < len(found.notes):
        console.print(Text(f"{len(found.notes) - len(notes)} more notes: --all", "dim"))
    console.print(Text("more: -o runs.csv   other columns: --columns   all of it: --all", "dim"))


def missing(found: Imported) -> list[str]:
    """What a calibration will ask for."""
    kinds = {column.quantity for column in found.table.columns}
    lines = []
    if not kinds & {"population", "throughput"}:
        lines.append("no users and no requests per second: add a load generator's or server's file")
    if "utilization" not in kinds:
        lines.append("no utilization: add a monitor's file, as of sar or node_exporter")
    return lines


def import_data(found: Imported) -> dict[str, Any]:
    """The same as data."""
    columns = found.table.columns
    return {
        "told_by": found.told_by,
        "recordings": [
            {
                "path": each.path, "kind": each.kind, "clock": each.clock,
                "read_as": [{"column": name, "as": taken} for name, taken in each.mapping],
                "series": [{"name": s.name, "host": s.host, "samples": len(s.end)} for s in each.series],
            }
            for each in found.recordings
        ],
        "columns": [
            {"name": c.text, "quantity": c.quantity, "of": c.of, "unit": c.unit} for c in columns
        ],
        "rows": [list(row) for row in found.table.texts],
        "missing": missing(found),
        "notes": list(found.notes),
    }  # fmt: skip


def _taken(recording: Recording) -> str:
    """The columns that became each quantity."""
    seen = {each.quantity for each in recording.series}
    by_meaning: dict[str, list[str]] = {}
    for name, taken in recording.mapping:
        if any(word in taken for word in (*seen, "users")):
            by_meaning.setdefault(taken, []).append(name)
    return "\n".join(
        f"{taken} = {names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}"
        for taken, names in list(by_meaning.items())[:READ]
    )


def _heading(found: Imported, index: int) -> str:
    column = found.table.columns[index]
    name = {"population": "users", "response_time": "response", "utilization": "busy"}.get(
        column.quantity, column.quantity
    )
    name = column.of if column.quantity == "utilization" else f"{name} {column.of}".strip()
    return f"{name} [{column.unit}]" if column.unit else name


def _width(found: Imported, index: int) -> int:
    return max(len(_heading(found, index)), *(len(row[index]) for row in found.table.texts), 1)
