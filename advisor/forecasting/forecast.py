"""Growth: when each target is crossed, how surely, and what upgrades bring; see THEORY.md."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import exp, hypot, isfinite
from typing import Any

from advisor.configuration.changed_keys import changed
from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.configuration.promises import Promise
from advisor.findings.targets import full_at, kept_targets, with_targets
from advisor.findings.unmeasured import unmeasured
from advisor.forecasting.user_growth import UserGrowth
from advisor.forecasting.worlds import WORLDS, draw_worlds
from advisor.predicting.calibrated import changeable
from advisor.predicting.highest_load import NONE, Loads, highest_loads, limits_of, log_load
from advisor.predicting.saturation import limit_loads, saturation
from advisor.predicting.workload import ways_of
from calibration.agreements.ensemble import Variant, combine
from calibration.estimation.interval import Range
from qmodel.errors import FileError, InvalidInput, NotApplicable

SEED = 1995
#: Months at which the probability of a crossing is told.
MONTHS = (3, 6, 12, 24, 36, 60)

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Crossing:
    """When one target is missed."""

    #: What, as in "response time of mail".
    target: str
    #: The target. [s] or [1]
    limit: float
    #: How many times the present load meets it at most; None where some calibration never
    #: misses it. [1]
    load: Range | None
    #: Median and 90 % interval of the crossing; infinite where it never comes. [months]
    months: Range
    #: Months from now, and the probability that the target is missed by then.
    probabilities: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What a change brings until the first target is missed."""

    #: The change.
    title: str
    #: Key, old and new value.
    settings: tuple[tuple[str, Any, Any], ...]
    #: Months gained, median and 90 % interval; infinite where it never comes. [months]
    bought: Range
    #: Until the first target is missed, with the change. [months]
    months: Range


@dataclass(frozen=True, slots=True)
class Growth:
    """How long a configuration lasts."""

    #: Of the configuration. [customers]
    users: int
    #: Of users from outside, which grows instead of their number. [1/s]
    arrival_rate: float | None
    #: Growth of the number of users or of their arrivals. [1]
    per_month: Range
    #: Where that comes from.
    source: str
    #: Of each target, the first to be missed first.
    crossings: tuple[Crossing, ...]
    #: Of whichever target is missed first.
    first: Crossing
    #: What brings most first.
    upgrades: tuple[Upgrade, ...]
    #: Keys of the targets that the configuration gives.
    kept: tuple[str, ...]
    #: The resource that arrivals saturate first; empty where users are counted.
    saturates: str
    #: How many times the present arrivals saturate it. [1]
    saturation: Range | None
    #: How many were drawn, and from which seed.
    worlds: int
    seed: int
    #: What was not measured and yet makes users wait today, in a sentence.
    unmeasured: str = ""


def growth(
    configuration: Configuration, users_growth: UserGrowth, *,
    upgrades: Sequence[Change] | None = None, response_time: float | Promise | None = None,
    utilization: float | None = None, seed: int = SEED, progress: Progress | None = None,
) -> Growth:  # fmt: skip
    """Say when targets are crossed and what upgrades bring.

    Parameters
    ----------
    configuration : Configuration
        From `advisor.load_config`.
    users_growth : UserGrowth
        From `advisor.forecasting.user_growth`. Where users arrive from outside, their rate grows.
    upgrades : sequence of Change, optional
        Changes to try; those that advice proposes if not given.
    response_time : float or Promise, optional
        Target of the mean, or of percentiles as well; the configuration's own if not given. [s]
    utilization : float, optional
        The same of each resource. [1]
    seed : int
        Of the random futures.
    progress : callable, optional
        Called with how many searches for the highest load are done, of how many.

    Raises
    ------
    qmodel.InvalidInput
        If there is no target, or an upgrade cannot be.
    """
    import numpy as np

    base = with_targets(configuration, None, response_time, utilization)
    limits = limits_of(base)
    ways = ways_of(base)
    tried: Sequence[Change] = upgrades or ()
    changes: list[Change] = []

    def done(variants: int) -> None:
        if progress:
            progress(len(loads) * len(ways) + variants, (len(tried) + 2) * len(ways))

    targets = base.settings.targets
    busy = targets is not None and targets.utilization is not None
    limited, what = full_at(base) if busy else (None, "")

    def crossed(configuration: Configuration) -> list[Loads]:
        found = highest_loads(configuration, limits, done)
        return [*found, Loads(limit_loads(configuration))] if limited else found

    loads: list[list[Loads]] = []
    loads.append(crossed(base))
    least = min(min(each.of_ways) * exp(-each.below) for each in loads[0])
    tried = _advised(base, least) if upgrades is None else tuple(upgrades)
    every = [ways]
    for change in tried:
        try:
            after = _upgraded(base, change, ways)
            loads.append(crossed(after))
        except (FileError, InvalidInput, NotApplicable):
            if upgrades is None:  # advised, but its future is not known
                continue
            raise
        changes.append(change)
        every.append(ways_of(after))
    if progress:
        progress(len(ways), len(ways))
    workload = base.settings.workload
    now = workload.arrival_rate
    mine, by_rate = [way for some in every for way in some], now is not None
    worlds = draw_worlds(float(workload.users), users_growth, mine, seed, by_rate=by_rate)
    months = [
        [worlds.months(some, found) for found in each]
        for some, each in zip(every, loads, strict=True)
    ]
    firsts = [np.min(each, axis=0) for each in months]
    names = (*limits, (what, 1.0)) if limited else limits
    crossings = [
        crossing_of(name, limit, ways, found, drawn)
        for (name, limit), found, drawn in zip(names, loads[0], months[0], strict=True)
    ]
    earliest = Loads(tuple(map(min, zip(*(each.of_ways for each in loads[0]), strict=True))))
    first = crossing_of("the first of them", 0.0, ways, earliest, firsts[0])
    found = [
        Upgrade(
            change.title, change.diff(base.data), quantiles_of(gained(firsts[0], after)),
            quantiles_of(after),
        )
        for change, after in zip(changes, firsts[1:], strict=True)
    ]  # fmt: skip
    full = saturation(base) if now else None
    most = full.throughput if full else None
    return Growth(
        workload.users, workload.arrival_rate, users_growth.per_month, users_growth.source,
        tuple(sorted(crossings, key=lambda c: c.months.mid)), first,
        tuple(sorted(found, key=lambda u: (-u.bought.mid, -u.bought.low))),
        kept_targets(configuration, response_time, utilization), full.station if full else "",
        Range(most.low / now, most.mid / now, most.high / now) if most and now else None,
        WORLDS, seed, unmeasured(base),
    )  # fmt: skip


