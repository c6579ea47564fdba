"""A fleet: totals, a service a line with the worst first, as screen, CSV, JSON and page."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.findings.words import capital, counted, percent
from advisor.fleet.answer import STATES
from advisor.report.screen import LINES, MARKS, show_list
from qmodel.documents.writing import harmless_cell

Row = Mapping[str, Any]


def worst_first(rows: Sequence[Row]) -> list[Row]:
    """By state, then by how little room there is."""
    return sorted(rows, key=lambda r: (STATES[r["state"]], _room(r), r["name"]))


def totals(rows: Sequence[Row]) -> str:
    """How many do not fit, of how many, and what they are short of."""
    count = {state: sum(row["state"] == state for row in rows) for state in STATES}
    late = count["OVERLOADED"] + count["TOO SLOW"]
    unread = count["NOT READ"]
    if unread == len(rows):
        return f"{counted(unread, 'service')} cannot be read"
    verb = "does" if late == 1 else "do"
    said = [f"{late} of {counted(len(rows), 'service')} {verb} not fit"]
    said += [f"{count['AT RISK']} at risk"] if count["AT RISK"] else []
    said += [f"{unread} cannot be read"] if unread else []
    return "; ".join(said)


def fills(rows: Sequence[Row]) -> str:
    """What fills first, how often."""
    found: dict[str, int] = {}
    for row in rows:
        if name := what(row["limited_by"]):
            found[name] = found.get(name, 0) + 1
    most = sorted(found, key=lambda name: -found[name])[:3]
    return (
        "first to fill: " + ", ".join(f"{name} on {found[name]}" for name in most) if most else ""
    )


def show_fleet(
    console: Console, rows: Sequence[Row], passed: Sequence[str], *, every: bool
) -> None:
    """Print the totals and as many services as fit on a screen."""
    console.print(Text(totals(rows), style="bold"))
    if said := fills(rows):
        console.print(Text(said))
    if passed:
        said = f"{counted(len(passed), 'file')} without [workload] passed over: {', '.join(passed)}"
        console.print(Text(said, "dim", no_wrap=not every, overflow="ellipsis"))
    console.print()
    ordered = worst_first(rows)

    heads = ("", "service", "has", "fit", "fills", "next")
    lines = [_cells(row) for row in ordered]
    widest = [max(len(cell) for cell in column) for column in zip(heads, *lines, strict=True)]
    widths = [min(each, most) for each, most in zip(widest, (12, 17, 8, 8, 9), strict=False)]

    def build(count: int) -> RenderableType:
        shown = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
        left = console.width - sum(widths) - len(heads)
        for name, width in zip(heads, (*widths, max(left, 12)), strict=True):
            justify: Literal["left", "right"] = "right" if name in ("has", "fit") else "left"
            cut: Literal["fold", "ellipsis"] = "fold" if every else "ellipsis"
            shown.add_column(name, no_wrap=not every, overflow=cut, justify=justify, width=width)
        for row, (state, *cells) in zip(ordered[:count], lines, strict=False):
            shown.add_row(Text(state, MARKS.get(row["state"], ("", "bold red"))[1]), *cells)
        return shown

    show_list(console, build, len(ordered), room=None if every else LINES - 4)


def _cells(row: Row) -> list[str]:
    mark = MARKS.get(row["state"], ("✗", ""))[0]
    step = row["problem"] or row["next"] + (f" ({row['takes']})" if row["takes"] else "")
    loads = (load(row, "load"), load(row, "fits"))
    return [f"{mark} {row['state']}", row["name"], *loads, what(row["limited_by"]), step]


def what(limited_by: str) -> str:
    """What fills first: the device, or the promise."""
    return limited_by.removeprefix("utilization of ")


def load(row: Row, key: str) -> str:
    """Users, or requests a second; empty for what is not known."""
    value = row[key]
    if value is None:
        return ""
    return f"{int(value + 1e-6)}" if row["unit"] == "users" else f"{value:.4g}/s"


def fleet_csv(rows: Sequence[Row]) -> str:
    """A row a service, the worst first; cells that a spreadsheet would compute are text."""
    out = io.StringIO()
    ordered = worst_first(rows)
    written = csv.writer(out, lineterminator="\n")
    written.writerow(ordered[0])
    for row in ordered:
        written.writerow(harmless_cell(v) if isinstance(v, str) else v for v in row.values())
    return out.getvalue()


def fleet_page(rows: Sequence[Row], today: str, name: str) -> str:
    """One page, which needs no network and no script."""
    from advisor.report.html_report import page

    shown = [
        {**row, "mark": MARKS.get(row["state"], ("✗", ""))[0], "has": load(row, "load"),
         "fit": load(row, "fits"), "limited_by": what(row["limited_by"]),
         "busy": "" if row["utilization"] is None else percent(row["utilization"])}
        for row in worst_first(rows)
    ]  # fmt: skip
    data = {"today": today, "name": name, "rows": shown, "totals": totals(rows)}
    said = {"count": counted(len(rows), "service"), "fills": capital(fills(rows))}
    return page("fleet.html.jinja", {**data, **said})


def _room(row: Row) -> float:
    """How many times the load fits; none where a target is missed and no load is known to fit."""
    unknown = 0.0 if STATES[row["state"]] == STATES["TOO SLOW"] else float("inf")
    return row["fits"] / row["load"] if row["fits"] is not None and row["load"] else unknown
