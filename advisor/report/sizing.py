"""A sizing in the terminal and as plain data."""

from collections.abc import Iterator
from math import inf
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.configuration.promises import MEAN, tail_name
from advisor.findings.records import Missed
from advisor.findings.words import (
    counted,
    crowd,
    percent,
    percent_range,
    resource_name,
    seconds,
    seconds_range,
    shown_as,
)
from advisor.report.plain import fields, settings_data
from advisor.report.prediction_data import number, prediction_data
from advisor.report.screen import bar, short, show_list, table, targets_kept, whole
from advisor.sizing.prices import priced
from advisor.sizing.record import Candidate, Sizing, steps

#: Resources with a bar, and lines of the front.
BUSIEST, ROOM = 4, 22
#: Parts without a price that the first screen names.
UNPRICED = 3
SO_FAR = "cheapest found so far"


def sizing_data(found: Sizing) -> dict[str, Any]:
    """The answer, the front and what each step along it changes, in base units."""
    after = {
        id(here): {
            "limited_by": here.limited_by,
            "next_cost": there.cost - here.cost,
            "next_settings": settings_data(different),
        }
        for here, there, different in steps(found)
    }
    return {
        "users": found.users if found.arrival_rate is None else None,
        "arrival_rate": found.arrival_rate, "targets_of_the_file": list(found.kept),
        "targets": {
            "response_time": dict(found.response_times).get(MEAN),
            "percentiles": {n: t for n, t in found.response_times if n != MEAN},
            "utilization": found.utilization,
        },
        "interval": "90 %",
        "cheapest": None
        if found.best is None
        else {
            "state": found.best.state,
            "settings": dict(found.best.settings),
            "cost": found.best.cost,
            "prediction": prediction_data(found.best.outlook),
        },
        "front": [
            {
                "settings": dict(each.settings), "cost": each.cost,
                "response_time": number(each.response_time, "s"), "limited_by": each.limited_by,
                "utilization": number(each.utilization, "1"), "meets": each.meets,
                "step": after.get(id(each)),
            }
            for each in found.front
        ],
        **fields(found, "candidates", "solved", "impossible"),
        **fields(found, "cost_note", "currency", "without_price", "complete"),
    }  # fmt: skip


def show_sizing(console: Console, found: Sizing, *, every: bool = False) -> None:
    """Print the cheapest, then the front: what limits each point, what the next one changes."""
    targets = [
        *(f"{name} {seconds(limit)}" for name, limit in found.response_times),
        *([f"utilization {percent(found.utilization)}"] if found.utilization else []),
    ]
    asked = f"{crowd(found.users, found.arrival_rate)} at {' and '.join(targets)} at most"
    best = found.best
    if best is None:
        which = "no candidate" if found.complete else "no candidate tried so far"
        console.print(whole(console, f"✗ {which} meets the targets: {asked}", "bold red"))
        for said in _why_none(found):
            console.print(whole(console, f"  {said}"))
    else:
        word = f"{'✓' if best.meets else '? AT RISK'} {'cheapest' if found.complete else SO_FAR}"
        cost = _cost(found, best.cost) + ("" if found.currency else " by the convention below")
        console.print(whole(console, f"{word}: cost {cost} for {asked}", "bold"))
        if not best.meets:
            console.print(Text("  no candidate surely meets them: its interval reaches beyond"))
        settings = ", ".join(f"{key} = {value}" for key, value in best.settings)
        console.print(Text(f"  {settings}"))
        console.print()
        users = [c for c in best.outlook.classes if not c.batch]
        name = "slowest class" if len(users) > 1 else "response time"
        console.print(Text(f"{name} {seconds_range(best.response_time)}"))
        for c in users:
            for share, time in c.tails:
                console.print(Text(f"{tail_name(share)} of {c.name} {seconds_range(time)}"))
        busy = sorted(
            (r for r in best.outlook.resources if r.utilization.mid > 0.0),
            key=lambda r: -r.utilization.mid,
        )
        shown = table("", "", "", "")
        for each in busy[:BUSIEST]:
            mark = "◄ limits the response time" if each.name == best.limited_by else ""
            drawn = bar(each.utilization.mid, found.utilization, 20)
            shown.add_row(each.name, drawn, percent_range(each.utilization), mark)
        shown.show_header = False
        console.print(shown)
    if found.unmeasured:
        console.print(Text(found.unmeasured))
    if found.kept:
        console.print(Text(targets_kept(found.kept), style="dim"))
    console.print()
    if found.front:
        rows = len(found.front)
        console.print(Text("cost against response time"))
        show_list(console, lambda n: _front(found, n), rows, room=None if every else ROOM)
        console.print()
    for line in _notes(found, every=every):
        console.print(whole(console, line, "dim"))


def _why_none(found: Sizing) -> Iterator[str]:
    """What all candidates miss, and whether other values of the keys may change that."""
    fixed = [m for m in found.missed if m.of in found.not_varied]
    if worst := max(fixed or found.missed, key=_over, default=None):
        show, alone = shown_as(worst.unit, worst.limit, worst.predicted)
        at = f"at best {show(worst.predicted)}, target {alone(worst.limit)}"
        yield f"every candidate solved misses {worst.what}: {at}"
    tried = ", ".join(f"{k} = {v}" for k, v in found.front[-1].settings) if found.front else ""
    if not tried and found.candidates == 1:
        yield "no part of it can vary: give its parts, or their number in a column servers:cpu"
    elif fixed and worst:
        yield f"no varied key makes {resource_name(worst.of)} faster"
    else:
        fastest = f"the fastest solved is {tried}; " if tried else ""
        yield f"{fastest}--vary KEY=LOW:HIGH:STEP tries more"


def _over(missed: Missed) -> float:
    return missed.predicted.mid / missed.limit if missed.limit else inf


def _limit(each: Candidate) -> str:
    """The resource whose utilization is most beyond its target, else what users wait for most."""
    busy = [m for m in each.missed if m.unit == "1" and m.predicted.mid > m.limit]
    if worst := max(busy, key=_over, default=None):
        return f"misses {resource_name(worst.of)} {percent(worst.predicted.mid)}"
    return f"{each.limited_by} {percent(each.utilization.mid)}"


def _cost(found: Sizing, cost: float) -> str:
    """In a currency, or by the convention."""
    return priced(cost, found.currency) if found.currency else f"{cost:.4g}"


def _front(found: Sizing, count: int) -> Table:
    shown = table("cost", "response time", "limited by", "change to the next row", right=("cost",))
    changes = {id(here): different for here, _, different in steps(found)}
    for each in found.front[:count]:
        mark = " <" if each is found.best else {"FITS": "", "AT RISK": " ?"}.get(each.state, " ✗")
        shown.add_row(
            f"{_cost(found, each.cost)}{mark}", short(each.response_time), _limit(each),
            ", ".join(f"{k} {old} -> {new}" for k, old, new in changes.get(id(each), ())),
        )  # fmt: skip
    return shown


def _notes(found: Sizing, *, every: bool) -> list[str]:
    out = f"{counted(found.impossible, 'choice')} left out: impossible, too small, or unsafe"
    left_out = f"; {out} if a drive fails" if found.impossible else ""
    tried = f"{counted(found.candidates, 'candidate')}, {found.solved} of them solved in full"
    lines = [f"{tried}{left_out}", found.cost_note]
    if found.without_price:
        some = found.without_price if every else found.without_price[:UNPRICED]
        rest = len(found.without_price) - len(some)
        more = f" and {rest} more: --all" if rest else ""
        lines.append(f"left out for want of a price: {', '.join(some)}{more}")
    return lines
