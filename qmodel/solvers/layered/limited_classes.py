"""Several classes at limits, one inside of another: the layers of a network.
Theory and sources: `qmodel/solvers/THEORY.md`, layered/limited_classes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from qmodel.model.closed_network import without_limits
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.layered_model import Layered
from qmodel.model.layered_records import Entry, Processor, Service, Users
from qmodel.model.layered_steps import Choice, Step, Work
from qmodel.model.network import Network
from qmodel.model.population_limits import overlapping
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation, LoadDependentStation, QueueingStation
from qmodel.solvers import solve as solve_product_form
from qmodel.solvers.layered.rounds import Layers
from qmodel.solvers.layered.solve import solved
from qmodel.solvers.limits.holding_time import Way
from qmodel.solvers.limits.nested import KEPT, Region, regions
from qmodel.solvers.method import Method

#: Closed customers at most, and inside one limit: their square is what takes the time.
CUSTOMERS, INSIDE = 2_000, 600


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    if not network.limits:
        return "no limit keeps customers outside"
    there, everybody = _there(network), sum(network.populations)
    if len(network.classes) < 2 or not there:
        return f"it takes several classes with customers, the network has {len(there)}"
    free = replace(network, limits=(), routes=())
    if reason := overlapping(network.limits) or free.product_form_violation():
        return reason
    if everybody > CUSTOMERS:
        return f"{everybody} customers, it takes {CUSTOMERS}"
    for station in network.stations:
        if isinstance(station, LoadDependentStation):
            return f"station {station.name!r} has rates of its own"
    for limit in network.limits:
        inside = [network.station_names.index(name) for name in limit.stations]
        counted = [c for c in there if limit.counts(network.class_names[c])]
        if limit.full == "reject":
            return f"limit {limit.name!r} rejects customers; of several classes all wait"
        if INSIDE < limit.customers < everybody:
            return f"limit {limit.name!r} lets in more than {INSIDE}"
        for c in counted if limit.held == "interaction" else ():
            if Way.of(network, c).comes_back(inside):
                return f"limit {limit.name!r} {KEPT}"
    return None


def solve(network: Network) -> Solution:
    """Approximate throughputs and residence times.

    Raises `Unstable` if open arrivals exceed what a station or a full limit can do,
    `NotApplicable` if throughputs still change after all rounds.
    """
    layers, done, moved = solved(layers_of(network))
    if all(node.kind != "service" for node in layers.nodes):  # no limit is ever reached
        free = solve_product_form(without_limits(replace(network, distributions=(), routes=())))
        none = (0.0,) * len(network.limits)
        times = tuple((*row, *none) for row in free.residence_times)
        return Solution(network, "limited-layers", free.throughputs, times)
    there, rows, rates = _there(network), [], []
    for c, each in enumerate(network.classes):
        rows.append(_times(network, layers, c) if c in there else [0.0] * len(network.stations))
        if isinstance(each, OpenClass):
            rates.append(each.arrival_rate)
        else:
            rates.append(each.population and each.population / (each.think_time + sum(rows[c])))
    for k, station in enumerate(network.stations):  # how each class sees a full one is not exact
        busy = [x * row[k] for x, row in zip(rates, network.demand, strict=True)]
        closed = [c for c in there if isinstance(network.classes[c], ClosedClass) and busy[c]]
        left = station.max_rate - sum(busy) + sum(busy[c] for c in closed)
        over = sum(busy[c] for c in closed) / left
        for c in closed if over > 1.0 else ():
            rows[c][k] += network.populations[c] / rates[c] * (over - 1.0)
            rates[c] /= over
    return Solution(
        network, "limited-layers", tuple(rates), tuple(map(tuple, rows)),
        iterations=done, residual=moved,
    )  # fmt: skip


def layers_of(network: Network) -> Layered:
    """The network as users, limits as services, and stations as services with processors."""
    names, users, services = network.station_names, [], []
    entries: dict[str, list[Entry]] = {}
    for c in _there(network):
        each, way, whole = network.classes[c], Way.of(network, c), regions(network, c)
        services.append(Service(f"{c}/", (Entry(f"{c}/", steps=_steps(network, way, whole, c)),)))
        calls = ((f"{c}/", 1.0),)
        if isinstance(each, OpenClass):
            users.append(Users(f"{c}", None, 0.0, calls, arrival_rate=each.arrival_rate))
        else:
            users.append(Users(f"{c}", each.population, each.think_time, calls))
        for region in whole.all:
            for k in region.own:
                time = network.demand[c][k] / way.visits_at(k)
                entries.setdefault(names[k], []).append(Entry(f"{c}/{names[k]}", time))
            for inner in region.inner:
                steps = _steps(network, way, inner, c)
                entry = Entry(f"{c}/{names[inner.wait]}", steps=steps)
                entries.setdefault(names[inner.wait], []).append(entry)
    stations = {s.name: s for s in network.stations if s.name in entries}
    threads = {limit.name: limit.customers for limit in network.limits}
    services += [
        Service(name, tuple(some), threads.get(name), None if name in threads else name)
        for name, some in sorted(entries.items())
    ]
    return Layered(users, services, [
        Processor(name, station.servers if isinstance(station, QueueingStation) else None)
        for name, station in stations.items() if name not in threads
    ])  # fmt: skip


def _steps(network: Network, way: Way, region: Region, c: int) -> list[Step]:
    """What a stay in a region has, or an interaction: in its order if that is always the same."""
    names = network.station_names
    leads = {k: f"{c}/{names[k]}" for k in region.own}
    for inner in region.inner:
        leads |= dict.fromkeys(inner.stations, f"{c}/{names[inner.wait]}")
    if np.isin(way.probability, (0.0, 1.0)).all():
        stays = list(_stays(way, leads, {f"{c}/{names[each.wait]}" for each in region.inner}))
        kinds = sorted(set(stays))
        made = [[Work(0.0, {name: 1.0}, fixed=True) for name in kind] for kind in kinds]
        if len(kinds) == 1:
            return [*made[0]]
        shares = [stays.count(kind) / len(stays) for kind in kinds]
        return [Choice(tuple((p, tuple(steps)) for p, steps in zip(shares, made, strict=True)))]
    often = float(way.entries(region.stations).sum()) if region.wait >= 0 else 1.0
    calls = {leads[k]: way.visits_at(k) / often for k in region.own}
    for inner in region.inner:
        entered = float(way.entries(inner.stations).sum())
        calls[f"{c}/{names[inner.wait]}"] = entered / often
    if max(abs(n - 1.0) for n in calls.values()) < 1e-9:  # one after the other
        return [Work(0.0, dict.fromkeys(calls, 1.0), fixed=True)]
    return [Work(0.0, calls)]


def _stays(way: Way, leads: Mapping[int, str], pools: set[str]) -> Iterator[tuple[str, ...]]:
    """The calls of each stay, of a way that is always the same; a stay in a pool is one call."""
    calls, place, last = [], -1, ""
    while True:
        place = int(way.probability[place].argmax())
        name = leads.get(way.stations[place], "")
        if name and (name != last or name not in pools):
            calls.append(name)
        if not name and calls:
            yield tuple(calls)
            calls = []
        last = name
        if place == len(way.stations) - 1:
            return


def _times(network: Network, layers: Layers, c: int) -> list[float]:
    """Residence times of a class; its waits are in proportion to those of the layers. [s]"""
    times, waits = [0.0] * len(network.stations), [0.0] * len(network.stations)
    way = Way.of(network, c)
    users = next(k for k, node in enumerate(layers.nodes) if node.name == f"{c}")

    def add(region: Region, at: int) -> None:
        node, residence = layers.nodes[at], layers.residence[at]
        for k in region.own:
            name, times[k] = network.station_names[k], network.demand[c][k]
            if not isinstance(network.stations[k], DelayStation):
                times[k] *= max(1.0, residence[name] / node.work[name])
        for inner in region.inner:
            pool = layers.place.get(f"{c}/{network.station_names[inner.wait]}", at)
            if pool != at:
                often = float(way.entries(inner.stations).sum())
                waits[inner.wait] = often * layers.waits[at][pool]
            add(inner, pool)

    add(regions(network, c), users)
    node, customers = layers.nodes[users], network.classes[c]
    whole = layers.held[node.name]
    if isinstance(customers, ClosedClass):
        whole = customers.population / layers.throughput[users] - customers.think_time
    waiting = max(0.0, whole - sum(times))
    total = sum(waits)
    if not total and waiting < whole:  # without waits all of it is at stations
        return [time * whole / sum(times) for time in times]
    part = waiting / total if total else 0.0
    return [time + part * wait for time, wait in zip(times, waits, strict=True)]


def _there(network: Network) -> list[int]:
    """Classes with customers who are ever at a station."""
    return [
        c
        for c, each in enumerate(network.classes)
        if any(network.demand[c])
        and (each.arrival_rate if isinstance(each, OpenClass) else each.population)
    ]


METHOD = Method("limited-layers", False, solve, why_not)
