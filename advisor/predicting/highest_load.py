"""The highest load that meets a target: so many users, or so fast an arrival of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import inf, isfinite
from typing import Any

from advisor.configuration.configuration import Configuration
from advisor.predicting.prediction import Question, VariantOutlook, question_of, worst_of
from advisor.predicting.workload import ways_of
from calibration.agreements.ensemble import Variant
from calibration.estimation.data import NOT_MEASURED
from qmodel.errors import Unstable

#: Growth beyond this many times the present load is never.
MOST = 100.0
#: How finely a crossing is looked for before it is interpolated, relative to the load.
_FINE = 0.02
#: What rises by less than this share of what is left, while the load doubles, never gets there.
_FLAT = 0.01
#: Parts of the present rate of arrivals in which it grows.
_ARRIVALS = 1000

#: Name and limit of each target; the name says which number of an outlook it limits.
Limits = tuple[tuple[str, float], ...]


def limits_of(configuration: Configuration, busy: float | None = None) -> Limits:
    """The targets of a configuration, one for each class and each resource.

    ``busy`` is a utilization not to be passed where the configuration promises none. Of what was
    not measured a calibration alone knows enough to be held to it.
    """
    targets = configuration.settings.targets
    found: list[tuple[str, float]] = []
    if targets is not None and targets.response_time is not None:
        found += [
            (f"response time of {each.name}", targets.response_time)
            for each in configuration.settings.workload.classes
        ]
    utilization = busy
    if targets is not None and targets.utilization is not None:
        utilization = targets.utilization
    if utilization is not None:
        now = worst_of(at_load(configuration, 1), ways_of(configuration)[0])
        calibrated = configuration.settings.workload.calibration is not None
        found += [
            (f"utilization of {name}", utilization)
            for name in now.utilizations
            if calibrated or name != NOT_MEASURED
        ]
    return tuple(found)


def _value(found: VariantOutlook, name: str) -> float:
    what, _, of = name.partition(" of ")
    # A class without users has no response time.
    return found.times.get(of, 0.0) if what == "response time" else found.utilizations.get(of, 0.0)


def at_load(configuration: Configuration, load: int) -> Configuration:
    """The configuration at another load: so many users, or thousandths of the present arrivals."""
    workload = configuration.settings.workload
    if workload.arrival_rate is None:
        return configuration.with_users(load)
    return configuration.with_rate(workload.arrival_rate * load / _ARRIVALS)


def _present(configuration: Configuration) -> int:
    workload = configuration.settings.workload
    return workload.users if workload.arrival_rate is None else _ARRIVALS


def highest_loads(configuration: Configuration, limits: Limits) -> list[tuple[float, ...]]:
    """For each target, the largest load of each variant that meets it, times the present one.

    A target that no load meets has 0. Where arrivals come faster than a station can serve, every
    response time misses its target, and of the utilizations only that of the station.
    """
    now = _present(configuration)
    ways = ways_of(configuration)
    found: list[list[float]] = [[] for _ in limits]
    centres: dict[str, list[float]] = {}
    for way in ways:
        known: dict[int, VariantOutlook | None] = {}

        def at(load: int, way: Variant = way, known: dict[int, Any] = known) -> Any:
            if load not in known:
                try:
                    known[load] = worst_of(at_load(configuration, load), way)
                except Unstable:
                    known[load] = None
            return known[load]

        guesses = centres.get(way.member, [float(now)] * len(limits))
        mine = []
        for (name, limit), guess in zip(limits, guesses, strict=True):

            def left(load: int, name: str = name, limit: float = limit) -> float:
                outlook = at(load)
                return -inf if outlook is None else limit - _value(outlook, name)

            step = 0.02 if way.axis else 0.2
            load = _largest(left, guess, MOST * now, step)
            mine.append(_told(load, name, at))
        if way.axis == 0:
            centres[way.member] = mine
        for each, load in zip(found, mine, strict=True):
            each.append(load / now)
    return [tuple(each) for each in found]


def first_crossings(
    configuration: Configuration, limits: Limits
) -> tuple[tuple[Variant, float, int], ...]:
    """For each variant, the largest load that meets all targets, and which the next one misses.

    Loads are times the present one; infinite where no target is ever missed.
    """
    return _first_crossings(question_of(configuration), limits)


@lru_cache(maxsize=256)
def _first_crossings(question: Question, limits: Limits) -> tuple[tuple[Variant, float, int], ...]:
    configuration = question.configuration
    now = _present(configuration)
    found: list[tuple[Variant, float, int]] = []
    centres: dict[str, float] = {}
    for way in ways_of(configuration):

        @cache
        def taken(load: int, way: Variant = way) -> tuple[float, int]:
            try:
                outlook = worst_of(at_load(configuration, load), way)
            except Unstable:
                return inf, 0
            shares = [_value(outlook, name) / limit for name, limit in limits]
            return max(shares), shares.index(max(shares))

        def left(load: int, taken: Callable[[int], tuple[float, int]] = taken) -> float:
            share, _ = taken(load)
            return 1.0 - share if share < inf else -inf

        guess = centres.get(way.member, float(now))
        load = _largest(left, guess, MOST * now, 0.02 if way.axis else 0.2)
        if way.axis == 0:
            centres[way.member] = load if 0.0 < load < inf else float(now)
        at = max(1, int(load)) if load < inf else now
        found.append((way, load / now, taken(at)[1]))
    return tuple(found)


def _told(load: float, name: str, at: Callable[[int], VariantOutlook | None]) -> float:
    """The load at which a target is crossed, unless it is not this target that is crossed there."""
    if not 0.0 < load < inf:
        return load
    what, _, of = name.partition(" of ")
    here = at(max(1, int(load)))
    if here is None:
        return load
    if what == "response time":
        # A class whose first user is already too slow meets the target only without users.
        return load if of in here.times else 0.0
    busiest = max(here.utilizations, key=lambda each: here.utilizations[each])
    return load if of == busiest or at(int(load) + 1) is not None else inf


def saturating(configuration: Configuration) -> tuple[str, tuple[float, ...]] | None:
    """What saturates first as arrivals grow, and each variant's load there.

    None where users are counted, since they then always find a steady state, or where nothing
    saturates up to `MOST` times the present load.
    """
    if configuration.settings.workload.arrival_rate is None:
        return None
    loads: list[float] = []
    names: list[str] = []
    for way in ways_of(configuration):

        def left(load: int, way: Variant = way) -> float:
            try:
                found = worst_of(at_load(configuration, load), way)
            except Unstable:
                return -inf
            return 1.0 - max(found.utilizations.values())

        load = _largest(left, float(_ARRIVALS), MOST * _ARRIVALS)
        if not isfinite(load):
            return None
        if load:
            busy = worst_of(at_load(configuration, int(load)), way).utilizations
            names.append(max(busy, key=lambda each: busy[each]))
        loads.append(load / _ARRIVALS)
    return ", ".join(dict.fromkeys(names)), tuple(loads)


def _largest(
    left: Callable[[int], float], guess: float, most: float, first_step: float = 0.2
) -> float:
    """The load at which a target has nothing left; 0 if it never has, infinite if always.

    Parameters
    ----------
    left : callable
        Load to what is left to the target, below 0 beyond it; falls as the load rises.
    guess : float
        Where to start.
    most : float
        Loads beyond this are as good as never.
    first_step : float
        Of the search, relative to the guess.

    Examples
    --------
    >>> _largest(lambda n: 77 - n, 10.0, 1e6), _largest(lambda n: -1.0, 10.0, 1e6)
    (77.0, 0.0)
    >>> _largest(lambda n: 1.0 / n + 0.1, 10.0, 1e6)
    inf
    """
    low = max(1, round(guess)) if isfinite(guess) else max(1, round(most))
    step = max(1, round(low * first_step))
    if (room := left(low)) >= 0.0:
        while True:
            high = low + step
            then = left(high)
            if then < 0.0:
                break
            if high > most or (step >= low and room - then <= _FLAT * then):
                return inf
            low, step, room = high, 2 * step, then
    else:
        high = low
        while True:
            if high == 1:
                return 0.0
            low = max(1, high - step)
            if left(low) >= 0.0:
                break
            high, step = low, 2 * step
    # Beyond saturation there is nothing to interpolate to.
    while high - low > (1 if left(high) == -inf else max(1, _FINE * low)):
        middle = (low + high) // 2
        low, high = (middle, high) if left(middle) >= 0.0 else (low, middle)
    here, there = left(low), left(high)
    return low + (high - low) * here / (here - there) if isfinite(there) else float(low)
