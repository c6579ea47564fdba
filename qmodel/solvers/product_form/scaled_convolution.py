"""Weights of one class at some stations with 0, 1 ... customers there, for populations of any size.

With n customers at stations of product form the weight is the sum, over all ways to place them, of
the products of x D at each step; x is near the throughput, so that the weights that matter are
neither tiny nor huge. A station's own weights end in a geometric series, which makes their
convolution with those of the others a recursive filter, y(n) = x(n) + r y(n - 1), the solution of a
triangular system of two diagonals: ten thousand populations take a fraction of a millisecond for
each station. All terms are positive, unless a station slows down, so nothing cancels. Convolution
after Buzen (1973); original: the filter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmodel.model.closed_network import service_rates
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: A station as its demand and its relative rates with 1, 2 ... customers, the last going on.
Server = tuple[float, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Part:
    """Some stations of a network of one class.

    Attributes
    ----------
    delay : float
        Think time and the demands at delay stations. [s]
    servers : dict of int to Server
        The others with any demand, by their positions.
    """

    delay: float
    servers: dict[int, Server]

    @classmethod
    def of(cls, network: Network, stations: Sequence[int], think_time: float, most: int) -> Part:
        """Stations of a network by their positions, for so many customers at most."""
        (row,) = network.demand
        servers: dict[int, Server] = {}
        delay = think_time
        for k in stations:
            station = network.stations[k]
            if isinstance(station, DelayStation):
                delay += row[k]
            elif row[k]:
                servers[k] = row[k], service_rates(station, max(1, most))
        return cls(delay, servers)

    @property
    def capacity(self) -> float:
        """Throughput that no number of customers exceeds. [1/s]"""
        return min((rates[-1] / d for d, rates in self.servers.values()), default=float("inf"))

    def present(self, throughput: float) -> float:
        """About how many are there at a throughput below capacity. [customers]"""
        found = throughput * self.delay
        for (d, rates), times in Counter(self.servers.values()).items():
            busy = throughput * d / rates[-1]
            found += times * (throughput * d / rates[0] + busy / (1.0 - busy) - busy)
        return found


def weights(part: Part, most: int, scale: float, without: Server | None = None) -> Array:
    """Weights with 0, 1 ... ``most`` customers, the largest about 1.

    Parameters
    ----------
    part : Part
        The stations.
    most : int
        Most customers. [customers]
    scale : float
        The x of the text above. [1/s]
    without : Server, optional
        A station to leave out, once.
    """
    found = _delays(scale * part.delay, most)
    for server, times in Counter(part.servers.values()).items():
        ratio, head = _series(server, scale)
        for _ in range(times - (server == without)):
            found = _filtered(ratio, _with_head(ratio, head, found))
            found /= found.max()
    return found


def mean_at(server: Server, part: Part, scale: float, all_: Array) -> Array:
    """Mean number at one station with 0, 1 ... customers in the part; ``all_`` are its weights."""
    ratio, head = _series(server, scale)
    if len(head) == 1:
        return _over(_filtered(ratio, ratio * _later(all_, 1)), all_)
    others = weights(part, len(all_) - 1, scale, without=server)
    count = sum(j * f * _later(others, j) for j, f in enumerate(head))
    last = len(head) - 1
    more = _filtered(ratio, ratio * head[-1] * _later(others, last + 1))
    count = count + last * more + _filtered(ratio, more)
    return _over(count, _filtered(ratio, _with_head(ratio, head, others)))


def _series(server: Server, scale: float) -> tuple[float, Array]:
    """The ratio of the geometric series with which a station's weights end, and those before."""
    import numpy as np

    demand, rates = server
    steps = scale * demand / np.array(rates)
    return float(steps[-1]), np.cumprod([1.0, *steps[:-1]])


def _over(values: Array, by: Array) -> Array:
    """Values over weights, 0 where the weight is."""
    import numpy as np

    return np.divide(values, by, out=np.zeros_like(values), where=by > 0.0)


def _delays(mean: float, most: int) -> Array:
    """Weights of a Poisson distribution, the largest 1."""
    import numpy as np

    found = np.zeros(most + 1)
    middle = min(most, int(mean))
    found[middle] = 1.0
    if mean:
        steps = np.arange(middle + 1, most + 1, dtype=float)
        found[middle + 1 :] = np.cumprod(mean / steps)
        found[:middle] = np.cumprod(np.arange(middle, 0, -1, dtype=float) / mean)[::-1]
    return found


def _with_head(ratio: float, head: Array, before: Array) -> Array:
    """What a filter by the ratio makes the weights with one more station of."""
    found = before
    for j in range(1, len(head)):
        found = found + (head[j] - ratio * head[j - 1]) * _later(before, j)
    return found


def _later(values: Array, steps: int) -> Array:
    """The values so many places later, 0 before."""
    import numpy as np

    found = np.zeros_like(values)
    if steps < len(values):
        found[steps:] = values[: len(values) - steps]
    return found


def _filtered(ratio: float, values: Array) -> Array:
    """y(n) = values(n) + ratio y(n - 1)."""
    import numpy as np
    from scipy.linalg.lapack import dtbtrs

    diagonals = np.empty((2, len(values)))
    diagonals[0], diagonals[1] = 1.0, -ratio
    found: Array = dtbtrs(diagonals, values, uplo="L", diag="U")[0]
    return found
