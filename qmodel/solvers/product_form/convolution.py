"""Buzen's convolution for one closed class: delay, single-server, multi-server, load-dependent.

The weight of n customers at station k is f_k(n) = D^n / (r(1) ... r(n)), and the normalizing
constant G(N) is the sum of the products of all weights of N customers [1]. Everything added here
is positive and nothing is subtracted, so there is no cancellation: no probability of an empty
station is taken as one minus the others, which is where load-dependent mean value analysis loses
its digits. Two turns make the rest:

- A station whose last rate goes on has weights that end in a geometric series. So convolving with
  it is a short sum over the first rates and a recursion of one term.
- Measured in interactions at a rate near the throughput, all weights stay near 1 where they
  matter, as the network then is an open one that happens to hold N customers. Where floats are
  still too narrow, and it can be seen that they are, the same lines run over decimals of 30
  digits, whose exponents have no end.

References
----------
.. [1] J. P. Buzen, "Computational algorithms for closed queueing networks with exponential
   servers," Communications of the ACM 16(9), 1973, pp. 527-531.
.. [2] M. Reiser, "Mean-value analysis and convolution method for queue-dependent servers in
   closed queueing networks," Performance Evaluation 1(1), 1981, pp. 7-18: the network without
   the station, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from qmodel.model.closed_network import (
    OneClass,
    empty_solution,
    not_one_class,
    one_class,
    one_class_solution,
)
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.numerics.power_series import (
    coefficient,
    geometric,
    in_decimals,
    product,
    products,
)
from qmodel.solvers.method import Method
from qmodel.solvers.product_form.recursion_limit import too_many
from qmodel.solvers.product_form.saturation_limit import saturated

if TYPE_CHECKING:
    from qmodel.numerics.power_series import Number

#: Normalising constants outside this range may have lost terms to underflow. Each factor is at
#: most 1 and what is lost is below 1e-307, so 1e-200 leaves room for a million customers at
#: fifteen stations.
LOWEST, HIGHEST = 1e-200, 1e200


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    return not_one_class(network) or too_many(network, kept=True)


def solve(network: Network) -> Solution:
    """Exact throughput and residence times by convolution."""
    model = one_class(network)
    if not model.population:
        return empty_solution(network, "convolution")
    found = saturated(model) or convolve(model)
    return one_class_solution(network, model, "convolution", found)


def convolve(model: OneClass) -> tuple[float, ...]:
    """Throughput, then the residence time at each station, at the population of ``model``."""
    if not model.demands:
        return (model.population / model.delay,)
    found = _convolve(model, float) or in_decimals(lambda number: _convolve(model, number))
    assert found is not None  # decimals hold any network of floats
    return found


def time_unit(model: OneClass) -> float:
    """The time in which to measure demands, 1 over an upper bound of the throughput. [s]"""
    least = model.delay
    unit = 0.0
    for demand, speeds in zip(model.demands, model.rates, strict=True):
        if speeds is None:
            least += demand
            unit = max(unit, demand)
        else:
            least += demand * min(j / speed for j, speed in enumerate(speeds, 1))
            unit = max(unit, demand / max(speeds))
    return max(unit, least / model.population)


def _convolve(model: OneClass, number: Callable[[float], Number]) -> tuple[float, ...] | None:
    """As `convolve`, in floats or decimals; None if floats are too narrow."""
    n = model.population
    zero, one = number(0.0), number(1.0)
    unit = number(time_unit(model))
    series = products([number(model.delay) / unit / j for j in range(1, n + 1)], one)
    simple = [(k, number(d) / unit) for k, d in enumerate(model.demands) if model.rates[k] is None]
    for _, ratio in simple:
        series = geometric(series, ratio)
    several = [
        factor(k, number(model.demands[k]) / unit, [number(s) for s in speeds], n)
        for k, speeds in enumerate(model.rates)
        if speeds is not None
    ]
    if len(several) > 1 and number is float and any(sinks(*f) for f in several):
        return None
    stay = [zero] * len(model.demands)
    # The station that is looked at comes last, so it takes one coefficient, not the whole series.
    rest = series
    last: list[Number] | None = None
    before, here = series[n - 1], series[n]
    for k, _, _, weights in several:
        rest = series
        for other, head, ratio, _ in several:
            if other != k:
                rest = product(rest, head, ratio)
        last = weights
        before, here = coefficient(last, rest, n - 1), coefficient(last, rest, n)
        moments = [j * weight for j, weight in enumerate(last)]
        stay[k] = coefficient(moments, rest, n) / before if before else zero
    if number is float and not (LOWEST < here < HIGHEST and LOWEST < before < HIGHEST):
        return None
    for k, ratio in simple:
        twice = geometric(rest, ratio)  # the station with a copy of itself beside it
        seen = twice[n - 1] if last is None else coefficient(last, twice, n - 1)
        stay[k] = ratio * seen / before
    found = [float(before / here / unit)]
    found += [float(time * unit) for time in stay]
    return tuple(found)


def factor(
    station: int, work: Number, speeds: Sequence[Number], population: int
) -> tuple[int, list[Number], Number, list[Number]]:
    """A station of several speeds: its first weights, the ratio of the others, all up to N."""
    ratios = [work / speed for speed in speeds]
    ratio = ratios[-1]
    ratios += [ratio] * (population - len(ratios))
    weights = products(ratios[:population], ratio * 0 + 1)
    return station, weights[: len(speeds)], ratio, weights


def sinks(_station: int, head: Sequence[Number], ratio: Number, _weights: Sequence[Number]) -> bool:
    """True if weights fall out of the range of floats and rise again, which `product` misses."""
    return head[-1] < LOWEST and ratio > 1


METHOD = Method("convolution", True, solve, why_not)
