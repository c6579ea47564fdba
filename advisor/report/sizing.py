"""A sizing in the terminal and as plain data."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.findings.words import percent, percent_range, seconds, seconds_range
from advisor.report.asked import crowd, targets_kept
from advisor.report.prediction_data import number, prediction_data
from advisor.sizing.record import Candidate, Sizing, steps


def sizing_data(found: Sizing) -> dict[str, Any]:
    """The answer, the front and what each step along it changes, in base units."""
    after = {
        id(here): {
            "limited_by": here.limited_by,
            "next_cost": there.cost - here.cost,
            "next_settings": [{"key": k, "from": old, "to": new} for k, old, new in different],
        }
        for here, there, different in steps(found)
    }
    return {
        "users": found.users if found.arrival_rate is None else None,
        "arrival_rate": found.arrival_rate,
        "targets_of_the_file": list(found.kept),
        "targets": {"response_time": found.response_time, "utilization": found.utilization},
        "interval": "90 %",
        "cheapest": None
        if found.best is None
        else {
            "settings": dict(found.best.settings),
            "cost": found.best.cost,
            "prediction": prediction_data(found.best.outlook),
        },
        "front": [{**_candidate(each), "step": after.get(id(each))} for each in found.front],
        "candidates": found.candidates,
        "solved": found.solved,
        "impossible": found.impossible,
        "cost": found.cost_note,
        "without_price": list(found.without_price),
        "complete": found.complete,
    }


def show_sizing(console: Console, found: Sizing) -> None:
    """Print the answer, then the front: what limits each point, what the next one changes."""
    targets = [
        *([f"response time {seconds(found.response_time)}"] if found.response_time else []),
        *([f"utilization {percent(found.utilization)}"] if found.utilization else []),
    ]
    who = crowd(found.users, found.arrival_rate)
    console.print(Text(f"{who}, {' and '.join(targets)} at most"))
    if found.kept:
        console.print(Text(targets_kept(found.kept), style="dim"))
    if found.best is None:
        which = "no candidate" if found.complete else "no candidate tried so far"
        console.print(Text(f"{which} meets the targets", style="bold red"))
    else:
        best = found.best
        word = "cheapest" if found.complete else "cheapest found so far"
        console.print(Text(f"{word} that meets them, cost {best.cost:.4g}:", style="bold"))
        for key, value in best.settings:
            console.print(Text(f"  {key} = {value}"))
        console.print(
            Text(
                f"  response time of the slowest class {seconds_range(best.response_time)}, "
                f"{best.limited_by} {percent_range(best.utilization)} busy"
            )
        )
    console.print()
    if found.front:
        console.print(_front(found))
        console.print()
    for line in _notes(found):
        console.print(Text(line, style="dim"))


def _front(found: Sizing) -> Table:
    table = Table(
        title="cost against response time of the slowest class",
        title_justify="left",
        box=None,
        pad_edge=False,
    )
    table.add_column("cost", justify="right")
    for name in ("response time", "limited by", "the next step changes"):
        table.add_column(name)
    changes = {id(here): different for here, _, different in steps(found)}
    for each in found.front:
        mark = " <" if each is found.best else ""
        table.add_row(
            f"{each.cost:.4g}{mark}",
            seconds_range(each.response_time),
            f"{each.limited_by}, {percent_range(each.utilization)}",
            ", ".join(f"{k} {old} -> {new}" for k, old, new in changes.get(id(each), ())),
        )
    return table


def _notes(found: Sizing) -> list[str]:
    lines = [
        f"{found.candidates} candidates, {found.solved} of them solved in full; "
        f"{found.impossible} choices of parts cannot be, lose data with a drive or hold too little",
        found.cost_note,
    ]
    if found.without_price:
        lines.append(f"left out for want of a price: {', '.join(found.without_price)}")
    return lines


def _candidate(found: Candidate) -> dict[str, Any]:
    return {
        "settings": dict(found.settings),
        "cost": found.cost,
        "response_time": number(found.response_time, "s"),
        "limited_by": found.limited_by,
        "utilization": number(found.utilization, "1"),
        "meets": found.meets,
    }
