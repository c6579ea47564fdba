"""Answers to any number of digits, for networks too large for rational arithmetic.

The same product of series as in `tests.truth.rational`, in decimal arithmetic of many digits and
with the geometric part of a station's series summed by a recurrence, so that a population of a
million takes seconds. A station of speeds r(1) ... r(L), the last going on, has with
A = sum over classes of D_c z_c

    F = 1 + A/r(1) (1 + A/r(2) (1 + ... A/r(L-1) (1 - A/r(L))^-1)),

and 1/(1 - A/r) times G is the H with H = G + A/r H, which the lattice gives point by point. Only
positive numbers are added, so nothing cancels; each answer is computed twice, with different
numbers of digits, and only the digits on which both agree are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from itertools import pairwise, product
from typing import Any

import qmodel as qm
from tests.truth.measures import Measures, arrival_rates, full_speed, populations
from tests.truth.rational import power_series

Number = Callable[[Any], Any]
Values = list[Any]  # on the lattice, the last class running fastest


@dataclass(frozen=True)
class Lattice:
    """All population vectors up to the given one, in lexicographic order."""

    population: tuple[int, ...]

    @property
    def strides(self) -> list[int]:
        """How far apart neighbours in each class are."""
        found = [1]
        for n in reversed(self.population[1:]):
            found.insert(0, found[0] * (n + 1))
        return found

    def vectors(self) -> list[tuple[int, ...]]:
        return list(product(*(range(n + 1) for n in self.population)))


def certified(network: qm.Network, digits: int = 50) -> Measures:
    """All measures to the given number of digits, as text."""
    few, many = solve(network, digits + 30), solve(network, digits + 60)
    shown = Context(prec=digits)

    def agreed(one: Decimal | None, other: Decimal | None) -> str | None:
        if one is None or other is None:
            return None
        texts = {str(shown.plus(value).normalize(shown)) for value in (one, other)}
        if len(texts) > 1:
            raise ArithmeticError(f"the two precisions differ: {texts}")
        return texts.pop()

    def rows(name: str) -> list[list[str | None]]:
        pairs = zip(getattr(few, name), getattr(many, name), strict=True)
        return [[agreed(a, b) for a, b in zip(x, y, strict=True)] for x, y in pairs]

    return Measures(
        [agreed(a, b) for a, b in zip(few.throughput, many.throughput, strict=True)],
        rows("queue_length"),
        rows("utilization"),
        rows("residence_time"),
    )


def solve(network: qm.Network, digits: int) -> Measures:
    """All measures in decimal arithmetic of the given number of digits."""
    with localcontext(Context(prec=digits, Emax=10**15, Emin=-(10**15))):
        return solve_in(network, Decimal)


def solve_in(network: qm.Network, number: Number) -> Measures:
    """All measures in the arithmetic of ``number``; floats may overflow or underflow."""
    population = tuple(populations(network))
    lattice = Lattice(population)
    vectors, strides = lattice.vectors(), lattice.strides
    arriving = [number(rate) for rate in arrival_rates(network)]
    demand = [[number(d) for d in row] for row in network.demand]
    classes, stations = range(len(population)), range(len(network.stations))

    delay = [
        number(z) + sum(demand[c][k] for k in stations if _is_delay(network, k))
        for c, z in enumerate(network.think_time)
    ]
    queues = [k for k in stations if not _is_delay(network, k)]
    speeds = {
        k: _speeds(network.stations[k], sum(arriving[c] * demand[c][k] for c in classes), number)
        for k in queues
    }
    weights = {k: [demand[c][k] for c in classes] for k in queues}

    start = _exponential(vectors, delay, number)
    everything = start
    for k in queues:
        everything = _times_series(everything, weights[k], speeds[k], vectors, strides)[0]
    total = everything[-1]
    throughput = [
        arriving[c]
        if isinstance(network.classes[c], qm.OpenClass)
        else (everything[-1 - strides[c]] / total if population[c] else number(0))
        for c in classes
    ]
    queue_length = [
        [throughput[c] * demand[c][k] if k not in speeds else number(0) for k in stations]
        for c in classes
    ]
    for k in queues:
        if len(speeds[k]) == 1:  # F' = F F / r
            sloped = _geometric(everything, weights[k], speeds[k][0], vectors, strides)
            sloped = [value / speeds[k][0] for value in sloped]
        else:
            others = start
            for j in queues:
                if j != k:
                    others = _times_series(others, weights[j], speeds[j], vectors, strides)[0]
            sloped = _times_series(others, weights[k], speeds[k], vectors, strides)[1]
        for c in classes:
            if isinstance(network.classes[c], qm.OpenClass):
                queue_length[c][k] = arriving[c] * demand[c][k] * sloped[-1] / total
            elif population[c]:
                queue_length[c][k] = demand[c][k] * sloped[-1 - strides[c]] / total
    utilization = [
        [throughput[c] * demand[c][k] / number(full_speed(network.stations[k])) for k in stations]
        for c in classes
    ]
    residence_time = [
        [q / x if x else None for q in row] for row, x in zip(queue_length, throughput, strict=True)
    ]
    return Measures(throughput, queue_length, utilization, residence_time)


def _is_delay(network: qm.Network, k: int) -> bool:
    return isinstance(network.stations[k], qm.DelayStation)


def _speeds(station: qm.Station, load: Any, number: Number) -> Values:
    """Speeds towards closed customers, open ones of a given load being served besides."""
    if isinstance(station, qm.QueueingStation):
        own = [number(n) for n in range(1, station.servers + 1)]
    else:
        assert isinstance(station, qm.LoadDependentStation)
        own = [number(rate) for rate in station.rates]
    if not load:
        return own
    if len(own) == 1:
        return [own[0] - load]
    # F(load + x): its coefficients are those of speeds a(j-1)/a(j), constant from L + 1 on.
    a = power_series(station, load, len(own) + 1, number)
    return [before / after for before, after in pairwise(a)]


def _exponential(
    vectors: Sequence[tuple[int, ...]], delay: Sequence[Any], number: Number
) -> Values:
    """Coefficients of exp(sum of Z_c z_c)."""
    powers: list[Values] = []
    for c, z in enumerate(delay):
        row = [number(1)]
        for n in range(1, max(vector[c] for vector in vectors) + 1):
            row.append(row[-1] * z / n)
        powers.append(row)
    found = []
    for vector in vectors:
        value = number(1)
        for c, n in enumerate(vector):
            value *= powers[c][n]
        found.append(value)
    return found


def _times_series(
    values: Values,
    weights: Sequence[Any],
    speeds: Sequence[Any],
    vectors: Sequence[tuple[int, ...]],
    strides: Sequence[int],
) -> tuple[Values, Values]:
    """F times the values, and F' times the values."""
    *early, last = speeds
    product_ = _geometric(values, weights, last, vectors, strides)
    slope = [v / last for v in _geometric(product_, weights, last, vectors, strides)]
    for speed in reversed(early):
        shifted = _times_sum(slope, weights, vectors, strides)
        slope = [(a + b) / speed for a, b in zip(product_, shifted, strict=True)]
        shifted = _times_sum(product_, weights, vectors, strides)
        product_ = [a + b / speed for a, b in zip(values, shifted, strict=True)]
    return product_, slope


def _geometric(
    values: Values,
    weights: Sequence[Any],
    speed: Any,
    vectors: Sequence[tuple[int, ...]],
    strides: Sequence[int],
) -> Values:
    """The values divided by 1 - A / speed: H = G + A / speed H."""
    ratios = [(c, w / speed, strides[c]) for c, w in enumerate(weights) if w]
    found: Values = []
    for i, vector in enumerate(vectors):
        value = values[i]
        for c, ratio, stride in ratios:
            if vector[c]:
                value += ratio * found[i - stride]
        found.append(value)
    return found


def _times_sum(
    values: Values,
    weights: Sequence[Any],
    vectors: Sequence[tuple[int, ...]],
    strides: Sequence[int],
) -> Values:
    """A times the values."""
    terms = [(c, w, strides[c]) for c, w in enumerate(weights) if w]
    found = []
    for i, vector in enumerate(vectors):
        value = values[0] * 0
        for c, weight, stride in terms:
            if vector[c]:
                value += weight * values[i - stride]
        found.append(value)
    return found
