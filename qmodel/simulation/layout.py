"""A network for the engine: stations, routing, limits and streams as sequences; see THEORY.md."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

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
from qmodel.model.visit_routing import Way, places_of
from qmodel.simulation.random_times import Times
from qmodel.simulation.state import DELAY, FORK, LAST_FIRST, ORDERED, PREEMPTIVE, SHARED

#: Customers of closed classes: each replication has a dozen numbers of each.
MOST = 100_000


class Layout(NamedTuple):
    """What does not depend on random numbers."""

    #: Fields of `state.State` that are read only, by name.
    fields: dict[str, list[int]]
    speeds: list[tuple[float, ...]]
    ways: list[list[Way]]
    #: Distributions in the order of the rows of random numbers; None is uniform on 0 to 1.
    rows: list[Times | None]


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
    for k, station in enumerate(network.stations):
        if full and any(row[k] for row in network.demand) and not _can_block(station):
            return (
                f"station {station.name!r} cannot hold customers that {full[0]!r} has no room for"
            )
    if sum(network.populations) > MOST:
        return f"{sum(network.populations)} customers, at most {MOST}"
    if len(network.limits) > 60:
        return f"{len(network.limits)} limits, at most 60"
    for c, customers in enumerate(network.classes):
        there, ways = places_of(network, c)
        for limit in network.limits:
            if not limit.counts(customers.name):
                continue
            outside = _uncertain(network, c, there, ways, limit.stations)
            if outside is not None and limit.held == "interaction":
                return (
                    f"class {customers.name!r} comes back inside limit {limit.name!r} by "
                    f"chance from {network.station_names[outside]!r}"
                )
            if (
                limit.full == "reject"
                and isinstance(customers, ClosedClass)
                and (not customers.think_time and customers.population > limit.customers)
            ):
                return (
                    f"class {customers.name!r} does not think, so that limit {limit.name!r} "
                    "rejects it again at once"
                )
    return None


def layout(network: Network) -> Layout:
    """The network in flat sequences, if `why_not_simulated` has nothing against it."""
    stations, classes = range(len(network.stations)), range(len(network.classes))
    kinds = [_kind(s) for s in network.stations]
    families = dict(network.distributions)
    rows: list[Times | None] = []

    def row(distribution: Times | None) -> int:
        rows.append(distribution)
        return len(rows) - 1

    service, served, gap, route, ways, rank = ([] for _ in range(6))
    station_of: list[int] = []
    outside = []
    ranks = sorted({c.priority for c in network.classes})
    for c in classes:
        name, customers = network.class_names[c], network.classes[c]
        rank_at = []
        for k in stations:
            family = families.get((name, network.station_names[k]))
            scv = network.scv_at(c, k) if family is not None or kinds[k] != SHARED else 1.0
            time = Times(network.service_time_at(c, k), scv, family or "phase-type")
            service.append(row(time) if network.demand[c][k] > 0.0 else -1)
            by_rank = getattr(network.stations[k], "discipline", "") in {"priority", "preemptive"}
            rank_at.append(ranks.index(customers.priority) if by_rank else 0)
        if isinstance(customers, OpenClass):
            rate = customers.arrival_rate
            family = families.get((name, ""), "phase-type")
            between = Times(1.0 / rate if rate else 0.0, customers.arrival_scv, family)
            gap.append(row(between) if rate else -1)
        else:
            gap.append(row(Times(customers.think_time, 1.0)) if customers.think_time else -1)
        there, found = places_of(network, c)
        ways += [[(len(station_of) + j, p) for j, p in each] for each in found]
        station_of += [*there, len(stations)]
        rank += [*(rank_at[k] for k in there), 0]
        served += [*(service[c * len(stations) + k] for k in there), -1]
        outside.append(len(station_of) - 1)
        route.append(row(None) if any(len(each) > 1 for each in found) else -1)
    shuffled = [getattr(s, "discipline", "") == "random" for s in network.stations]
    order = sorted(range(len(network.limits)), key=lambda x: -len(network.limits[x].stations))
    limits = [network.limits[x] for x in order]
    asks, keeps = _limit_bits(network, order)
    fields = {
        "kind": kinds, "servers": [_servers(s) for s in network.stations], "rank": rank,
        "station_of": station_of, "outside": outside, "asks": asks, "keeps": keeps,
        "most": [limit.customers for limit in limits],
        "rejects": [int(limit.full == "reject") for limit in limits],
        "limit_station": [network.station_names.index(limit.name) for limit in limits],
        **{name: [0] * len(station_of) for name in ("beside", "line", "taken")},
        "service_row": served, "shuffle_row": [row(None) if each else -1 for each in shuffled],
        "gap_row": gap, "route_row": route,
    }  # fmt: skip
    speeds = [
        service_rates(s) if kind == SHARED and not isinstance(s, DelayStation) else ()
        for s, kind in zip(network.stations, kinds, strict=True)
    ]
    return Layout(fields, speeds, ways, rows)


def _uncertain(
    network: Network, c: int, there: list[int], ways: list[list[Way]], inside: Sequence[str]
) -> int | None:
    """A station outside from where a class comes back inside by chance, after it was there."""
    held = {i for i, k in enumerate(there) if network.station_names[k] in inside}
    back = _return_probability(ways, held)
    for i in held:
        for j, _ in ways[i] if network.demand[c][there[i]] else ():
            if j < len(there) and j not in held and 1e-9 < back[j] < 1.0 - 1e-9:
                return there[j]
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
    """Bits of the limits that are asked for and kept, by place."""
    asks, keeps = [], []
    for c, name in enumerate(network.class_names):
        there, ways = places_of(network, c)
        ask, keep = ([0] * len(ways) for _ in range(2))
        for bit, x in enumerate(order):
            limit = network.limits[x]
            if not limit.counts(name):
                continue
            inside = [network.station_names[k] in limit.stations for k in there]
            back = _return_probability(ways, {i for i, held in enumerate(inside) if held})
            for i, held in enumerate(inside):
                ask[i] |= held << bit
                kept = held if limit.held == "visit" else bool(back[i] > 0.5)
                keep[i] |= kept << bit
        asks += ask
        keeps += keep
    return asks, keeps


def _kind(station: Station) -> int:
    if isinstance(station, DelayStation):
        return DELAY
    if isinstance(station, ForkJoinStation):
        return FORK
    if isinstance(station, LoadDependentStation) or station.discipline in ORDERLESS:
        return SHARED
    return {"preemptive": PREEMPTIVE, "lcfs-pr": LAST_FIRST}.get(station.discipline, ORDERED)


def _servers(station: Station) -> int:
    if isinstance(station, QueueingStation):
        return station.servers
    return station.branches if isinstance(station, ForkJoinStation) else 0


def _can_block(station: Station) -> bool:
    if isinstance(station, QueueingStation):
        return station.discipline not in {"preemptive", "lcfs-pr"}
    return isinstance(station, DelayStation)
