"""When the limit of a bottleneck that never idles is taken: at the bound that the module states."""

from itertools import pairwise
from math import exp, log

import pytest

from qmodel.kernels import saturation
from qmodel.kernels.saturation import NEGLIGIBLE, saturated
from qmodel.model.closed_network import OneClass

#: Customers up to which generating functions are summed here.
MOST = 3000


def model(population, delay, stations):
    """One class at stations of (demand, rates), None of a single server."""
    demands, rates = zip(*stations)
    return OneClass(0, population, delay, tuple(range(len(demands))), demands, rates)


def series(work, rates):
    """Product-form factors of a station, from nobody on."""
    found = [1.0]
    for n in range(1, MOST):
        factor = found[-1] * work / rates[min(n, len(rates)) - 1]
        found.append(factor if factor > 1e-300 else 0.0)  # below that floats lose their digits
    return found


def at(factors, x):
    """A series with those factors, and its slope times x."""
    value = slope = 0.0
    for factor in reversed(factors):  # Horner's rule
        slope = value + x * slope
        value = factor + x * value
    return value, x * slope


@pytest.mark.parametrize("rates", [(1.0,), (1.0, 2.0, 3.0), (2.0, 1.0, 1.5), (1.0, 1.4, 1.7)])
def test_sums_over_a_station_of_several_speeds(rates):
    work, radius = 0.6 * rates[-1], 1.3
    factors = series(work, rates)
    (value, slope), (value_out, slope_out) = at(factors, 1.0), at(factors, radius)
    found = saturation._several_speeds(work, rates, radius)
    expected = (slope / value, log(value_out / value), log(slope_out / slope))
    assert found == pytest.approx(expected, rel=1e-12)
    assert saturation._several_speeds(work, rates, 1.0 / 0.6) is None  # its nearest pole


@pytest.mark.parametrize("rates", [(1.0,), (1.0, 2.0, 3.0), (2.0, 1.0, 1.5), (1.0, 1.4, 1.7)])
def test_growth_of_a_bottleneck_of_several_speeds(rates):
    """Of (1 - x) f(x), whose coefficients end where the last rate is reached."""
    factors = series(rates[-1], rates)
    changes = [1.0, *(b - a for a, b in pairwise(factors[: len(rates) + 1]))]
    here = sum(changes)
    there = sum(abs(change) * 1.3**n for n, change in enumerate(changes))
    found = saturation._bottleneck_growth(rates[-1], rates, 1.3)
    assert found == pytest.approx(log(there / here), abs=1e-12)


def logarithm_of_the_bound(population, delay, stations, radius):
    """Of the text of the module, with the mean number at the station where it is largest."""
    times = [demand / (rates or (1.0,))[-1] for demand, rates in stations]
    slowest = max(times)
    total = delay / slowest * (radius - 1.0) - population * log(radius) - log(radius - 1.0)
    moment = 0.0
    for (demand, rates), time in zip(stations, times, strict=True):
        factors = series(demand / slowest, rates or (1.0,))
        if time == slowest:
            changes = [1.0, *(b - a for a, b in pairwise(factors))]
            changes = [change if abs(change) > 1e-12 else 0.0 for change in changes[:50]]
            total += log(sum(abs(change) * radius**n for n, change in enumerate(changes)))
            total -= log(sum(changes))
            continue
        (value, slope), (value_out, slope_out) = at(factors, 1.0), at(factors, radius)
        total += log(value_out / value)
        if rates is None:  # of a single server the moment grows as the square
            moment = max(moment, log(value_out / value))
        else:
            moment = max(moment, log(slope_out / slope) - log(value_out / value))
    return total + moment + log(radius)


STATIONS = [
    (0.05, [(0.1, None), (0.05, None)]),
    (3.0, [(0.1, None), (0.05, None), (0.07, None)]),
    (2.0, [(0.17, (1.0, 1.4, 1.7)), (0.06, None)]),
    (2.0, [(0.1, None), (0.2, (1.0, 2.0, 3.0))]),
    (0.0, [(0.4, (1.0, 2.0, 3.0, 4.0)), (0.12, (2.0, 1.0, 1.5))]),
]


@pytest.mark.parametrize(("delay", "stations"), STATIONS)
def test_the_limit_holds_from_where_the_bound_is_less_than_rounding(delay, stations):
    fires = next(n for n in range(1, MOST) if saturated(model(n, delay, stations)) is not None)
    times = sorted(demand / (rates or (1.0,))[-1] for demand, rates in stations)
    slowest, second = times[-1], times[-2]

    def bound(population, radius):
        return logarithm_of_the_bound(population, delay, stations, radius)

    def radius(population):
        return saturation._radius(population, delay / slowest, second / slowest)

    assert bound(fires, radius(fires)) <= NEGLIGIBLE < bound(fires - 1, radius(fires - 1))
    # Another radius would let it hold hardly any sooner.
    last = slowest / second
    others = [1.0 + (last - 1.0) * part / 40 for part in range(1, 40)]
    assert all(bound(int(0.97 * fires) - 4, r) > NEGLIGIBLE for r in others)


@pytest.mark.parametrize(
    ("n", "delay", "second"), [(50, 7.0, 0.5), (19, 0.0, 0.9), (40, 30.0, 0.0)]
)
def test_the_radius_solves_its_equation(n, delay, second):
    r = saturation._radius(n, delay, second)
    assert delay * r + second * r / (1.0 - second * r) == pytest.approx(n, rel=1e-12)
    assert r * second < 1.0 < r


def test_at_the_edge_of_what_floats_tell_apart_it_does_not_hold():
    """Nearly everybody thinks: the radius rounds to 1, where the bound has no logarithm."""
    assert saturated(model(2**53 + 1, 2.0**53, [(1.0, None)])) is None
    assert exp(NEGLIGIBLE) < 2.0**-56


def test_nobody_works_anywhere():
    assert saturated(model(5, 1.0, [(0.0, None)])) is None
