"""Correlated sojourn times on the route through a decomposed open network.

A burst that finds one station busy finds the next one so as well: times at stations passed in turn
are positively correlated where arrivals come in bursts, and negatively where they come more evenly
than at random. Percentiles of the sum are scaled about its mean by the ratio of its standard
deviation to that of independent times: original.
"""

from collections.abc import Sequence
from itertools import combinations
from math import log, sqrt

import numpy as np

from qmodel.model.solution import Solution
from qmodel.response_times.route import Route
from qmodel.solvers.decomposition.sojourn_times import OpenSojournTimes

#: Where the modulus of a transform is taken, over the mean time.
NEAR = 1e-3


def spread(solution: Solution, c: int, route: Route, known: OpenSojournTimes) -> float:
    """Standard deviation of the response time of class ``c`` over that of independent times. [1]"""
    visited = [k for k, demand in enumerate(solution.network.demand[c]) if demand]
    deviations = [_deviation(route, k, solution.residence_times[c][k]) for k in visited]
    variance = sum(one * one for one in deviations)
    both = 2.0 * sum(_covariances(c, visited, deviations, known))
    return sqrt(max(0.0, 1.0 + both / variance)) if variance else 1.0


def _covariances(
    c: int, visited: Sequence[int], deviations: Sequence[float], known: OpenSojournTimes
) -> list[float]:
    """Covariances of the times at each two stations. [s^2]"""
    assert known.covariances is not None
    values = []
    for i, j in combinations(range(len(visited)), 2):
        most = deviations[i] * deviations[j]
        value = known.covariances[visited[j]].get((c, visited[i]), 0.0)
        values.append(max(-most, min(most, value)))
    return values


def _deviation(route: Route, k: int, time: float) -> float:
    """Standard deviation of the time at a station, from |phi(i s)| near s = 0. [s]"""
    step = NEAR / time
    size = abs(complex(route.sojourn(k)(np.array([1j * step]))[0]))
    return sqrt(max(0.0, -2.0 * log(size))) / step
