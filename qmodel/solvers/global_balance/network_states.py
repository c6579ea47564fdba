"""A closed network as state models of its stations, routing, and admission limits. Original.
Theory and sources: `qmodel/solvers/THEORY.md`, global_balance/network_states.
"""

from collections.abc import Sequence
from typing import NamedTuple

from qmodel.model.closed_network import service_rates
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation, ForkJoinStation, Station
from qmodel.model.visit_routing import transitions
from qmodel.solvers.markov import station_states
from qmodel.solvers.markov.ordered_queue import OrderedStation, keeps_order
from qmodel.solvers.markov.ordered_station_states import LineStates


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
    stations: tuple[station_states.StationStates, ...]
    #: Of each class from each station.
    routing: "tuple[tuple[tuple[Routing, ...], ...], ...]"
    #: By class and station: the limit that a customer of the class is under there, or None.
    limits: tuple[tuple[AdmissionLimit | None, ...], ...]
    #: Where each class is between interactions: thinking, or where the next one begins.
    homes: tuple[int, ...]

    @classmethod
    def of(cls, network: Network) -> "NetworkStates":
        """The states of a closed network."""
        sizes = network.populations
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
            stations[limit.queue] = station_states.AdmissionQueueStates(len(classes))
        stations.append(station_states.CountStates([network.think_time[c] for c in classes], float))
        homes = [
            len(names)
            if network.think_time[c]
            else next(way.to for ways in own for way in ways if way.completes)
            for c, own in zip(classes, rows, strict=True)
        ]
        return cls(
            tuple(classes), tuple(sizes[c] for c in classes), tuple(stations), tuple(rows),
            tuple(map(tuple, limits)), tuple(homes),
        )  # fmt: skip


def _states(
    network: Network, classes: list[int], k: int, station: Station
) -> station_states.StationStates:
    times = [network.service_time_at(c, k) for c in classes]
    if isinstance(station, ForkJoinStation):
        return station_states.ForkJoinStates(times, station.branches)
    if keeps_order(station):
        return LineStates(OrderedStation.of(network, classes, k))
    if isinstance(station, DelayStation):
        return station_states.CountStates(times, float)
    rates = service_rates(station, max(1, sum(network.populations)))
    return station_states.CountStates(times, lambda n: rates[min(n, len(rates)) - 1])


class Routing(NamedTuple):
    """One way to leave a station."""

    #: Position of the next station, or the number of stations for thinking.
    to: int
    #: [1]
    probability: float
    #: Whether an interaction is completed by it.
    completes: bool


def routing(network: Network, c: int) -> tuple[tuple[Routing, ...], ...]:
    """The routing of a closed class from each station, and at last from thinking."""
    *rows, first = transitions(network, c)
    outside, thinks = len(rows), network.think_time[c] > 0.0
    entered = sum(p for j, p in first if j != outside)
    # Without think time, a class that visits nothing starts anew at once.
    starts = tuple(Routing(j, p if thinks else p / entered, True) for j, p in first if j != outside)
    ends = (Routing(outside, 1.0, True),) if thinks else starts
    routes = []
    for row in rows:
        stays = [Routing(j, p, False) for j, p in row if j != outside]
        leaves = sum(p for j, p in row if j == outside)
        last = [way._replace(probability=leaves * way.probability) for way in ends if leaves]
        routes.append((*stays, *last))
    return (*routes, starts if thinks else ())


def reentered(rows: Sequence[Sequence[Routing]], inside: Sequence[int]) -> int | None:
    """A station outside from which a class goes back inside in the same interaction, or None."""
    for k in inside:
        for first in rows[k]:
            if first.completes or first.to in inside:
                continue
            reached, todo = {first.to}, [first.to]
            while todo:
                for way in rows[todo.pop()]:
                    if not way.completes and way.to not in reached:
                        reached.add(way.to)
                        todo.append(way.to)
            if reached & {*inside}:
                return first.to
    return None
