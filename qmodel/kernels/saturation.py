"""Limit of a closed network whose bottleneck never idles, if exact to rounding; see THEORY.md."""

from bisect import bisect_left
from collections.abc import Iterable
from math import log, sqrt

from qmodel.model.closed_network import OneClass

#: log of the largest relative distance from the limit that is taken for none, below 2**-56.
NEGLIGIBLE = -39.0


def saturated(model: OneClass) -> tuple[float, ...] | None:
    """Throughput and residence times in the limit, or None where the limit is not yet exact.

    Throughput [1/s], then the residence time [s] at each station of ``model``, whose ``population``
    is what must be large enough.
    """
    _, population, delay, _, demands, rates = model
    slowest = 0.0
    bottleneck = -1
    second = 0.0
    for k, demand in enumerate(demands):
        speeds = rates[k]
        time = demand if speeds is None else demand / speeds[-1]
        if time > slowest:
            slowest, second, bottleneck = time, slowest, k
        elif time > second:
            second = time
    # The mean number elsewhere at the limit is at least this: the cheapest refusal.
    if second >= slowest or delay / slowest + second / (slowest - second) >= population:
        return None
    radius = _radius(population, delay / slowest, second / slowest)
    if radius <= 1.0:
        return None
    distance = delay / slowest * (radius - 1.0) - population * log(radius) - log(radius - 1.0)
    moment = 0.0
    residence = []
    for k, demand in enumerate(demands):
        speeds = rates[k]
        if k == bottleneck:
            residence.append(0.0)
            if speeds is not None:
                growth = _bottleneck_growth(demand / slowest, speeds, radius)
                if growth is None:
                    return None
                distance += growth
        elif speeds is None:
            ratio = demand / slowest
            growth = log((1.0 - ratio) / (1.0 - ratio * radius))
            distance += growth
            moment = max(moment, growth)
            residence.append(demand / ((slowest - demand) / slowest))
        else:
            growths = _several_speeds(demand / slowest, speeds, radius)
            if growths is None:
                return None
            number, growth, growth_of_moment = growths
            distance += growth
            moment = max(moment, growth_of_moment - growth)
            residence.append(number * slowest)
    if distance + moment + log(radius) > NEGLIGIBLE:
        return None
    residence[bottleneck] = _left_over(population * slowest, delay, residence)
    return (1.0 / slowest, *residence)


def first_saturated(model: OneClass) -> int:
    """The least population at which `saturated` holds, or one more than that of ``model``."""
    if saturated(model) is None:
        return model.population + 1
    populations = range(1, model.population)
    holds = bisect_left(
        populations, True, key=lambda n: saturated(model._replace(population=n)) is not None
    )
    return holds + 1


def limits(model: OneClass, populations: Iterable[int]) -> dict[int, tuple[float, ...]]:
    """As `saturated` at several populations, where it is known to hold."""
    last = saturated(model)
    assert last is not None  # the caller asked
    throughput, *residence = last
    times = [
        d if speeds is None else d / speeds[-1]
        for d, speeds in zip(model.demands, model.rates, strict=True)
    ]
    slowest = max(times)
    bottleneck = times.index(slowest)
    residence[bottleneck] = 0.0
    rows = {}
    for population in populations:
        row = [throughput, *residence]
        row[bottleneck + 1] = _left_over(population * slowest, model.delay, residence)
        rows[population] = tuple(row)
    return rows


def _left_over(cycle: float, delay: float, residence: list[float]) -> float:
    """Time a cycle spends at the bottleneck, which is 0 in ``residence``."""
    rest = cycle - delay
    for time in residence:
        rest -= time
    return rest


def _radius(population: int, delay: float, second: float) -> float:
    """About the r for which the bound is smallest: delay r + second r / (1 - second r) = n."""
    if second == 0.0:
        return population / delay if delay else 2.0 + population
    a = delay / second
    b = a + 1.0 + population
    return 2.0 * population / (b + sqrt(b * b - 4.0 * a * population)) / second


def _bottleneck_growth(work: float, speeds: tuple[float, ...], radius: float) -> float | None:
    """Logarithm of |P_b|(r) / P_b(1) for a bottleneck of several speeds, None if out of range."""
    term, power, total = 1.0, 1.0, 1.0
    for speed in speeds:
        # f(j) - f(j - 1), and f(j) = f(j - 1) work / speed.
        power *= radius
        ratio = work / speed
        total += abs(ratio - 1.0) * term * power
        term *= ratio
    return log(total / term) if term > 0.0 and total < 1e300 else None


def _several_speeds(
    work: float, speeds: tuple[float, ...], radius: float
) -> tuple[float, float, float] | None:
    """Mean number at rate 1, and the logs of f(r) / f(1) and r f'(r) / f'(1); None if too large."""
    sums = []
    for x in (1.0, radius):
        term, total, moment = 1.0, 0.0, 0.0
        for j, speed in enumerate(speeds):
            total += term
            moment += j * term
            term *= work * x / speed
        # What is left is geometric from len(speeds) customers on.
        ratio = work * x / speeds[-1]
        if ratio >= 1.0:
            return None
        total += term / (1.0 - ratio)
        moment += term * (len(speeds) + ratio / (1.0 - ratio)) / (1.0 - ratio)
        if not moment < 1e300:
            return None
        sums.append((total, moment))
    (total, moment), (total_out, moment_out) = sums
    return moment / total, log(total_out / total), log(moment_out / moment)
