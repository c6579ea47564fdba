"""Weights of one class at some stations with 0, 1 ... customers there, for populations of any size.
Theory and sources: `qmodel/solvers/THEORY.md`, product_form/scaled_convolution.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from qmodel.kernels.array_series import delays, geometric, present, product
from qmodel.model.closed_network import service_rates
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation
from qmodel.numerics.arrays import Array

#: A station as its demand and its relative rates with 1, 2 ... customers, the last going on.
Server = tuple[float, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Part:
    """Some stations of a network, as one class sees them alone."""

    #: Think time and the demands at delay stations. [s]
    delay: float
    #: The others with any demand, by their positions.
    servers: dict[int, Server]

    @classmethod
    def of(
        cls, network: Network, c: int, stations: Sequence[int], think_time: float, most: int
    ) -> Self:
        """Stations and a class by their positions, for so many customers at most."""
        row = network.demand[c]
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
        customers = throughput * self.delay
        for (d, rates), times in Counter(self.servers.values()).items():
            busy = throughput * d / rates[-1]
            customers += times * (throughput * d / rates[0] + busy / (1.0 - busy) - busy)
        return customers


def weights(part: Part, most: int, scale: float, without: Server | None = None) -> Array:
    """Weights with 0, 1 ... ``most`` customers, the largest about 1.

    ``scale`` is the x of the text above [1/s]; ``without`` is a station to leave out, once.
    """
    series = delays(scale * part.delay, most)
    for server, times in Counter(part.servers.values()).items():
        ratio, head = _series(server, scale)
        for _ in range(times - (server == without)):
            series = product(series, head, ratio)
            series /= series.max()
    return series


def mean_at(server: Server, part: Part, scale: float, all_: Array) -> Array:
    """Mean number at one station with 0, 1 ... customers in the part; ``all_`` are its weights."""
    ratio, head = _series(server, scale)
    if len(head) == 1:  # the station with a copy of itself beside it
        count, of = np.append(0.0, ratio * geometric(all_, ratio)[:-1]), all_
    else:
        others = weights(part, len(all_) - 1, scale, without=server)
        count, of = present(others, head, ratio), product(others, head, ratio)
    mean: Array = np.divide(count, of, out=np.zeros_like(count), where=of > 0.0)
    return mean


def _series(server: Server, scale: float) -> tuple[float, Array]:
    """The ratio of the geometric series with which a station's weights end, and those before."""
    demand, rates = server
    steps = scale * demand / np.array(rates)
    return float(steps[-1]), np.cumprod([1.0, *steps[:-1]])
