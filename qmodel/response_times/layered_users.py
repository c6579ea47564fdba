"""Percentiles of the response times of users of a layered model.

They are those of the network that users see (`qmodel.solvers.layered.seen_network`), stretched to
the mean of the method of layers, and about it to the spread of its moments. Original.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from qmodel.model.network import Network
from qmodel.model.solution import Row
from qmodel.response_times.limited_region import LimitedResponse
from qmodel.response_times.percentile_table import Percentiles
from qmodel.response_times.response_time import ResponseTime
from qmodel.solvers.layered.solution import LayeredSolution

#: What all of them assume.
ASSUMED = "pools as stations, threads held as by layers (p95 within 20 % in 95 of 100)"


class Stretch(NamedTuple):
    """From times of some users in the network that they see to those in the layered model."""

    #: Mean in the layered model [s], and over that in the network. [1]
    mean: float
    scale: float
    #: Standard deviations, one over the other, where the means are the same. [1]
    spread: float

    def time(self, seen: float) -> float:
        """What a time in the network becomes, below the mean not less than in proportion. [s]"""
        time = seen * self.scale
        about = self.mean + self.spread * (time - self.mean)
        return max(time / self.spread, about) if self.spread > 1.0 else about

    def seen(self, time: float) -> float:
        """The time in the network that becomes this one. [s]"""
        about = max(0.0, self.mean + (time - self.mean) / self.spread)
        if self.spread > 1.0:
            about = min(time * self.spread, about)
        return about / self.scale


def stretches(solution: LayeredSolution) -> tuple[Stretch, ...]:
    """Of each group of users."""
    seen = solution.seen.solution
    means = [solution.users[name].response_time for name in seen.network.class_names]
    return tuple(
        Stretch(mean, mean / time if mean and time else 1.0, spread)
        for mean, time, spread in zip(
            means, seen.response_times, solution.seen.spreads, strict=True
        )
    )


def stretched(
    network: Network, shares: Row, factors: Sequence[Stretch],
    times: Mapping[int, ResponseTime | LimitedResponse],
) -> Percentiles:  # fmt: skip
    """Percentiles of the layered model, from response times in the network that users see."""
    count, none = len(factors), (0.0,) * len(shares)
    rows = [
        tuple(map(factor.time, times[c].percentiles(shares))) if c in times else none
        for c, factor in enumerate(factors)
    ]
    visits = ((none,) * len(network.stations),) * count
    return Percentiles(network, shares, tuple(rows), visits, (ASSUMED,) * count, (False,) * count)
