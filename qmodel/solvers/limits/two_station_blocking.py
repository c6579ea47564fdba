"""Blocking after service: one class at two stations of which one at least has a finite buffer.

Akyildiz (1988). Theory: `qmodel/solvers/THEORY.md`, limits/two_station_blocking.
"""

from math import inf
from typing import NamedTuple

from qmodel.model.closed_network import empty_solution, not_closed
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution, total
from qmodel.model.stations import DelayStation, LoadDependentStation, QueueingStation
from qmodel.solvers.method import Method

#: Customers at most: the chain has a state for each.
CUSTOMERS = 1_000_000
_LARGE = 2.0**512


class _Node(NamedTuple):
    """A station, or -1 for thinking; its demand, servers and buffer."""

    station: int
    demand: float
    servers: float
    room: float


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    limited = [s for s in network.stations if isinstance(s, QueueingStation) and s.buffer]
    if not limited:
        return "no station has finite room"
    if len(network.classes) > 1:
        return f"it takes one class, there are {len(network.classes)}"
    if reason := not_closed(network):
        return reason
    if network.limits:
        return f"limit {network.limits[0].name!r} keeps customers outside"
    (customers,) = network.classes
    assert isinstance(customers, ClosedClass)
    if customers.population > CUSTOMERS:
        return f"{customers.population} customers, it takes {CUSTOMERS:.0e}"
    for k, station in enumerate(network.stations):
        if not network.demand[0][k]:
            continue
        if not isinstance(station, QueueingStation | DelayStation):
            what = "load-dependent" if isinstance(station, LoadDependentStation) else "a fork"
            return f"station {station.name!r} is {what}"
        if isinstance(station, QueueingStation) and network.scv_at(0, k) != 1.0:
            return f"station {station.name!r} has SCV {network.scv_at(0, k):g}, it takes 1"
    places = _places(network)
    if len(places) != 2:
        return f"it takes two places, think time and stations together; there are {len(places)}"
    room = places[0].room + places[1].room
    if customers.population >= room:
        return (
            f"{customers.population} customers have room for {room:g} in all; they may block each "
            "other for good"
        )
    return None


def solve(network: Network) -> Solution:
    """Exact throughput and residence times."""
    (customers,) = network.classes
    assert isinstance(customers, ClosedClass)
    population = customers.population
    if not population:
        return empty_solution(network, "two-station-blocking")
    first, second = _places(network)
    # Fewer than that at the second would block all its servers, and more all of the first.
    least = int(max(0.0, population - first.room - second.servers))
    most = int(min(population, second.room + first.servers))
    weights = [1.0]
    for x in range(least + 1, most + 1):
        comes = _speed(first, x - 1, population - x + 1, second.room)
        weights.append(weights[-1] * comes / _speed(second, population - x, x, first.room))
        if weights[-1] > _LARGE:
            weights = [w / _LARGE for w in weights]
    whole = total(weights)
    throughput, at_first, at_second = 0.0, 0.0, 0.0
    for x, weight in enumerate(weights, least):
        p = weight / whole
        throughput += p * _speed(first, x, population - x, second.room)
        # Blocked customers, whose service has ended; at a delay they wait for the station.
        stuck = max(0.0, x - second.room) if first.station >= 0 else 0.0
        blocked = max(0.0, population - x - first.room)
        at_second += p * (x - stuck + blocked)
        at_first += p * (population - x + stuck - blocked)
    residence = [0.0] * len(network.stations)
    for place, mean in ((first, at_first), (second, at_second)):
        if place.station >= 0:
            residence[place.station] = mean / throughput
    return Solution(network, "two-station-blocking", (throughput,), (tuple(residence),))


def _places(network: Network) -> list[_Node]:
    """Where customers spend time, thinking first."""
    nodes = []
    if network.think_time[0]:
        nodes.append(_Node(-1, network.think_time[0], inf, inf))
    for k, (station, demand) in enumerate(zip(network.stations, network.demand[0], strict=True)):
        if demand:
            servers = room = inf
            if isinstance(station, QueueingStation):
                servers = float(station.servers)
                room = inf if station.buffer is None else float(station.buffer)
            nodes.append(_Node(k, demand, servers, room))
    return nodes


def _speed(place: _Node, elsewhere: int, present: int, room_elsewhere: float) -> float:
    """Service rate at a node; ``elsewhere`` are the customers who have left it."""
    blocked = max(0.0, elsewhere - room_elsewhere)
    able = min(float(present), place.room)
    return max(0.0, min(place.servers - blocked, able)) / place.demand


METHOD = Method("two-station-blocking", True, solve, why_not)
