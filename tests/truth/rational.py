"""Exact answers by the product form, in rational or many-digit arithmetic.

Theory and sources: `tests/truth/THEORY.md`, rational.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import qmodel as qm
from tests.truth.measures import Measures, arrival_rates, full_speed, populations

Number = Callable[[Any], Any]
Values = list[Any]  # on the lattice, the last class running fastest


def solve(network: qm.Network, number: Number = Fraction) -> Measures:
    """All measures of a product-form network; ``number`` makes floats exact."""
    population = tuple(populations(network))
    vectors = list(product(*(range(n + 1) for n in population)))
    strides = [1]  # how far apart neighbours in each class are
    for n in reversed(population[1:]):
        strides.insert(0, strides[0] * (n + 1))
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
        everything = _times_series(everything, weights[k], speeds[k], vectors, strides)
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
                    others = _times_series(others, weights[j], speeds[j], vectors, strides)
            sloped = _times_series(others, weights[k], speeds[k], vectors, strides, sloped=True)
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
    values: Values, weights: Sequence[Any], speeds: Sequence[Any],
    vectors: Sequence[tuple[int, ...]], strides: Sequence[int], sloped: bool = False,
) -> Values:  # fmt: skip
    """F times the values, or F' times the values."""
    *early, last = speeds
    product_ = _geometric(values, weights, last, vectors, strides)
    if sloped:
        slope = [v / last for v in _geometric(product_, weights, last, vectors, strides)]
    for speed in reversed(early):
        if sloped:
            shifted = _times_sum(slope, weights, vectors, strides)
            slope = [(a + b) / speed for a, b in zip(product_, shifted, strict=True)]
        shifted = _times_sum(product_, weights, vectors, strides)
        product_ = [a + b / speed for a, b in zip(values, shifted, strict=True)]
    return slope if sloped else product_


def _geometric(
    values: Values, weights: Sequence[Any], speed: Any, vectors: Sequence[tuple[int, ...]],
    strides: Sequence[int],
) -> Values:  # fmt: skip
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
    values: Values, weights: Sequence[Any], vectors: Sequence[tuple[int, ...]],
    strides: Sequence[int],
) -> Values:  # fmt: skip
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


def power_series(station: qm.Station, load: Any, order: int, number: Number) -> list[Any]:
    """Coefficients of F(load + x), from x^0 to x^order."""
    one = number(1)
    if isinstance(station, qm.DelayStation):  # exp(load) is common to all and left out
        return _inverse_products([number(n) for n in range(1, order + 1)], one)
    floats = (
        range(1, station.servers + 1) if isinstance(station, qm.QueueingStation) else station.rates
    )
    rates = [number(rate) for rate in floats]
    *head, last = _inverse_products(rates, one)
    slack = rates[-1] - load
    if slack <= 0:
        raise ArithmeticError(f"station {station.name!r} is not stable")
    # From the last rate r on the series is geometric: x^n last r / (r - x).
    shifted = [number(0)] * (order + 1)
    power = [one]
    for coefficient in head:
        shifted = [a + coefficient * b for a, b in zip(shifted, _padded(power, order), strict=True)]
        power = _times(power, [load, one], order)
    tail = [rates[-1] / slack]
    for _ in range(order):
        tail.append(tail[-1] / slack)
    power = _times(power, tail, order)
    return [a + last * b for a, b in zip(shifted, _padded(power, order), strict=True)]


def _inverse_products(rates: Sequence[Any], one: Any) -> list[Any]:
    """1, 1/r(1), 1/(r(1) r(2)) ..."""
    found = [one]
    for rate in rates:
        found.append(found[-1] / rate)
    return found


def _times(left: Sequence[Any], right: Sequence[Any], order: int) -> list[Any]:
    """Product of two polynomials, cut off after x^order."""
    found = [left[0] * 0] * min(order + 1, len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right[: order + 1 - i]):
            found[i + j] += a * b
    return found


def _padded(polynomial: Sequence[Any], order: int) -> list[Any]:
    return [*polynomial, *[polynomial[0] * 0] * (order + 1 - len(polynomial))]
