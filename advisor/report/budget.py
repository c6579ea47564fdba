"""Error budgets in the terminal, as plain data, and as a picture."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from math import inf
from typing import Any

from rich.console import Console
from rich.text import Text

from advisor.budgets.budget import DAYS, HOUR, Budget, times_off
from advisor.configuration.configuration import Configuration
from advisor.configuration.hours import DAY, clock
from advisor.findings.unmeasured import no_times
from advisor.findings.words import percent, resource_name, seconds
from advisor.predicting.calibrated import calibration_of
from advisor.predicting.reproduced import caveat
from advisor.report.screen import table, whole
from advisor.scheduling.day import OFF_PEAK_SHARE
from calibration.estimation.interval import Range
from qmodel.pictures.chart import Chart, Line
from qmodel.pictures.picture import Picture

#: Cells of a bar, and the part of a budget that fills it. [1]
CELLS, FULL = 16, 0.25
#: A resource that is behind a smaller part of what is late is not named. [1]
LEAST = 0.01
#: What the share that is late rests on.
MEASURED = "the share of late requests follows the measured percentiles"
ASSUMED = "times are assumed exponential, even on an idle server; a measured p95 [ms] replaces this"


def budget_data(found: Sequence[Budget], after: Sequence[Budget] = ()) -> dict[str, Any]:
    """Budgets as they are, and after a change, in base units."""
    return {"interval": "90 %", "days": DAYS, "budgets": list(map(_data, found)),
            "after": list(map(_data, after)) or None}  # fmt: skip


def _data(found: Budget) -> dict[str, Any]:
    return {
        **asdict(found),
        "hours": [{**asdict(each), "start": clock(each.start)} for each in found.hours],
        "at": dict(found.at),
        "grown": [{"months": month, "burnt": burnt} for month, burnt in found.grown],
        "lasts": found.lasts,
    }


def show_budgets(
    console: Console, server: Configuration, found: Sequence[Budget], after: Sequence[Budget] = ()
) -> None:
    """Print the worst budget hour by hour, the others in a line each."""
    console.print(Text(server.settings.title or "Your server", style="bold"))
    console.print()
    now, then = ({_promised(each): each for each in some} for some in (found, after))
    levels = table("service level", "budget burnt", *(["with the change"] if after else []))
    for level in dict.fromkeys((*now, *then)):  # a changed level has a row of its own
        both = [some.get(level) for some in ((now, then) if after else (now,))]
        levels.add_row(level, *(_burnt(each) if each else Text("-") for each in both))
    console.print(levels)
    worst = found[0]
    console.print()
    users = ["users"] if server.settings.workload.arrival_rate is None else []
    shown = table("hours", *users, "requests/h", "late", "burn rate", "", "burnt")
    for column in (*shown.columns[1:-2], shown.columns[-1]):
        column.justify = "right"
    console.print(Text(f"{_promised(worst)}, by the hour{', as it is' if after else ''}:"))
    # Hours in turn with the same load are one line.
    for _, alike in groupby(worst.hours, key=lambda hour: (hour.users, _late(hour.late))):
        hours = list(alike)
        first, last = hours[0], hours[-1]
        part = sum(hour.burnt for hour in hours)
        shown.add_row(
            f"{clock(first.start)}-{clock((last.start + HOUR) % DAY)}",
            *(str(first.users) for _ in users), f"{first.requests:,.0f}", _late(first.late),
            f"{first.burn_rate:.2f}",
            Text("█" * min(CELLS, round(CELLS * part / max(FULL, worst.burnt.mid)))), percent(part),
        )  # fmt: skip
    console.print(shown)
    console.print()
    for line in _remarks(worst, "As it is, in" if after else "In"):
        console.print(whole(console, line))
    if changed := counterpart(worst, after):
        console.print(whole(console, next(_remarks(changed, "After the change, in"))))
    console.print(whole(console, f"How sure: {' '.join(_basis(server, found))}"))
    console.print(
        Text("picture: -o FILE.svg   after a change: --set KEY=VALUE   --growth 3%/month", "dim")
    )


def _basis(server: Configuration, found: Sequence[Budget]) -> Iterator[str]:
    """What the numbers rest on, in sentences."""
    if said := caveat(server):
        yield f"{said}."
    if said := no_times(calibration_of(server)):
        yield f"{said}."
    if server.settings.targets and server.settings.targets.survive:
        yield f"all {server.settings.server.replicas} replicas are taken to be at work."
    measured = (calibration := calibration_of(server)) and calibration.shapes
    yield f"{MEASURED if measured else ASSUMED}."
    off = percent(max(times_off(server, each.of, each.share) for each in found))
    yield f"The ranges allow for times up to {off} longer or shorter than computed."
    workload = server.settings.workload
    if workload.profile is None and workload.off_peak_share is None and workload.peak.length < DAY:
        yield (
            f"Outside {workload.peak} {percent(OFF_PEAK_SHARE)} of the load is assumed; "
            "workload.profile can give it hour by hour."
        )


def counterpart(found: Budget, after: Sequence[Budget]) -> Budget | None:
    """The same level after a change, the worst one where the change is of the level."""
    same = (each for each in after if _promised(each) == _promised(found))
    return next(same, after[0] if after else None)


def _promised(found: Budget) -> str:
    return f"{100 * found.share:.6g} % of {found.of} under {seconds(found.limit)}"


def _burnt(found: Budget) -> Text:
    low, mid, high = (_percent(end) for end in (found.burnt.low, found.burnt.mid, found.burnt.high))
    mark, style = ("✓", "bold green") if found.burnt.high <= 1.0 else ("?", "bold yellow")
    if found.burnt.mid > 1.0:
        mark, style = "✗", "bold red"
    return Text.assemble((f"{mark} ", style), mid if low == high else f"{mid} ({low} to {high})")


def _percent(part: float) -> str:
    return percent(part) if part < 10.0 else f"{part:.0f} times"


def _late(late: Range) -> str:
    return f"{100 * late.mid:.2f} %"


def _count(number: float) -> str:
    """Three digits of it: 24,600 or 1.84 million."""
    known = float(f"{number:.3g}")
    return f"{known / 1e6:,.10g} million" if known >= 1e6 else f"{known:,.0f}"


def _remarks(found: Budget, start: str) -> Iterator[str]:
    all_ = f"{_count(found.requests)} requests"
    all_ += f" of {found.of}" * (found.of not in {"request", "requests"})
    yield (
        f"{start} {DAYS} days {_count(found.late)} of {all_} take longer than "
        f"{seconds(found.limit)}; {_count(found.requests * (1.0 - found.share))} may."
    )
    where = [f"{percent(p)} at {resource_name(name)}" for name, p in found.at if p >= LEAST]
    if where:
        several = " (some at several)" * (sum(p for _, p in found.at) > 1.0)
        yield f"Late because they wait: {', '.join(where)}{several}."
    if found.grown:
        told = [f"{_percent(part)} in {month} months" for month, part in found.grown[1:]]
        end = f"; all of it after {found.lasts:.1f} months" if 0.0 < found.lasts < inf else ""
        yield f"With growth{' alone' * start.startswith('As')} burnt: {', '.join(told)}{end}."


def budget_picture(found: Budget, after: Budget | None = None) -> Picture:
    """The burn rate through the day, today and after a change; at 1 all is burnt in the end."""
    curves = {"today": found, **({"with the change": after} if after else {})}
    worst = max(found.hours, key=lambda hour: hour.burn_rate)
    return Chart(
        f"Burn rate of the error budget of {found.what} through the day: at most "
        f"{worst.burn_rate:.3g}, at {clock(worst.start)}; {percent(found.burnt.mid)} is burnt"
        + (f", with the change {percent(after.burnt.mid)}." if after else "."),
        "time of day",
        "burn rate",
        [
            Line(
                name,
                [
                    (at, hour.burn_rate)
                    for hour in each.hours
                    for at in (hour.start, hour.start + HOUR)
                ],
            )
            for name, each in curves.items()
        ],
        level=(1.0, "all of it by the end"),
        ticks=[(at, "24:00" if at == DAY else clock(at)) for at in range(0, DAY + 1, 4 * HOUR)],
    ).picture
