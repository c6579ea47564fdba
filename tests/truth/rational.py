"""Exact answers by the product form, in rational or many-digit arithmetic.

The normalisation constant of a product-form network is a coefficient of a product of power
series, one per station (Williams and Bhandiwad 1976; Bruell and Balbo 1980). With x = sum over
classes of D_c z_c, a station of speed r(n) has the series

    F(x) = sum over n of x^n / (r(1) r(2) ... r(n)),

a class's terminals have exp(Z_c z_c), and G(N) is the coefficient of z^N in the product. An open
class fixes its z_c at its arrival rate, so a station in a mixed network has F(rho + x), expanded
about rho = sum over open classes of lambda_c D_c. Throughputs and queue lengths are

    X_c = G(N - e_c) / G(N),
    Q_c = X_c D_c [F'(x) times the other factors](N - e_c) / G(N - e_c),   closed
    Q_c = lambda_c D_c [F'(x) times the other factors](N) / G(N),          open

F' being the derivative with respect to x. Nothing is subtracted, so nothing cancels; with
`fractions.Fraction` the answers are exact, with mpmath's mpf correct to its precision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import qmodel as qm
from tests.truth.measures import Measures, arrival_rates, full_speed, populations

Vector = tuple[int, ...]
Number = Callable[[float], Any]


def solve(network: qm.Network, number: Number = Fraction) -> Measures:
    """All measures of a product-form network; ``number`` makes floats exact."""
    population = populations(network)
    arriving = [number(rate) for rate in arrival_rates(network)]
    demand = [[number(d) for d in row] for row in network.demand]
    classes, stations = range(len(population)), range(len(network.stations))
    everything, series = [], []
    for k, station in enumerate(network.stations):
        load = sum((arriving[c] * demand[c][k] for c in classes), number(0))
        series.append(power_series(station, load, sum(population) + 1, number))
        everything.append(([demand[c][k] for c in classes], series[k][:-1]))
    think = [number(z) for z in network.think_time]
    delay = power_series(qm.DelayStation("terminals"), number(0), sum(population), number)
    everything.append((think, delay))

    total = _coefficients(population, everything, number)
    here = tuple(population)
    throughput = [
        arriving[c]
        if isinstance(network.classes[c], qm.OpenClass)
        else (total[_less(here, c)] / total[here] if here[c] else number(0))
        for c in classes
    ]
    queue_length = [[number(0) for _ in stations] for _ in classes]
    for k in stations:
        slope = [(j + 1) * a for j, a in enumerate(series[k][1:])]
        changed = [*everything[:k], (everything[k][0], slope), *everything[k + 1 :]]
        sloped = _coefficients(population, changed, number)
        for c in classes:
            if isinstance(network.classes[c], qm.OpenClass):
                queue_length[c][k] = arriving[c] * demand[c][k] * sloped[here] / total[here]
            elif here[c]:
                queue_length[c][k] = demand[c][k] * sloped[_less(here, c)] / total[here]
    utilization = [
        [throughput[c] * demand[c][k] / number(full_speed(network.stations[k])) for k in stations]
        for c in classes
    ]
    residence_time = [
        [q / x if x else None for q in row] for row, x in zip(queue_length, throughput, strict=True)
    ]
    return Measures(throughput, queue_length, utilization, residence_time)


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


def _coefficients(
    population: Sequence[int],
    factors: Sequence[tuple[Sequence[Any], Sequence[Any]]],
    number: Number,
) -> dict[Vector, Any]:
    """Coefficients of the product of the factors, each (weights, series in the weighted sum)."""
    lattice = list(product(*(range(n + 1) for n in population)))
    found = dict.fromkeys(lattice, number(0))
    found[(0,) * len(population)] = number(1)
    for weights, series in factors:
        result = dict.fromkeys(lattice, number(0))
        for coefficient in reversed(series):  # Horner's rule, multiplying by the weighted sum
            result = {
                n: coefficient * found[n]
                + sum((w * result[_less(n, c)] for c, w in enumerate(weights) if n[c]), number(0))
                for n in lattice
            }
        found = result
    return found


def _less(vector: Vector, c: int) -> Vector:
    """The vector with one customer of class c fewer."""
    return (*vector[:c], vector[c] - 1, *vector[c + 1 :])
