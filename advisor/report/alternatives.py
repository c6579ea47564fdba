"""What-if in the terminal and as plain data."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from math import inf
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.findings import words
from advisor.findings.records import Missed
from advisor.planning.alternatives import Alternative, Difference, WhatIf
from advisor.report.plain import settings_data
from advisor.report.prediction_data import prediction_data
from advisor.report.screen import short, show_list, table, whole
from calibration.estimation.interval import Range

#: Alternatives in words, and lines of the table of their numbers.
SHOWN, ROOM = 6, 24
#: Rows of the table where they are not called as in the records.
_CALLED = {"queue length": "queue [requests]", "throughput": "throughput [/s]"}


def whatif_data(found: WhatIf) -> dict[str, Any]:
    """Before, after the first alternative, and each with its differences, in base units."""
    after = [prediction_data(each.outlook) for each in found.alternatives]
    return {
        "interval": "90 %", "before": prediction_data(found.before), "after": after[0],
        "missed": [asdict(each) for each in found.missed],
        "alternatives": [
            {
                "title": each.title,
                "settings": settings_data(each.settings),
                "after": then,
                "differences": [asdict(d) for d in each.differences],
                "missed": [asdict(m) for m in each.missed],
                "warnings": list(each.warnings),
                "unstable": each.unstable or None,
            }
            for each, then in zip(found.alternatives, after, strict=True)
        ],
    }  # fmt: skip


def show_whatif(console: Console, found: WhatIf, *, every: bool = False) -> None:
    """Print what the alternatives come to, then all of them side by side."""
    for line in list(_verdicts(found))[: None if every else SHOWN]:
        console.print(whole(console, line.plain, str(line.style)))
    if len(found.alternatives) > SHOWN and not every:
        console.print(Text(f"{len(found.alternatives) - SHOWN} more: --all", style="dim"))
    console.print()
    solved = [*enumerate(found.alternatives, 1)]
    beside = max(1, console.width // 40)
    groups = [solved[i : i + beside] for i in range(0, len(solved), beside)]
    for few in groups if every else groups[:1]:
        keys = list(dict.fromkeys((d.quantity, d.of) for _, each in few for d in each.differences))
        for ranges in (3, 2, 0):  # as many columns with intervals as fit without a second line
            build = partial(_table, few, keys, ranges)
            if len(console.render_lines(all_of := build(len(keys)))) == all_of.row_count + 1:
                break
        show_list(console, build, len(keys), room=None if every else ROOM)
        console.print()
    for line in _lines(found):
        console.print(whole(console, line.plain, str(line.style)))


def _verdicts(found: WhatIf) -> Iterator[Text]:
    """Each alternative in a sentence: what it sets, the time, the targets, what is next."""
    before = found.before.response_time.mid
    for i, each in enumerate(found.alternatives, 1):
        what = ", ".join(_set(*setting) for setting in each.settings)
        named = "" if "=" in each.title else f"{each.title}: "
        number = f"[{i}] " if len(found.alternatives) > 1 else ""
        if each.unstable:
            why = f"no steady state: {each.unstable}{_kept(found.missed, each.missed)}"
            yield Text(f"{number}{named}{what}: {why}", "bold red")
            continue
        after = each.outlook.response_time.mid
        changes = [d.change for d in each.differences if d.quantity == "response time"]
        # Of one class it is the number of the table, each calibration against itself.
        one = changes[0].mid if len(changes) == 1 and changes[0] else after / before - 1.0
        was, then = found.before.response_time, each.outlook.response_time
        change = words.relative(was, then, words.signed(one))
        time = f"{words.seconds(before)} -> {words.seconds(after)} ({change})"
        time += " in the mean of all classes" if len(changes) > 1 else ""
        busiest, busy = each.busiest
        yield Text(
            f"{number}{named}{what}: {time}{_kept(found.missed, each.missed)}; "
            f"busiest: {words.resource_name(busiest)}, {words.percent(busy.mid)}.",
            style="bold",
        )


def _set(key: str, old: Any, new: Any) -> str:
    """A setting and what it was."""
    now = "not given any more" if new is None else str(new)
    return f"{key} {now}" + ("" if old is None or old == new else f", not {old}")


def _kept(before: tuple[Missed, ...], after: tuple[Missed, ...]) -> str:
    if not after:
        return "; all targets met" if before else ""
    surely = ", ".join(m.what for m in after if m.predicted.mid > m.limit)
    perhaps = ", ".join(m.what for m in after if m.predicted.mid <= m.limit)
    return (f"; misses {surely}" if surely else "") + (f"; may miss {perhaps}" if perhaps else "")


def _table(
    solved: Sequence[tuple[int, Alternative]], keys: Sequence[tuple[str, str]], ranges: int,
    count: int,
) -> Table:  # fmt: skip
    """The numbers side by side; ``ranges`` says how many of the columns show intervals."""
    numbered = [f"after [{i}]" if len(solved) > 1 or i > 1 else "after" for i, _ in solved]
    headings = [text for each in numbered for text in (each, "change")]
    shown = table("", "before", *headings)
    known = [{(d.quantity, d.of): d for d in each.differences} for _, each in solved]
    for i, key in enumerate(keys[:count]):
        if not i or key[1] != keys[i - 1][1]:
            shown.add_row(words.resource_name(key[1]))
        found = [each.get(key) for each in known]
        before = next(d for d in found if d)
        cells = [_value(before, before.before, ranges < 3)]
        for here in found:
            brief = not ranges
            cells += [_value(here, here.after, brief), _difference(here, brief)] if here else "--"
        shown.add_row(Text(f"  {_CALLED.get(key[0], key[0])}"), *cells)
    return shown


def _lines(found: WhatIf) -> Iterator[Text]:
    counts = any(each.population for each in found.before.classes)
    before = found.before
    users = f"{words.crowd(before.users, before.arrival_rate)} at" if counts else "At"
    missing = _kept((), found.missed)
    busiest = words.resource_name(found.busiest[0])
    yield Text(f"{users} the worst hour of the peak; before: {busiest} busiest{missing}")
    for i, each in enumerate(found.alternatives, 1):
        if doubted := {m for d in each.differences for m in d.disagree}:
            names = ", ".join(sorted(doubted))
            yield Text(f"[{i}] {names} disagree on the sign of some change", style="yellow")
    for i, each in enumerate(found.alternatives, 1):
        if each.unmeasured:
            yield Text(f"{f'[{i}] ' if len(found.alternatives) > 1 else ''}{each.unmeasured}")
    if found.before.extrapolated:
        yield Text("extrapolated: outside the fitted loads", style="dim")
    yield Text("intervals of 90 %; every row: --all   for programs: --json", style="dim")


def _value(difference: Difference, value: Range, brief: bool) -> str:
    if brief:
        value = _middle(value)
    if difference.unit == "s":
        return short(value)
    show = words.percent_range if difference.unit == "1" else words.number_range
    return show(value).replace(" to ", "-")


def _difference(found: Difference, brief: bool) -> str:
    if found.unit == "1":
        return words.points_range(_middle(found.difference) if brief else found.difference)
    if found.after.mid == inf:
        return "starts overload" if found.before.mid < inf else "-"
    if found.change is None:
        return words.number_range(_middle(found.difference) if brief else found.difference)
    change = words.signed_range(_middle(found.change) if brief else found.change)
    return words.relative(found.before, found.after, change)


def _middle(found: Range) -> Range:
    return Range(found.mid, found.mid, found.mid)
