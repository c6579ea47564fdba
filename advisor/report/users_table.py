"""Rows of predictions, one a load: response time, and the busiest resource as a bar."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, RenderableType
from rich.table import Table
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


def show_rows(
    console: Console,
    rows: Sequence[Row],
    limit: float | None,
    *,
    load: str = "users",
    every: bool = False,
) -> None:
    """Print the rows; of the resources those that there is room for, the busiest first."""
    last = rows[-1].busy
    ever = [name for name in last if any(row.busy[name].mid > 0.0 for row in rows)]
    names = sorted(ever, key=lambda name: -last[name].mid)
    others = names[1:] if every else names[1 : 1 + max(0, (console.width - _TAKEN) // _EACH)]

    shown = rows if every else _thinned(rows)

    def build(count: int) -> RenderableType:
        found = _head(load, names[0], others) if names else table(load, "response time", "")
        for row in shown[:count]:
            cells: list[RenderableType] = [row.load, short(row.response_time), _mark(row)]
            if names:
                busy = row.busy[names[0]].mid
                cells += [bar(busy, limit, CELLS), percent(busy)]
                cells += [percent(row.busy[name].mid) for name in others]
            found.add_row(*cells)
        return found

    console.print(build(len(shown)))
    if len(shown) < len(rows):
        console.print(Text(f"{len(rows) - len(shown)} more: --all", style="dim"))


def _thinned(rows: Sequence[Row]) -> list[Row]:
    """The rows that are marked, the last, and of the others so many, evenly spread."""
    step = -(-len(rows) // ROWS)
    last = len(rows) - 1
    return [row for i, row in enumerate(rows) if i % step == 0 or row.mark or i == last]


def _head(load: str, first: str, others: Sequence[str]) -> Table:
    shown = [resource_name(name).removeprefix("an ") for name in (first, *others)]
    found = table(load, "response time", "", shown[0], "", *shown[1:])
    for column in (found.columns[0], *found.columns[4:]):
        column.justify = "right"
    for column in (found.columns[1], found.columns[3]):
        column.no_wrap = True
    return found


def _mark(row: Row) -> Text:
    text = Text("✗" if row.late else "", style="bold red")
    text.append(f" {row.mark}" if row.late and row.mark else row.mark, style="bold")
    return text
