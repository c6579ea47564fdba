"""A layered model for the engine: a network of processors, threads as limits; see THEORY.md."""

from math import inf

import numpy as np

from qmodel.errors import NotApplicable
from qmodel.model.customer_classes import ClosedClass, CustomerClass, OpenClass
from qmodel.model.layered_model import Layered
from qmodel.model.network import Network
from qmodel.model.population_limits import PopulationLimit
from qmodel.model.stations import DelayStation, QueueingStation, Station
from qmodel.simulation.layout import Layout, layout
from qmodel.simulation.random_times import Times
from qmodel.solvers.layered.call_tree import END, KEEPER, NOTHING, WITH_THREAD, CallTree, Place
from qmodel.solvers.layered.replicas import spread

#: The station of times that nothing waits for, and the time of a slice that takes none. [s]
ELSEWHERE, NO_TIME = "elsewhere", 1e-12
DISCIPLINES = {"ps": "ps", "fcfs": "fcfs", "priority": "preemptive"}


def layered_layout(model: Layered) -> tuple[Network, Layout]:
    """The network of processors and threads, and its layout by the calls."""
    model = spread(model)
    trees = [CallTree(model, u) for u in range(len(model.users))]
    stations: list[Station] = [
        DelayStation(p.name)
        if p.cores is None
        else QueueingStation(p.name, p.cores, DISCIPLINES[p.discipline])
        for p in model.processors
    ]
    stations.append(DelayStation(ELSEWHERE))
    names = [station.name for station in stations]
    demand, visits = ([[0.0] * len(stations) for _ in trees] for _ in range(2))
    for c, tree in enumerate(trees):
        for place, times in zip(tree.places, visits_of(tree), strict=True):
            k = names.index(place.processor or ELSEWHERE)
            visits[c][k] += times
            demand[c][k] += times * max(place.time, NO_TIME)
    everybody = sum(users.population or inf for users in model.users)
    if any(place.beside for tree in trees for place in tree.places):
        everybody = inf
    limits = [
        PopulationLimit(
            f"{s.name} threads",
            s.threads,
            tuple(dict.fromkeys(
                place.processor or ELSEWHERE
                for tree in trees for place in tree.places if s.name in place.held
            )),
            held="visit",
        )
        for s in model.layers() if s.threads is not None and s.threads < everybody
    ]  # fmt: skip
    if len(limits) > 60:
        raise NotApplicable(f"simulation: {len(limits)} pools of threads, at most 60")
    classes: list[CustomerClass] = [
        ClosedClass(u.name, u.population, u.think_time)
        if u.population
        else OpenClass(u.name, u.arrival_rate or 0.0)
        for u in model.users
    ]
    ranks = sorted({0, *(-s.priority for s in model.services)})
    network = Network(stations, classes, demand, visit_ratio=visits, limits=limits)
    bits = {limit.name.removesuffix(" threads"): 1 << i for i, limit in enumerate(limits)}
    plan = layout(network)
    rows: list[Times | None] = [*plan.rows]
    alike: dict[tuple[int, Place], int] = {}  # one stream for a class's equal slices
    fields = dict(plan.fields)
    for name in ("station_of", "outside", "asks", "keeps", "service_row", "route_row", "rank",
                 "beside", "line", "taken"):  # fmt: skip
        fields[name] = []
    by_rank = {p.name for p in model.processors if p.discipline == "priority"}
    ways = []
    for c, tree in enumerate(trees):
        first = len(fields["station_of"])
        outside = first + len(tree.places)
        for place, leading in zip(tree.places, tree.ways, strict=True):
            held = sum(bits.get(name, 0) for name in place.held)
            fields["station_of"].append(names.index(place.processor or ELSEWHERE))
            fields["asks"].append(held)
            fields["keeps"].append(held)
            level = ranks.index(-place.priority) if place.processor in by_rank else 0
            fields["rank"].append(level)
            fields["beside"].append(place.beside)
            fields["line"].append(first + place.line)
            fields["taken"].append(
                bits.get(place.held[-1], 0) if place.beside in {WITH_THREAD, KEEPER} else 0
            )
            same = c, place._replace(held=place.held[-1:], beside=NOTHING, line=-1)
            if same not in alike:
                alike[same] = len(rows)
                rows.append(Times(max(place.time, NO_TIME), 1.0))
            fields["service_row"].append(alike[same])
            ways.append([(outside if j == END else first + j, p) for j, p in leading])
        fields["station_of"].append(len(network.stations))
        for name in ("asks", "keeps", "rank", "beside", "line", "taken"):
            fields[name].append(0)
        fields["service_row"].append(-1)
        fields["outside"].append(outside)
        ways.append([(first + tree.first, 1.0)])
        fields["route_row"].append(len(rows))
        rows.append(None)
    fields["most"] = [limit.customers for limit in limits]
    fields["rejects"] = [0] * len(limits)
    fields["limit_station"] = [network.station_names.index(limit.name) for limit in limits]
    return network, Layout(fields, plan.speeds, ways, rows)


def visits_of(tree: CallTree) -> list[float]:
    """Mean visits of each place in an interaction."""
    size = len(tree.places)
    left = np.eye(size)
    for i, leading in enumerate(tree.ways):
        if tree.places[i].line >= 0:
            left[tree.places[i].line, i] -= 1.0
        for j, p in leading:
            if j != END:
                left[j, i] -= p
    found: list[float] = np.linalg.solve(left, np.eye(size)[tree.first]).tolist()
    return found
