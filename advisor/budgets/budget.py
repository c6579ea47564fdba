"""The error budget of a service level over the hours of a day.

Theory and sources: `advisor/THEORY.md`, budgets/budget.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import inf, log
from typing import NamedTuple

from advisor.configuration.configuration import Configuration
from advisor.configuration.promises import tail_name
from advisor.findings.targets import targets_of
from advisor.forecasting.user_growth import UserGrowth
from advisor.predicting.late_shares import LateShares, late_shares, late_without_queue
from advisor.scheduling.day import day_of
from advisor.scheduling.request import requests_of
from advisor.scheduling.response import at_slot
from calibration.agreements.ensemble import combine
from calibration.estimation.interval import Range
from qmodel.errors import InvalidInput

HOUR, DAY, DAYS = 60, 24 * 60, 28
#: Parts of a budget below this are none. [1]
TINY = 1e-9
#: Months at which the burn rate is told.
MONTHS = (3, 6, 12, 24)
#: Hours in which a smaller part of all is late do not tell where it waits. [1]
NEGLIGIBLE = 1e-3


@dataclass(frozen=True, slots=True)
class Hour:
    """One hour of the day."""

    #: Minute of the day. [min]
    start: int
    #: At work. [customers]
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

    ``progress`` is told how many hours of how many are done.

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
    configuration: Configuration,
    name: str,
    share: float,
    limit: float,
    users_growth: UserGrowth | None,
    told: Callable[[int], object],
) -> Budget:
    day = _day(configuration)
    seen: dict[object, LateShares | None] = {}
    for done, each in enumerate(day):
        told(done)
        if each.users and each.load not in seen:
            seen[each.load] = late_shares(each.configuration, name, limit)
    known = next((found for found in seen.values() if found), None)
    if known is None:
        raise InvalidInput(f"no request of {name} at any time of the day")
    ways, allowed = known.ways, 1.0 - share
    rates, late = [0.0] * len(ways), [0.0] * len(ways)
    hours: list[tuple[_Hour, float, Range]] = []
    for each in day:
        found = seen.get(each.load)
        if found is None:
            hours.append((each, 0.0, Range(0.0, 0.0, 0.0)))
            continue
        for i, (rate, beyond) in enumerate(zip(found.rates, found.shares, strict=True)):
            rates[i] += rate
            late[i] += rate * beyond
        hours.append((each, combine(ways, found.rates).mid, combine(ways, found.shares, 1.0)))
    total = sum(rate for _, rate, _ in hours)
    spent = sum(rate * beyond.mid for _, rate, beyond in hours)
    now = combine(ways, [a / b / allowed for a, b in zip(late, rates, strict=True)])
    grown = _grown(configuration, name, limit, users_growth, now.mid * allowed)
    return Budget(
        name,
        share,
        limit,
        tuple(
            Hour(
                each.start,
                each.users,
                rate * 3600,
                beyond,
                beyond.mid / allowed,
                rate * beyond.mid / (total * allowed),
            )
            for each, rate, beyond in hours
        ),
        now,
        total * 3600 * DAYS,
        spent * 3600 * DAYS,
        _waits(hours, name, limit, spent),
        tuple((month, late_then / allowed) for month, late_then in grown),
    )


class _Hour(NamedTuple):
    """An hour, and the configuration as if the peak were like it."""

    start: int
    users: int
    configuration: Configuration
    #: Hours of the same load are alike.
    load: tuple[int, float, tuple[str, ...]]


def _day(configuration: Configuration) -> list[_Hour]:
    day = day_of(configuration.settings.workload, HOUR)
    running: list[list[str]] = [[] for _ in range(len(day))]
    for request in requests_of(configuration, day) if configuration.settings.batch else ():
        if request.known:
            for s in day.covered(request.now, request.minutes):
                running[s].append(request.name)
    return [
        _Hour(
            s * HOUR,
            users,
            at_slot(configuration, users, share, running[s]),
            (users, share, tuple(running[s])),
        )
        for s, (users, share) in enumerate(zip(day.users, day.shares, strict=True))
    ]


def _waits(
    hours: Sequence[tuple[_Hour, float, Range]], name: str, limit: float, spent: float
) -> tuple[tuple[str, float], ...]:
    """What part of what is late would not be without queueing at a resource, the worst first."""
    known: dict[object, dict[str, float]] = {}
    less: dict[str, float] = {}
    for each, rate, beyond in hours:
        if rate * beyond.mid <= NEGLIGIBLE * spent:
            continue
        if each.load not in known:
            known[each.load] = late_without_queue(each.configuration, name, limit)
        for resource, late in known[each.load].items():
            gained = rate * max(0.0, beyond.mid - late) / spent
            less[resource] = less.get(resource, 0.0) + gained
    return tuple(sorted(less.items(), key=lambda item: -item[1]))


def _grown(
    configuration: Configuration,
    name: str,
    limit: float,
    users_growth: UserGrowth | None,
    now: float,
) -> Iterator[tuple[int, float]]:
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