def _upgraded(base: Configuration, change: Change, ways: Sequence[Variant]) -> Configuration:
    after = changed(base, change)
    known = {(way.member, way.axis) for way in ways}
    # Of a calibration other drives have one more axis: how much of the work writes.
    same = [w for w in ways_of(after) if w.service is None or (w.member, w.axis) in known]
    if {(w.member, w.axis) for w in same} != known:
        raise InvalidInput(f"upgrade {change.title}: changes the load; give only hardware")
    return after


def _advised(configuration: Configuration, load: float) -> tuple[Change, ...]:
    """What advice proposes a little beyond the load at which the first target is missed."""
    from advisor.engine import review

    workload = configuration.settings.workload
    then = configuration
    if isfinite(load) and workload.arrival_rate is None:
        users = max(workload.users, round(1.1 * load * workload.users))
        then = Change("", ((("workload", "users"), users),)).apply(configuration)
    found = review(then)
    proposed = [a.option.change for a in found.advice if a.option.effort != "server"]
    if len(steps := [step.advice.option.change for step in found.plan.steps]) > 1:
        every = chain.from_iterable(step.settings for step in steps)
        proposed.append(Change(" and ".join(step.title for step in steps), tuple(every)))
    return tuple(
        {change.settings: change for change in (*proposed, *_twice(configuration))}.values()
    )


def _twice(configuration: Configuration) -> Iterator[Change]:
    """Twice as many of each part, where that can be."""
    settings = configuration.settings
    for table, key, count, what in (
        ("server", "cpus", settings.server.cpus, "processors"),
        ("disk", "drives", settings.disk.drives, "drives"),
        ("lan", "segments", settings.lan.segments, "LAN segments"),
    ):
        if not changeable(configuration, table):
            continue
        change = Change(f"use {2 * count} {what}", (((table, key), 2 * count),))
        try:
            change.apply(configuration)
        except FileError:
            continue
        yield change


def gained(before: Any, after: Any) -> Any:
    """Months from one crossing to another in each world, none where there never was one."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        found = after - before
    return np.where(np.isinf(before), 0.0, found)


def quantiles_of(drawn: Any) -> Range:
    """Median and 90 % interval of what was drawn."""
    import numpy as np

    low, mid, high = np.quantile(drawn, (0.05, 0.5, 0.95), method="inverted_cdf").tolist()
    return Range(low, mid, high)


def crossing_of(
    name: str, limit: float, ways: Sequence[Variant], loads: Loads, drawn: Any
) -> Crossing:
    """When a target is missed, of the loads at which it is and the months drawn."""
    found = combine(ways, loads.of_ways) if all(map(isfinite, loads.of_ways)) else None
    if found and (loads.below or loads.above):
        low, mid, high = (log_load(end) for end in (found.low, found.mid, found.high))
        low, high = mid - hypot(mid - low, loads.below), mid + hypot(high - mid, loads.above)
        ends = (exp(end) if exp(end) > 2.0 * NONE else 0.0 for end in (low, mid, high))
        found = Range(*ends)
    probabilities = tuple((month, float((drawn <= month).mean())) for month in MONTHS)
    return Crossing(name, limit, found, quantiles_of(drawn), probabilities)
