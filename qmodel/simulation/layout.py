"""A network as the engine takes it: stations, routing and limits as flat sequences, and streams.

Routing is that which the visit ratios imply (`qmodel.model.visit_routing`): in turn with visit
ratios of 1, else about a central server, the next station drawn whatever came before. A limit is
held from the first visit inside to the last of an interaction. Original.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from qmodel.errors import InvalidInput
from qmodel.model.closed_network import service_rates
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.stations import (
    ORDERLESS,
    DelayStation,
    ForkJoinStation,
    LoadDependentStation,
    QueueingStation,
    Station,
)
from qmodel.model.visit_routing import ImpliedRouting
from qmodel.simulation.random_times import Times
from qmodel.simulation.state import DELAY, FORK, ORDERED, PREEMPTIVE, SHARED

#: Probability below which a transition is rounding.
ROUNDING = 1e-13
#: Customers of closed classes: each replication has a dozen numbers of each.
MOST = 100_000

#: A transition: the station it leads to (their number: outside), its probability.
Way = tuple[int, float]


class Layout(NamedTuple):
    """What does not depend on random numbers; see `state.State` for the fields of that name."""

    kind: list[int]
    servers: list[int]
    speeds: list[tuple[float, ...]]
    rank: list[int]
    ways: list[list[Way]]
    asks: list[int]
    keeps: list[int]
    most: list[int]
    limit_station: list[int]
    #: Distributions in the order of the rows of random numbers; None is uniform on 0 to 1.
    rows: list[Times | None]
    service_row: list[int]
    gap_row: list[int]
    route_row: list[int]


def why_not_simulated(network: Network) -> str | None:
    """What cannot be simulated, or None.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> network = Network([QueueingStation("cpu")], [ClosedClass("users", 2)], [0.1])
    >>> why_not_simulated(network) is None
    True
    """
    full = [s.name for s in network.stations if isinstance(s, QueueingStation) and s.buffer]
    if full and network.limits:
        return f"both a limit and station {full[0]!r}, which has a finite buffer"
    for k, station in enumerate(network.stations):
        if full and any(row[k] for row in network.demand) and not _can_block(station):
            return (
                f"station {station.name!r} cannot hold customers that {full[0]!r} has no room for"
            )
    if most_customers(network) > MOST:
        return f"{most_customers(network)} customers, at most {MOST}"
    if len(network.limits) > 60:
        return f"{len(network.limits)} limits, at most 60"
    for c in range(len(network.classes)):
        ways = transitions(network, c)
        for limit in network.limits:
            outside = _uncertain(network, c, ways, limit.stations)
            if outside is not None and limit.counts(network.class_names[c]):
                return (
                    f"class {network.class_names[c]!r} comes back inside limit {limit.name!r} by "
                    f"chance from {network.station_names[outside]!r}"
                )
    return None


def layout(network: Network, times: Mapping[Any, Any]) -> Layout:
    """The network in flat sequences.

    Parameters
    ----------
    network : Network
        Any that `why_not_simulated` has nothing against.
    times : mapping
        Distributions by class name (of interarrival times) and by class and station name (of
        service times), see `Times`.
    """
    stations, classes = range(len(network.stations)), range(len(network.classes))
    _check_names(network, times)
    kinds = [_kind(s) for s in network.stations]
    rows: list[Times | None] = []

    def row(distribution: Times | None) -> int:
        rows.append(distribution)
        return len(rows) - 1

    service, gap, route, ways, rank = [], [], [], [], []
    ranks = sorted({c.priority for c in network.classes})
    for c in classes:
        name, customers = network.class_names[c], network.classes[c]
        for k in stations:
            key = (name, network.station_names[k])
            ordered = kinds[k] != SHARED
            scv = network.scv_at(c, k) if ordered else 1.0
            family = times.get(key, "phase-type")
            served = network.demand[c][k] > 0.0
            if key in times and not ordered:
                scv = network.scv_at(c, k)
            what = f"class {name!r} at station {key[1]!r}"
            time = Times(network.service_time_at(c, k), scv, family, what)
            service.append(row(time) if served else -1)
            station = network.stations[k]
            by_rank = isinstance(station, QueueingStation) and station.discipline in {
                "priority",
                "preemptive",
            }
            rank.append(ranks.index(customers.priority) if by_rank else 0)
        if isinstance(customers, OpenClass):
            rate = customers.arrival_rate
            family = times.get(name, "phase-type")
            mean = 1.0 / rate if rate else 0.0
            between = Times(mean, customers.arrival_scv, family, f"class {name!r}")
            gap.append(row(between) if rate else -1)
        else:
            gap.append(row(Times(customers.think_time, 1.0)) if customers.think_time else -1)
        found = transitions(network, c)
        ways += found
        route.append(row(None) if any(len(each) > 1 for each in found) else -1)
    order = sorted(range(len(network.limits)), key=lambda x: -len(network.limits[x].stations))
    asks, keeps = _limit_bits(network, order)
    return Layout(
        kinds,
        [_servers(s) for s in network.stations],
        [
            _speeds(s) if kind == SHARED else ()
            for s, kind in zip(network.stations, kinds, strict=True)
        ],
        rank,
        ways,
        asks,
        keeps,
        [network.limits[x].customers for x in order],
        [network.station_names.index(network.limits[x].name) for x in order],
        rows,
        service,
        gap,
        route,
    )


def transitions(network: Network, c: int) -> list[list[Way]]:
    """The transitions of a class from each station, and at last from outside.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> stations = [QueueingStation("cpu"), QueueingStation("disk")]
    >>> transitions(Network(stations, [ClosedClass("users", 2)], [[0.4, 0.3]],
    ...                     visit_ratio=[[4.0, 3.0]]), 0)
    [[(1, 0.75), (2, 0.25)], [(0, 1.0)], [(0, 1.0)]]
    """
    visits = [network.visits_at(c, k) for k in range(len(network.stations))]
    entry, between = ImpliedRouting.of(visits).transitions()
    outside = len(visits)
    found = [
        _with_rest([(j, n / v) for j, n in enumerate(row)], outside) if v else [(outside, 1.0)]
        for v, row in zip(visits, between, strict=True)
    ]
    return [*found, _with_rest(list(enumerate(entry)), outside)]


def _with_rest(ways: list[Way], outside: int) -> list[Way]:
    """Transitions that are likely at all, and outside with the rest of the probability."""
    kept = [way for way in ways if way[1] > ROUNDING]
    rest = 1.0 - sum(p for _, p in kept)
    return [*kept, (outside, rest)] if rest > 1e-12 or not kept else kept


def _uncertain(network: Network, c: int, ways: list[list[Way]], inside: Any) -> int | None:
    """A station outside from where a class comes back inside by chance, after it was there."""
    places = {network.station_names.index(name) for name in inside}
    back = _return_probability(ways, places)
    for k in places:
        for j, _ in ways[k] if network.demand[c][k] else ():
            if j < len(network.stations) and j not in places and 1e-9 < back[j] < 1.0 - 1e-9:
                return j
    return None


def _return_probability(ways: list[list[Way]], places: set[int]) -> Any:
    """Probability that each station is followed by one of those inside, in the interaction."""
    size = len(ways) - 1
    left, right = np.eye(size), np.zeros(size)
    for k in range(size):
        if k in places:
            right[k] = 1.0
            continue
        for j, p in ways[k]:
            if j < size:
                left[k, j] -= p
    return np.linalg.solve(left, right)


def _limit_bits(network: Network, order: list[int]) -> tuple[list[int], list[int]]:
    """Bits of the limits that are asked for and kept, by class and station."""
    asks, keeps = [], []
    for c, name in enumerate(network.class_names):
        ways = transitions(network, c)
        ask, keep = ([0] * len(network.stations) for _ in range(2))
        for bit, x in enumerate(order):
            limit = network.limits[x]
            if not limit.counts(name):
                continue
            places = {network.station_names.index(station) for station in limit.stations}
            back = _return_probability(ways, places)
            for k in range(len(network.stations)):
                ask[k] |= (k in places) << bit
                keep[k] |= bool(back[k] > 0.5) << bit
        asks += ask
        keeps += keep
    return asks, keeps


def _check_names(network: Network, times: Mapping[Any, Any]) -> None:
    opened = [c.name for c in network.classes if isinstance(c, OpenClass)]
    pairs = [(c, s) for c in network.class_names for s in network.station_names]
    for key in times:
        if key not in opened and key not in pairs:
            raise InvalidInput(
                f"times of {key!r}: expected an open class, or a class and a station by name"
            )


def _kind(station: Station) -> int:
    if isinstance(station, DelayStation):
        return DELAY
    if isinstance(station, ForkJoinStation):
        return FORK
    if isinstance(station, LoadDependentStation) or station.discipline in ORDERLESS:
        return SHARED
    return PREEMPTIVE if station.discipline == "preemptive" else ORDERED


def _servers(station: Station) -> int:
    if isinstance(station, QueueingStation):
        return station.servers
    return station.branches if isinstance(station, ForkJoinStation) else 0


def _speeds(station: Station) -> tuple[float, ...]:
    assert isinstance(station, QueueingStation | LoadDependentStation)
    return service_rates(station)


def _can_block(station: Station) -> bool:
    if isinstance(station, QueueingStation):
        return station.discipline != "preemptive"
    return isinstance(station, DelayStation)


def most_customers(network: Network) -> int:
    """Customers of the closed classes together."""
    return sum(c.population for c in network.classes if isinstance(c, ClosedClass))
