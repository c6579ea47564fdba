"""A run of points of a design as arrays."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qmodel.analysis.sweep.design import Design
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation, QueueingStation
from qmodel.numerics.arrays import Array


@dataclass(frozen=True, eq=False)
class Batch:
    """B points of one network: what varies and what does not, all as arrays."""

    #: Where they differ from in nothing but the numbers below.
    network: Network
    #: 0 of an open class, shape (B, C). [customers]
    population: NDArray[np.int64]
    #: 0 of an open class, and of a closed one, shape (B, C). [s, 1/s]
    think_time: Array
    arrival_rate: Array
    #: Shape (B, C, K). [s]
    demand: Array
    #: 1 of a station that has none; where customers wait, those let in, shape (B, K).
    servers: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.population)

    def take(self, points: NDArray[Any]) -> "Batch":
        """Some of the points."""
        return Batch(
            self.network, self.population[points], self.think_time[points],
            self.arrival_rate[points], self.demand[points], self.servers[points],
        )  # fmt: skip

    def network_at(self, i: int) -> Network:
        """One point as a network. Raises `InvalidNetwork` if its numbers make none."""
        stations = tuple(
            replace(s, servers=int(m)) if isinstance(s, QueueingStation) and s.servers != m else s
            for s, m in zip(self.network.stations, self.servers[i], strict=True)
        )
        classes = tuple(
            ClosedClass(
                x.name, int(self.population[i, c]), float(self.think_time[i, c]), x.priority
            )
            if isinstance(x, ClosedClass)
            else OpenClass(x.name, float(self.arrival_rate[i, c]), x.priority, x.arrival_scv)
            for c, x in enumerate(self.network.classes)
        )
        limits = tuple(
            x if x.customers == most else replace(x, customers=int(most))
            for x, most in zip(
                self.network.limits, self.servers[i, len(stations) - len(self.network.limits) :],
                strict=True,
            )
        )  # fmt: skip
        rows = self.demand[i].tolist()
        network = replace(self.network, stations=stations, classes=classes, demand=rows)
        return replace(network, limits=limits) if limits != network.limits else network

    def queues_and_delay(self) -> tuple[list[int], Array]:
        """Positions of the stations where customers queue, and time elsewhere, (B, C). [s]"""
        queues, delay = [], self.think_time.copy()
        for k, station in enumerate(self.network.stations):
            if isinstance(station, DelayStation):
                delay += self.demand[:, :, k]
            else:
                queues.append(k)
        return queues, delay

    def same_but_for_population(self) -> NDArray[np.bool_]:
        """Whether each point differs from the one before in its populations only."""
        same = np.zeros(len(self), bool)
        same[1:] = True
        for values in (self.think_time, self.arrival_rate, self.demand, self.servers):
            flat = values.reshape(len(self), -1)
            same[1:] &= (flat[1:] == flat[:-1]).all(axis=1)
        return same


def servers_of(network: Network) -> list[int]:
    """Of each station; at the end, where customers wait for a limit, how many it lets in."""
    served = network.stations[: len(network.stations) - len(network.limits)]
    servers = [s.servers if isinstance(s, QueueingStation) else 1 for s in served]
    return [*servers, *(limit.customers for limit in network.limits)]


def batch_of(network: Network, design: Design, columns: Mapping[str, NDArray[Any]]) -> Batch:
    """The points whose varying parameters are ``columns``."""
    count = len(next(iter(columns.values())))

    def repeated(values: Any, kind: Any) -> Any:
        one = np.array(values, kind)
        return np.tile(one, (count, *[1] * one.ndim))

    closed = [c if isinstance(c, ClosedClass) else None for c in network.classes]
    arrays = {
        "population": repeated([c.population if c else 0 for c in closed], np.int64),
        "think_time": repeated(network.think_time, float),
        "arrival_rate": repeated(
            [c.arrival_rate if isinstance(c, OpenClass) else 0.0 for c in network.classes], float
        ),
        "demand": repeated(network.demand, float),
        "servers": repeated(servers_of(network), np.int64),
    }
    for axis in design.axes:
        kind, c, k = axis.target
        place = tuple(i for i in (c, k) if i >= 0)
        arrays[kind][(slice(None), *place)] = columns[axis.name]
    return Batch(network, **arrays)
