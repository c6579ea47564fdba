"""The response time of one class, by whichever way the network allows.

A tagged customer through the whole network where that is exact or affordable, else the sojourn
times along its route, correlated where a decomposition knows how.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import log, sqrt
from typing import Self

import numpy as np

from qmodel.model.solution import Row, Solution
from qmodel.numerics.laplace import Transform, exceeding, quantiles
from qmodel.response_times import tagged_class
from qmodel.response_times.assumptions import assumption, is_exact
from qmodel.response_times.route import Route, StationTimes, route_of
from qmodel.response_times.tagged_class import TaggedResponse
from qmodel.solvers.decomposition.sojourn_times import OpenSojournTimes

#: No time is spread less, over its independent parts. [1]
NARROW = 1e-9
#: Where the modulus of a transform is taken for its spread, over the mean time.
NEAR = 1e-3


@dataclass(frozen=True, slots=True)
class ResponseTime:
    """The response time of a class."""

    #: How it passes the network.
    route: Route
    #: The tagged customer, where one is followed.
    tagged: TaggedResponse | None
    #: Mean of the solution. [s]
    mean: float
    #: Standard deviation over that of independent times at the stations. [1]
    spread: float
    #: A time of its size. [s]
    scale: float
    #: Whether this is exactly its distribution, to about 8 digits.
    exact: bool
    #: What it assumes.
    assumption: str

    @classmethod
    def of(
        cls, solution: Solution, c: int, orders: tuple[str, ...], known: StationTimes, *,
        exact: bool = False, fixed: bool = False,
    ) -> Self:  # fmt: skip
        """That of class ``c``; ``exact`` affords a tagged customer more work.

        With ``fixed`` it passes the stations as often as in the mean, every time.
        """
        route = replace(route_of(solution, c, orders, known), fixed=fixed)
        on_path = is_exact(solution, c, route, orders)
        tagged = None
        if not (on_path or fixed):
            tagged = tagged_class.tagged_response(solution, c, orders, exact=exact)
        mean, wider = solution.response_times[c], 1.0
        decomposed = route.decomposed
        several = route.cycles == 1.0 and len(route.last) > 1
        if tagged is None and decomposed is not None and decomposed.correlated and several:
            wider = spread(solution, c, route, decomposed)
        return cls(
            route, tagged, mean, wider, max(mean, sum(solution.network.demand[c])),
            on_path if tagged is None else tagged.exact,
            assumption(solution, c, route, orders, tagged, exact=on_path),
        )  # fmt: skip

    def percentiles(self, shares: Row) -> Row:
        """The times within which shares of the customers are done. [s]"""
        if self.tagged is not None:
            return self.tagged.percentiles(shares)
        route = self.route
        if not route.last:
            return (0.0,) * len(shares)
        times = quantiles(self._transform, shares, self.scale, route.terms)
        return tuple(self._wider(route.shift + time) for time in times)

    def late_shares(self, times: Sequence[float]) -> Row:
        """The shares of the customers that take longer than some times. [1]"""
        if self.tagged is not None:
            return self.tagged.late_shares(times)
        route = self.route
        if not route.last:
            return (0.0,) * len(times)
        left = [
            (self.mean + (time - self.mean) / max(self.spread, NARROW)) - route.shift
            for time in times
        ]
        return exceeding(self._transform, left, self.scale, route.terms)

    def visit(self, k: int, shares: Row, demand: float) -> Row:
        """Percentiles of the time of one visit to station ``k``, where the class goes. [s]"""
        times = quantiles(self.route.sojourn(k), shares, demand, self.route.terms)
        return tuple(self.route.constant[k] + time for time in times)

    @property
    def _transform(self) -> Transform:
        route = self.route
        if route.cycles == 1.0 and len(route.last) == 1 and route.last[0][1] == 1.0:
            return route.sojourn(route.last[0][0])  # the same in less time
        return route.response

    def _wider(self, time: float) -> float:
        if self.spread == 1.0:
            return time
        return max(self.route.shift, self.mean + self.spread * (time - self.mean))


def spread(solution: Solution, c: int, route: Route, known: OpenSojournTimes) -> float:
    """Standard deviation of the response time of class ``c`` over that of independent times. [1]

    A burst that finds one station busy finds the next one so as well: times at stations passed in
    turn are positively correlated where arrivals come in bursts, and negatively where they come
    more evenly than at random. Percentiles of the sum are scaled about its mean by this: original.
    """
    visited = [k for k, demand in enumerate(solution.network.demand[c]) if demand]
    deviations = [_deviation(route, k, solution.residence_times[c][k]) for k in visited]
    variance = sum(one * one for one in deviations)
    assert known.covariances is not None
    both = 0.0
    for (j, one), (k, other) in combinations(zip(visited, deviations, strict=True), 2):
        most = one * other
        both += max(-most, min(most, known.covariances[k].get((c, j), 0.0)))
    return sqrt(max(0.0, 1.0 + 2.0 * both / variance)) if variance else 1.0


def _deviation(route: Route, k: int, time: float) -> float:
    """Standard deviation of the time at a station, from |phi(i s)| near s = 0. [s]"""
    step = NEAR / time
    size = abs(complex(route.sojourn(k)(np.array([1j * step]))[0]))
    return sqrt(max(0.0, -2.0 * log(size))) / step
