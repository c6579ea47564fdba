"""The error budget of a service level over the hours of a day; see THEORY.md."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from math import inf, log
from operator import mul
from typing import NamedTuple

from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.configuration.promises import tail_name
from advisor.findings.targets import targets_of
from advisor.forecasting.user_growth import UserGrowth
from advisor.predicting.late_shares import LateShares, late_shares, late_without_queue
from advisor.predicting.tails import shapes_of
from advisor.scheduling.day import SHORTEST, day_of
from advisor.scheduling.request import requests_of
from advisor.scheduling.response import at_slot
from calibration.agreements.ensemble import combine
from calibration.estimation.interval import Range
from calibration.estimation.tail_shape import shapes_of_class, spread, wider
from qmodel.errors import InvalidInput

HOUR, DAY, DAYS = 60, 24 * 60, 28
#: Parts of a budget below this are none. [1]
TINY = 1e-9
#: Months at which the burn rate is told.
MONTHS = (3, 6, 12, 24)
#: Slots in which a smaller part of all is late do not tell where it waits. [1]
NEGLIGIBLE = 1e-4


@dataclass(frozen=True, slots=True)
class Hour:
    """One hour of the day."""

    #: Minute of the day. [min]
    start: int
    #: At work, at most. [customers]
    users: int
    #: Of the class, in this hour.
    requests: float
    #: Share of them that is late. [1]
    late: Range
    #: That share over what the service level allows. [1]
    burn_rate: float
    #: Part of the budget of all days that is burnt in this hour of them. [1]
    burnt: float


@dataclass(frozen=True, slots=True)
class Budget:
    """The error budget of one service level."""

    #: Class of users.
    of: str
    #: What is promised: so many of its requests within so long. [1], [s]
    share: float
    limit: float
    #: The day from midnight.
    hours: tuple[Hour, ...]
    #: Part of the budget that is burnt; beyond 1 the service level is missed. [1]
    burnt: Range
    #: In 28 days, and how many of them are late.
    requests: float
    late: float
    #: What part of the late requests would not be late without queueing at a resource, the worst
    #: first. [1]
    at: tuple[tuple[str, float], ...]
    #: Months from now, and the part burnt then, where growth was asked for. [months], [1]
    grown: tuple[tuple[int, float], ...] = ()

    @property
    def lasts(self) -> float:
        """Months of growth until all of it is burnt; infinite beyond those told. [months]"""
        for (before, low), (after, high) in pairwise(self.grown):
            if low <= 1.0 < high:
                start = log(max(low, TINY))
                return before - (after - before) * start / (log(high) - start)
        return 0.0 if self.burnt.mid > 1.0 else inf

    @property
    def what(self) -> str:
        """As "p99 of edit"."""
        return f"{tail_name(self.share)} of {self.of}"


def budgets(
    configuration: Configuration,
    users_growth: UserGrowth | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[Budget, ...]:
    """The error budget of each service level that a configuration promises, the worst first.

    All replicas are at work: a loss does not last for the days of a budget. ``progress`` is told
    how many hours of how many are done.

    Raises
    ------
    qmodel.InvalidInput
        If it promises none, or there are never any users.
    """
    targets = targets_of(configuration)
    promised = [
        (each.name, share, limit)
        for each in configuration.settings.workload.classes
        for share, limit in targets.of(each.name).tails
    ]
    if not promised:
        raise InvalidInput(
            'no service level: give --slo "99 % under 250 ms", or targets.slo in the configuration'
        )
    if targets.survive:
        configuration = Change.of("", "targets.survive", 0).apply(configuration)
    hours = DAY // HOUR

    def told(promise: int, hour: int) -> None:
        if progress is not None:
            progress(promise * hours + hour, len(promised) * hours)

    found = [
        _budget(configuration, *each, users_growth, partial(told, i))
        for i, each in enumerate(promised)
    ]
    told(len(promised), 0)
    return tuple(sorted(found, key=lambda each: -each.burnt.mid))


def _budget(
    configuration: Configuration, name: str, share: float, limit: float,
    users_growth: UserGrowth | None, told: Callable[[int], object],
) -> Budget:  # fmt: skip
    day = _day(configuration)
    off = times_off(configuration, name, share)
    seen: dict[object, LateShares | None] = {}
    for done, each in enumerate(day):
        told(done * SHORTEST // HOUR)
        if each.users and each.load not in seen:
            seen[each.load] = late_shares(each.configuration, name, limit, off)
    known = next((found for found in seen.values() if found), None)
    if known is None:
        raise InvalidInput(f"no request of {name} at any time of the day")
    ways, allowed = known.ways, 1.0 - share
    none = LateShares(ways, (0.0,) * len(ways), (0.0,) * len(ways), (0.0, 0.0))
    found = [seen.get(each.load) or none for each in day]
    rates = [combine(ways, each.rates).mid for each in found]
    parts = [combine(ways, each.shares, 1.0).mid for each in found]
    total, spent = sum(rates), sum(map(mul, rates, parts))
    hours = []
    for first in range(0, len(day), HOUR // SHORTEST):
        here = slice(first, first + HOUR // SHORTEST)
        late = _together(found[here])
        part = sum(map(mul, rates[here], parts[here])) / (total * allowed)
        users, requests = max(each.users for each in day[here]), sum(rates[here]) * 60 * SHORTEST
        hours.append(Hour(first * SHORTEST, users, requests, late, late.mid / allowed, part))
    burnt = _together(found)
    grown = _grown(configuration, name, limit, users_growth, burnt.mid)
    return Budget(
        name, share, limit, tuple(hours),
        Range(*(end / allowed for end in (burnt.low, burnt.mid, burnt.high))),
        total * 60 * SHORTEST * DAYS, spent * 60 * SHORTEST * DAYS,
        _waits([*zip(day, rates, parts, strict=True)], name, limit, spent),
        tuple((month, late_then / allowed) for month, late_then in grown),
    )  # fmt: skip


def times_off(configuration: Configuration, name: str, share: float) -> float:
    """Logarithm of how far off times near a percentile of a class may be. [1]"""
    return spread(shapes_of_class(shapes_of(configuration), name), share)


def _together(found: Sequence[LateShares]) -> Range:
    """The share that is late in all of some slots. [1]"""
    rates = [sum(each) for each in zip(*(each.rates for each in found), strict=True)]
    if not any(rates):
        return Range(0.0, 0.0, 0.0)
    late = [
        sum(map(mul, [each.rates[i] for each in found], [each.shares[i] for each in found]))
        for i in range(len(rates))
    ]
    shares = [a / b for a, b in zip(late, rates, strict=True)]
    low, high = (sum(each.rates[0] * each.ends[k] for each in found) / rates[0] for k in (0, 1))
    low, mid, high = (log(max(TINY, share)) for share in (low, shares[0], high))
    every = wider(combine(found[0].ways, shares, 1.0), mid - low, high - mid)
    return Range(every.low, every.mid, min(1.0, every.high))


class _Slot(NamedTuple):
    """Some minutes, and the configuration as if the peak were like them."""

    users: int
    configuration: Configuration
    #: Slots of the same load are alike.
    load: tuple[int, float, tuple[str, ...]]


def _day(configuration: Configuration) -> list[_Slot]:
    day = day_of(configuration.settings.workload, SHORTEST)
    running: list[list[str]] = [[] for _ in range(len(day))]
    for request in requests_of(configuration, day) if configuration.settings.batch else ():
        if request.known:
            for s in day.covered(request.now, request.minutes):
                running[s].append(request.name)
    at = cache(partial(at_slot, configuration))
    loads = zip(day.users, day.shares, map(tuple, running), strict=True)
    return [_Slot(load[0], at(*load), load) for load in loads]


def _waits(
    slots: Sequence[tuple[_Slot, float, float]], name: str, limit: float, spent: float
) -> tuple[tuple[str, float], ...]:
    """What part of what is late would not be without queueing at a resource, the worst first."""
    known: dict[object, dict[str, float]] = {}
    less: dict[str, float] = {}
    for each, rate, beyond in slots:
        if rate * beyond <= NEGLIGIBLE * spent:
            continue
        if each.load not in known:
            known[each.load] = late_without_queue(each.configuration, name, limit)
        for resource, late in known[each.load].items():
            gained = rate * max(0.0, beyond - late) / spent
            less[resource] = less.get(resource, 0.0) + gained
    return tuple(sorted(less.items(), key=lambda item: -item[1]))


def _grown(
    configuration: Configuration, name: str, limit: float, users_growth: UserGrowth | None,
    now: float,
) -> Iterator[tuple[int, float]]:  # fmt: skip
    """The share that is late, of all days, after some months of growth."""
    if users_growth is None:
        return
    yield 0, now
    workload = configuration.settings.workload
    for month in MONTHS:
        factor = (1.0 + users_growth.per_month.mid) ** month
        if workload.arrival_rate is not None:
            then = configuration.with_rate(workload.arrival_rate * factor)
        else:
            then = configuration.with_users(max(1, round(workload.users * factor)))
        rates = late = 0.0
        seen = {}
        for each in _day(then):
            if each.users and each.load not in seen:
                seen[each.load] = late_shares(each.configuration, name, limit, middle=True)
            if (found := seen.get(each.load)) is not None:
                rate = combine(found.ways, found.rates).mid
                rates += rate
                late += rate * combine(found.ways, found.shares, 1.0).mid
        yield month, late / rates
