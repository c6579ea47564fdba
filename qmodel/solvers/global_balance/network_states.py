"""A closed network as places, ways between them, and gates before what a limit keeps."""

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
from qmodel.solvers.global_balance.markov_routing import Way, ways
from qmodel.solvers.markov.ordered_queue import OrderedStation
from qmodel.solvers.markov.ordered_station_states import Ordered
from qmodel.solvers.markov.station_states import Counted, Forked, Line, Place


class Gate(NamedTuple):
    """A limit: how many may be inside, and where the others wait.

    Attributes
    ----------
    most : int
        Customers inside at most.
    line : int
        The place of those who wait.
    inside : tuple of int
        The places inside.
    """

    most: int
    line: int
    inside: tuple[int, ...]


class NetworkPlaces(NamedTuple):
    """What the chain of a network is made of; places are its stations and, at last, thinking.

    Attributes
    ----------
    classes : tuple of int
        Positions of the classes with customers.
    population : tuple of int
        Of these.
    places : tuple of Place
        Limits' stations are lines.
    ways : tuple
        Of each class from each place.
    gates : tuple
        By class and place: the limit that a customer of the class is under there, or None.
    """

    classes: tuple[int, ...]
    population: tuple[int, ...]
    places: tuple[Place, ...]
    ways: tuple[tuple[tuple[Way, ...], ...], ...]
    gates: tuple[tuple[Gate | None, ...], ...]
    #: Where a customer of each class is between interactions: thinking, or where the next begins.
    homes: tuple[int, ...]

    @classmethod
    def of(cls, network: Network) -> NetworkPlaces:
        """The places of a closed network."""
        sizes = [c.population if isinstance(c, ClosedClass) else 0 for c in network.classes]
        classes = [c for c, n in enumerate(sizes) if n]
        names = network.station_names
        found = [ways(network, c) for c in classes]
        gates: list[list[Gate | None]] = [[None] * (len(names) + 1) for _ in classes]
        places: list[Place] = [
            _place(network, classes, k, station) for k, station in enumerate(network.stations)
        ]
        for limit in network.limits:
            gate = Gate(
                limit.customers, names.index(limit.name), tuple(map(names.index, limit.stations))
            )
            entries = [0] * len(classes)
            for position, c in enumerate(classes):
                if limit.counts(network.class_names[c]):
                    entries[position] = _entries(found[position], gate)
                    for k in gate.inside:
                        gates[position][k] = gate
            places[gate.line] = Line(entries)
        places.append(Counted([network.think_time[c] for c in classes], float))
        return cls(
            tuple(classes),
            tuple(sizes[c] for c in classes),
            tuple(places),
            tuple(found),
            tuple(map(tuple, gates)),
            tuple(
                len(names)
                if network.think_time[c]
                else next(way.to for row in rows for way in row if way.again)
                for c, rows in zip(classes, found, strict=True)
            ),
        )

    def visited(self, c: int) -> list[int]:
        """The places where customers of a class come, lines left out."""
        return sorted({self.homes[c], *(k for k, found in enumerate(self.ways[c]) if found)})


def _place(network: Network, classes: list[int], k: int, station: Station) -> Place:
    times = [network.service_time_at(c, k) for c in classes]
    if isinstance(station, ForkJoinStation):
        return Forked(times, station.branches)
    if isinstance(station, QueueingStation) and station.discipline not in ORDERLESS:
        return Ordered(OrderedStation.of(network, classes, k))
    return Counted(times, _speed(station))


def _speed(station: Station) -> Callable[[int], float]:
    """How much is done with so many customers there, whatever their order."""
    if isinstance(station, QueueingStation):
        return lambda n: float(min(n, station.servers))
    if isinstance(station, LoadDependentStation):
        return lambda n: station.rates[min(n, len(station.rates)) - 1]
    return float


def _entries(found: tuple[tuple[Way, ...], ...], gate: Gate) -> int:
    """How many places inside are entered from outside."""
    return len(
        {
            way.to
            for k, row in enumerate(found)
            for way in row
            if way.to in gate.inside and (way.again or k not in gate.inside)
        }
    )
