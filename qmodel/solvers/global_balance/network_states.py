"""A closed network as state models of its stations, routing, and admission limits. Original."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.stations import (
    ORDERLESS,
    ForkJoinStation,
    LoadDependentStation,
    QueueingStation,
    Station,
)
from qmodel.solvers.global_balance.markov_routing import Routing, routing
from qmodel.solvers.markov.ordered_queue import OrderedStation
from qmodel.solvers.markov.ordered_station_states import LineStates
from qmodel.solvers.markov.station_states import (
    AdmissionQueueStates,
    CountStates,
    ForkJoinStates,
    StationStates,
)


class AdmissionLimit(NamedTuple):
    """A limit of the customers inside some stations."""

    #: Customers inside at most.
    most: int
    #: The station of customers waiting for admission.
    queue: int
    inside: tuple[int, ...]


class NetworkStates(NamedTuple):
    """What the chain of a network is made of; think time counts as the last of its stations."""

    #: Positions of the classes with customers.
    classes: tuple[int, ...]
    #: Of these.
    population: tuple[int, ...]
    stations: tuple[StationStates, ...]
    #: Of each class from each station.
    routing: tuple[tuple[tuple[Routing, ...], ...], ...]
    #: By class and station: the limit that a customer of the class is under there, or None.
    limits: tuple[tuple[AdmissionLimit | None, ...], ...]
    #: Where each class is between interactions: thinking, or where the next one begins.
    homes: tuple[int, ...]

    @classmethod
    def of(cls, network: Network) -> NetworkStates:
        """The states of a closed network."""
        sizes = [c.population if isinstance(c, ClosedClass) else 0 for c in network.classes]
        classes = [c for c, n in enumerate(sizes) if n]
        names = network.station_names
        rows = [routing(network, c) for c in classes]
        limits: list[list[AdmissionLimit | None]] = [[None] * (len(names) + 1) for _ in classes]
        stations = [_states(network, classes, k, s) for k, s in enumerate(network.stations)]
        for given in network.limits:
            limit = AdmissionLimit(
                given.customers, names.index(given.name), tuple(map(names.index, given.stations))
            )
            for position, c in enumerate(classes):
                if given.counts(network.class_names[c]):
                    for k in limit.inside:
                        limits[position][k] = limit
            stations[limit.queue] = AdmissionQueueStates(len(classes))
        stations.append(CountStates([network.think_time[c] for c in classes], float))
        homes = [
            len(names)
            if network.think_time[c]
            else next(way.to for ways in own for way in ways if way.completes)
            for c, own in zip(classes, rows, strict=True)
        ]
        return cls(
            tuple(classes),
            tuple(sizes[c] for c in classes),
            tuple(stations),
            tuple(rows),
            tuple(map(tuple, limits)),
            tuple(homes),
        )


def _states(network: Network, classes: list[int], k: int, station: Station) -> StationStates:
    times = [network.service_time_at(c, k) for c in classes]
    if isinstance(station, ForkJoinStation):
        return ForkJoinStates(times, station.branches)
    if isinstance(station, QueueingStation) and station.discipline not in ORDERLESS:
        return LineStates(OrderedStation.of(network, classes, k))
    return CountStates(times, _speed(station))


def _speed(station: Station) -> Callable[[int], float]:
    """Relative rate of service with n customers present, whatever their order."""
    if isinstance(station, QueueingStation):
        return lambda n: float(min(n, station.servers))
    if isinstance(station, LoadDependentStation):
        return lambda n: station.rates[min(n, len(station.rates)) - 1]
    return float
