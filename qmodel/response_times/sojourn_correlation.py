"""Times at different stations of an open network, which bursts of arrivals make alike.

A burst that finds one station busy finds the next one so as well: times at stations that a customer
passes in turn are correlated where arrivals come in bursts, and the other way round where they come
more evenly than at random. Percentiles are stretched about the mean by as much as the standard
deviation of the sum.

``marked_flows`` knows the covariances: an arrival brings along how long the customer who began last
has been at a station before, which is himself if there was one server. For ``dispersion`` the
correlation at neighbours is taken for

    0.25 (c - 1) / (c + 1),    or 0.15 (c - 1) / (c + 1) where that is negative,

c being the SCV of the arrivals from outside. At two stations that are 75 % busy it was simulated as
0.14 for c = 4. The constants were chosen from the networks of ``open-ggm`` and ``open-ggm-more``;
those of ``open-ggm-fresh`` they did not see. At stations further apart it is its square, cube
and so on.
"""

from __future__ import annotations

from itertools import combinations
from math import log, sqrt
from typing import TYPE_CHECKING

from qmodel.model.customer_classes import OpenClass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qmodel.model.network import Network
    from qmodel.model.solution import Solution
    from qmodel.response_times.path import Path

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
    visited = [k for k, demand in enumerate(solution.network.demand[c]) if demand]
    spread = [_deviation(way, k, solution.residence_times[c][k]) for k in visited]
    alone = sum(one * one for one in spread)
    both = 2.0 * sum(_together(solution, c, visited, spread))
    if not alone or not both:
        return times
    factor = sqrt(max(0.0, 1.0 + both / alone))
    mean = solution.response_times[c]
    return tuple(max(way.shift, mean + factor * (time - mean)) for time in times)


def _together(
    solution: Solution, c: int, visited: Sequence[int], spread: Sequence[float]
) -> list[float]:
    """Covariances of the times at each two stations. [s^2]"""
    from qmodel.solvers.decomposition.mmap import time_covariances
    from qmodel.solvers.decomposition.open_routing import service_at

    pairs = list(combinations(range(len(visited)), 2))
    if solution.method == "dispersion":
        bursts = _burstiness(solution.network)
        near = bursts * (ALIKE if bursts > 0.0 else UNLIKE)
        return [near ** (j - i) * spread[i] * spread[j] for i, j in pairs]
    network = solution.network
    found = time_covariances(network)
    # Shared servers are decomposed as a queue that serves all classes alike.
    scale = [network.service_time_at(c, k) / service_at(network, c, k)[0] for k in visited]
    known = []
    for i, j in pairs:
        most = spread[i] * spread[j]
        covariance = scale[i] * scale[j] * found[visited[j]].get((c, visited[i]), 0.0)
        known.append(max(-most, min(most, covariance)))
    return known


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
