"""Queueing networks: stations, customer classes, and the demands that join them.

A record holds plain tuples of floats, so a network is immutable, comparable and hashable, and
building one needs nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from qmodel.checks import matrix, members
from qmodel.customer_classes import ClosedClass, CustomerClass
from qmodel.errors import InvalidNetwork
from qmodel.stations import Station


@dataclass(frozen=True, slots=True)
class Network:
    """Stations, classes, and the service demand of each class at each station.

    Parameters
    ----------
    stations : sequence of Station
        K stations with different names.
    classes : sequence of CustomerClass
        C classes with different names.
    demand : array_like, shape (C, K)
        Service demand D = V S: service time one interaction needs at a station, all visits
        together, no queueing. A single row may be given for a single class. [s]

    Raises
    ------
    InvalidNetwork
        Naming the class, the station and the value that is wrong.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> network = Network(
    ...     stations=[QueueingStation("cpu"), QueueingStation("disk")],
    ...     classes=[ClosedClass("users", population=20, think_time=5.0)],
    ...     demand=[[0.2, 0.1]],
    ... )
    >>> network.demand
    ((0.2, 0.1),)
    """

    stations: tuple[Station, ...]
    classes: tuple[CustomerClass, ...]
    demand: tuple[tuple[float, ...], ...]

    def __init__(
        self, stations: Iterable[Station], classes: Iterable[CustomerClass], demand: Any
    ) -> None:
        object.__setattr__(self, "stations", members(stations, Station, "station"))
        object.__setattr__(self, "classes", members(classes, CustomerClass, "class"))
        object.__setattr__(
            self, "demand", matrix(demand, self.class_names, self.station_names, "demand")
        )
        for customer_class, row in zip(self.classes, self.demand, strict=True):
            if isinstance(customer_class, ClosedClass) and not (
                customer_class.think_time or any(row)
            ):
                raise InvalidNetwork(
                    f"class {customer_class.name!r}: all demands and the think time are 0; "
                    "throughput is unbounded"
                )

    @classmethod
    def from_visits(
        cls,
        stations: Iterable[Station],
        classes: Iterable[CustomerClass],
        visit_ratio: Any,
        service_time: Any,
    ) -> Network:
        """A network from visit ratios and service times, D = V S.

        Parameters
        ----------
        stations, classes
            As for `Network`.
        visit_ratio : array_like, shape (C, K)
            Visits V per interaction. [1]
        service_time : array_like, shape (C, K)
            Service time S per visit, no queueing. [s]

        Raises
        ------
        InvalidNetwork
            Naming the class, the station and the value that is wrong.

        Examples
        --------
        >>> from qmodel import ClosedClass, QueueingStation
        >>> Network.from_visits([QueueingStation("disk")], [ClosedClass("users", 3)],
        ...                     visit_ratio=[[20]], service_time=[[0.015]]).demand
        ((0.3,),)
        """
        kept_stations = members(stations, Station, "station")
        kept_classes = members(classes, CustomerClass, "class")
        names = [c.name for c in kept_classes], [s.name for s in kept_stations]
        visits = matrix(visit_ratio, *names, "visit ratio")
        times = matrix(service_time, *names, "service time")
        demand = [
            [v * s for v, s in zip(*rows, strict=True)] for rows in zip(visits, times, strict=True)
        ]
        return cls(kept_stations, kept_classes, demand)

    @property
    def station_names(self) -> tuple[str, ...]:
        """Names of the stations, in order."""
        return tuple(station.name for station in self.stations)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes, in order."""
        return tuple(customer_class.name for customer_class in self.classes)

    @property
    def think_time(self) -> tuple[float, ...]:
        """Think time of each class, 0 for an open class. [s]"""
        return tuple(c.think_time if isinstance(c, ClosedClass) else 0.0 for c in self.classes)

    def with_population(self, *population: int) -> Network:
        """The same network with other populations, one for each closed class in order.

        Examples
        --------
        >>> from qmodel import ClosedClass, QueueingStation
        >>> network = Network([QueueingStation("cpu")], [ClosedClass("users", 3)], [0.2])
        >>> network.with_population(40).classes
        (ClosedClass(name='users', population=40, think_time=0.0),)
        """
        closed = sum(isinstance(c, ClosedClass) for c in self.classes)
        if len(population) != closed:
            raise InvalidNetwork(
                f"{len(population)} populations given, expected one per closed class: {closed}"
            )
        left = iter(population)
        classes = [
            replace(c, population=next(left)) if isinstance(c, ClosedClass) else c
            for c in self.classes
        ]
        return Network(self.stations, classes, self.demand)
