"""Times at different stations of an open network, which bursts of arrivals make alike.

A burst that finds one station busy finds the next one so as well: times at stations that a customer
passes in turn are correlated where arrivals come in bursts, and the other way round where they come
more evenly than at random. Percentiles are stretched about the mean by as much as the standard
deviation of the sum.

The covariances are those of `qmodel.solvers.decomposition.mmap.time_covariances`: an arrival brings
along how long the customer who began last has been at a station before, who is himself if there was
one server.
"""

from __future__ import annotations

from itertools import combinations
from math import log, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qmodel.model.solution import Solution
    from qmodel.response_times.path import Path

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

    pairs = list(combinations(range(len(visited)), 2))
    found = time_covariances(solution.network)
    known = []
    for i, j in pairs:
        most = spread[i] * spread[j]
        known.append(max(-most, min(most, found[visited[j]].get((c, visited[i]), 0.0))))
    return known


def _deviation(way: Path, k: int, time: float) -> float:
    """Standard deviation of the time at a station, by the size of its transform. [s]"""
    import numpy as np

    step = NEAR / time
    size = abs(complex(way.sojourn(k)(np.array([1j * step]))[0]))
    return sqrt(max(0.0, -2.0 * log(size))) / step
