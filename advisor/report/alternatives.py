"""What-if in the terminal and as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.findings.words import (
    number_range,
    percent_range,
    points_range,
    seconds_range,
    signed_range,
)
from advisor.planning.alternatives import Alternative, Difference, WhatIf
from advisor.report.prediction_data import prediction_data
from calibration.estimation.interval import Range


def whatif_data(found: WhatIf) -> dict[str, Any]:
    """Before, after the first alternative, and each with its differences, in base units."""
    after = [prediction_data(each.outlook) if each.outlook else None for each in found.alternatives]
    return {
        "interval": "90 %",
        "before": prediction_data(found.before),
        "after": after[0],
        "missed": [asdict(each) for each in found.missed],
        "alternatives": [
            {
                "title": each.title,
                "settings": [
                    {"key": key, "from": old, "to": new} for key, old, new in each.settings
                ],
                "after": then,
                "differences": [asdict(d) for d in each.differences],
                "missed": [asdict(m) for m in each.missed],
                "warnings": list(each.warnings),
                "unstable": each.unstable or None,
            }
            for each, then in zip(found.alternatives, after, strict=True)
        ],
    }


def show_whatif(console: Console, found: WhatIf) -> None:
    """Print what each alternative sets, then all of them side by side."""
    users = found.before.users
    console.print(Text(f"{users} users at the worst hour of the peak; intervals of 90 %"))
    for i, each in enumerate(found.alternatives, 1):
        what = ", ".join(f"{key} {_shown(old)} -> {_shown(new)}" for key, old, new in each.settings)
        title = "" if "=" in each.title else f"{each.title}: "
        console.print(Text(f"[{i}] {title}{what}"))
        if each.unstable:
            console.print(Text(f"    no steady state: {each.unstable}", style="bold red"))
    console.print()
    solved = [(i, each) for i, each in enumerate(found.alternatives, 1) if each.outlook]
    if solved:
        console.print(_table(solved))
        console.print()
    for line in _lines(found):
        console.print(line)


def _table(solved: list[tuple[int, Alternative]]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    table.add_column("before")
    for i, _ in solved:
        table.add_column(f"after [{i}]")
        table.add_column("difference")
    keys = dict.fromkeys((d.quantity, d.of) for _, each in solved for d in each.differences)
    for key in keys:
        row = [f"{key[0]} of {key[1]}"]
        before = None
        cells: list[str] = []
        for _, each in solved:
            here = next((d for d in each.differences if (d.quantity, d.of) == key), None)
            before = before or here
            cells += [_value(here, here.after), _difference(here)] if here else ["-", "-"]
        row += [_value(before, before.before) if before else "-", *cells]
        table.add_row(*row)
    return table


def _lines(found: WhatIf) -> list[Text]:
    lines = [Text(f"bottleneck before: {found.before.bottleneck}")]
    lines[0].append(_targets(found.missed))
    for i, each in enumerate(found.alternatives, 1):
        if each.outlook is None:
            continue
        line = Text(f"bottleneck after [{i}]: {each.outlook.bottleneck}")
        line.append(_targets(each.missed))
        lines.append(line)
        doubted = {m for d in each.differences for m in d.disagree}
        if doubted:
            names = ", ".join(sorted(doubted))
            lines.append(Text(f"    {names} differ(s) on the sign of some change", style="yellow"))
    if found.before.extrapolated:
        lines.append(Text("* extrapolated: so many users were never measured", style="dim"))
    return lines


def _targets(missed: tuple[Any, ...]) -> str:
    surely = ", ".join(m.what for m in missed if m.predicted.low > m.limit)
    perhaps = ", ".join(m.what for m in missed if m.predicted.low <= m.limit)
    return (f"; misses: {surely}" if surely else "") + (f"; may miss: {perhaps}" if perhaps else "")


def _value(difference: Difference, value: Range) -> str:
    if difference.unit == "s":
        return seconds_range(value)
    if difference.unit == "1":
        return percent_range(value)
    return number_range(value) + (" /s" if difference.unit == "1/s" else "")


def _difference(found: Difference) -> str:
    if found.unit == "1":
        return points_range(found.difference)
    if found.change is None:
        return number_range(found.difference)
    return signed_range(found.change)


def _shown(value: Any) -> str:
    return "(not given)" if value is None else str(value)
