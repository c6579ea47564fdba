"""Times at different stations of an open network, which bursts of arrivals make alike.

A burst that finds one station busy finds the next one so as well: times at stations that a customer
passes in turn are correlated where arrivals come in bursts, and the other way round where they come
more evenly than at random. The correlation at neighbours is taken for

    0.25 (c - 1) / (c + 1),    or 0.15 (c - 1) / (c + 1) where that is negative,

c being the SCV of the arrivals from outside, and for its square, cube ... at those further apart.
At two stations that are 75 % busy it was simulated as 0.14 for c = 4. Percentiles are stretched
about the mean by as much as the standard deviation of the sum. The constants were chosen from the
networks of ``open-ggm`` and ``open-ggm-more``; those of ``open-ggm-fresh`` they did not see.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

from qmodel.customer_classes import OpenClass

if TYPE_CHECKING:
    from qmodel.network import Network
    from qmodel.percentiles.path import Path
    from qmodel.solution import Solution

#: Correlation of the times at two stations in turn for arrivals in bursts without end, and the
#: same but for its sign for arrivals at equal times.
ALIKE, UNLIKE = 0.25, 0.15
#: Where a transform's size is taken, over the mean time.
NEAR = 1e-3


def stretched(solution: Solution, c: int, way: Path, times: tuple[float, ...]) -> tuple[float, ...]:
    """Percentiles of the response time of a class, from those of independent times. [s]

    Parameters
    ----------
    solution : Solution
        By decomposition.
    c : int
        The class, which passes several stations once each.
    way : Path
        How it does.
    times : tuple of float
        Percentiles. [s]
    """
    bursts = _burstiness(solution.network)
    correlation = bursts * (ALIKE if bursts > 0.0 else UNLIKE)
    if not correlation:
        return times
    spread = [
        _deviation(way, k, solution.residence_times[c][k])
        for k, demand in enumerate(solution.network.demand[c])
        if demand
    ]
    alone = both = 0.0
    for i, one in enumerate(spread):
        alone += one * one
        for j, other in enumerate(spread[:i]):
            both += 2.0 * one * other * correlation ** (i - j)
    factor = sqrt(max(0.0, 1.0 + both / alone)) if alone else 1.0
    mean = solution.response_times[c]
    return tuple(max(way.shift, mean + factor * (time - mean)) for time in times)


def _burstiness(network: Network) -> float:
    """(c - 1) / (c + 1), c the SCV of all arrivals from outside: -1 at constant times, to 1."""
    rates = together = 0.0
    for one in network.classes:
        if isinstance(one, OpenClass):
            rates += one.arrival_rate
            together += one.arrival_rate * one.arrival_scv
    scv = together / rates if rates else 1.0
    return (scv - 1.0) / (scv + 1.0)


def _deviation(way: Path, k: int, time: float) -> float:
    """Standard deviation of the time at a station, by the size of its transform. [s]"""
    import numpy as np

    step = NEAR / time
    size = abs(complex(way.sojourn(k)(np.array([1j * step]))[0]))
    return sqrt(max(0.0, -2.0 * log(size))) / step
