"""Rows of predictions, one a load: response time, and the busiest resource as a bar."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.console import Console, RenderableType
from rich.text import Text

from advisor.findings.words import percent, resource_name
from advisor.report.screen import bar, short, table
from calibration.estimation.interval import Range

#: Cells of a bar.
CELLS = 20
#: Rows on one screen.
ROWS = 20
#: Columns that all but the other resources take, and one of those.
_TAKEN, _EACH = 64, 9
#: The same where percentiles take the place of bars.
_PLAIN = 46


@dataclass(frozen=True, slots=True)
class Row:
    """What is predicted at one load."""

    #: Users, or requests per second, with a star where it was never measured.
    load: str
    #: Of all of them. [s]
    response_time: Range
    #: Utilization of each resource. [1]
    busy: dict[str, Range]
    #: What is special about it: "you", "most", "full".
    mark: str = ""
    #: Whether a target is missed.
    late: bool = False
    #: Percentiles of the response time by their names. [s]
    tails: tuple[tuple[str, Range], ...] = ()


def show_rows(
    console: Console, rows: Sequence[Row], limit: float | None, *, load: str = "users",
    every: bool = False,
) -> None:  # fmt: skip
    """Print the rows; of intervals of percentiles and of resources what there is room for."""
    last = rows[-1].busy
    ever = [name for name in last if any(row.busy[name].mid > 0.0 for row in rows)]
    names = sorted(ever, key=lambda name: -last[name].mid)
    # The rows that are marked, the last, and of the others so many, evenly spread.
    step, end = 1 if every else -(-len(rows) // ROWS), len(rows) - 1
    shown = [row for i, row in enumerate(rows) if i % step == 0 or row.mark or i == end]
    tails = list(dict.fromkeys(name for row in rows for name, _ in row.tails))
    room = console.width - (_PLAIN if tails else _TAKEN)
    known = [{name: short(time) for name, time in row.tails} for row in shown]
    times = [[each.get(name, "-") for name in tails] for each in known]
    if sum(_wide(tails, times)) > room and not every:
        times = [[time.partition(" (")[0] for time in row] for row in times]
    wide = _wide(tails, times)
    fit = sum(part <= room for part in accumulate(wide))
    room -= sum(wide[:fit])
    others = names[1:] if every else names[1 : 1 + max(0, room // _EACH)]
    found = table(load, "response time", *tails[:fit], "", right=(load,))
    found.columns[1].no_wrap = True
    for name in names[:1]:
        found.add_column(_heading(name), no_wrap=True, justify="right" if tails else "left")
        if not tails:
            found.add_column("", justify="right")
    for name in others:
        found.add_column(_heading(name), justify="right", overflow="fold")
    for row, late in zip(shown, times, strict=True):
        cells: list[RenderableType] = [row.load, short(row.response_time), *late[:fit], _mark(row)]
        if names:
            busy = row.busy[names[0]].mid
            cells += [*([] if tails else [bar(busy, limit, CELLS)]), percent(busy)]
            cells += [percent(row.busy[name].mid) for name in others]
        found.add_row(*cells)
    console.print(found)
    while fit < len(tails):  # no room beside the rest: below it
        left = accumulate(wide[fit:])
        end = fit + max(1, sum(part <= console.width - len(load) - 2 for part in left))
        found = table(load, *tails[fit:end], right=(load,))
        for row, late in zip(shown, times, strict=True):
            found.add_row(row.load, *late[fit:end])
        console.print()
        console.print(found)
        fit = end
    if len(shown) < len(rows):
        console.print(Text(f"{len(rows) - len(shown)} more: --all", style="dim"))


def _wide(names: Sequence[str], times: Sequence[Sequence[str]]) -> list[int]:
    """Room that columns take: their longest cell, and of the heading the longest word."""
    columns = zip(names, zip(*times, strict=True), strict=True)
    return [max(map(len, [*name.split(), *cells])) + 2 for name, cells in columns]


def _heading(name: str) -> str:
    return resource_name(name).removeprefix("an ")


def _mark(row: Row) -> Text:
    text = Text("✗" if row.late else "", style="bold red")
    text.append(f" {row.mark}" if row.late and row.mark else row.mark, style="bold")
    return text
