"""The door of the method of layers: a layered model in, its solution out."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from qmodel.errors import InvalidInput
from qmodel.model.layered_model import Layered
from qmodel.model.layered_steps import works_of
from qmodel.model.validation import integer
from qmodel.solvers.layered.replicas import copy_of, spread
from qmodel.solvers.layered.rounds import ROUNDS, Layers
from qmodel.solvers.layered.seen_network import SeenNetwork
from qmodel.solvers.layered.solution import LayeredSolution, ServiceResult, UsersResult

#: A pool or a processor this busy is full.
FULL = 0.9
#: A pool that is full so often, with callers who are elsewhere for such a part of their time there.
OFTEN, HARDLY = 0.15, 0.1
#: A pool that is full this seldom is left out: a part of who calls it, as one of any size.
IDLE = 0.003


def solve_layers(model: Layered, rounds: int = ROUNDS) -> LayeredSolution:
    """Solve a layered model in steady state, approximately.

    Parameters
    ----------
    model : Layered
        What to solve.
    rounds : int
        Over all layers, at most.

    Raises
    ------
    InvalidInput
        If ``model`` is no layered model, or there is no round.
    Unstable
        If more arrives from outside than a processor or a pool can do.
    NotApplicable
        If throughputs still change after so many rounds.

    Examples
    --------
    >>> from qmodel import Entry, Processor, Service, Users
    >>> web = Service("web", [Entry("page", 0.020, {"query": 2})], threads=8, processor="app")
    >>> pool = Service("connections", [Entry("query", 0.015)], threads=2, processor="db")
    >>> found = solve_layers(Layered([Users("clients", 60, 1.0, {"page": 1})], [web, pool],
    ...                              [Processor("app", 4), Processor("db", 4)]))
    >>> found.bottleneck, round(found.services["connections"].utilization, 2)
    ('connections', 0.82)
    """
    if not isinstance(model, Layered):
        raise InvalidInput(f"{model!r} is not a layered model, expected a qmodel.Layered")
    rounds = integer(rounds, "number of rounds", 1, error=InvalidInput)
    layers, done, moved = solved(spread(model), rounds)
    users, services = _users(layers), _services(layers)
    load = layers.loads()
    processors = {p.name: 0.0 for p in layers.model.processors}
    for queue, busy in load.items():
        processors[layers.at.level[queue][0]] += busy
    for service in layers.model.services:
        at = next((p for p in layers.model.processors if p.name == service.processor), None)
        if at is not None and at.cores is None:
            need = sum(layers.flow[e.name] * e.demand for e in service.entries)
            processors[at.name] += need / at.speed
    times = _times(layers)
    entries = {e.name: (layers.flow[e.name], times[e.name])
               for s in layers.model.services for e in s.entries}  # fmt: skip
    for s in model.services:
        if s.replicas > 1:  # all copies are alike
            first = services.pop(copy_of(s.name, 0))
            x, busy = s.replicas * first.throughput, s.replicas * first.busy_threads
            services[s.name] = replace(first, throughput=x, busy_threads=busy)
            for e in s.entries:
                entries[e.name] = s.replicas * entries[copy_of(e.name, 0)][0], times[e.name]
            processors[s.processor or ""] = processors[copy_of(s.processor or "", 0)]
    order = [s.name for s in model.layers()]
    services = {name: services[name] for name in order}
    processors = {p.name: processors[p.name] for p in model.processors}
    entries = {e.name: entries[e.name] for s in model.services for e in s.entries}
    copies = {s.processor: s.replicas for s in model.services}
    busy_cores = {p.name: copies.get(p.name, 1) * (p.cores or 1) * processors[p.name]
                  for p in model.processors}  # fmt: skip
    limited = {p.name for p in model.processors if p.cores is not None}
    used = {name: s.utilization for name, s in services.items()}
    used |= {name: busy for name, busy in processors.items() if name in limited}
    found = users, services, processors, busy_cores, entries, _bottleneck(used)
    seen = SeenNetwork.of(layers)
    return LayeredSolution(*found, (*_notes(model), *_doubts(layers)), done, moved, seen)


def solved(model: Layered, rounds: int = ROUNDS) -> tuple[Layers, int, float]:
    """The layers of a model without replicas, how many rounds they took, and the last change."""
    # Services that hold a thread for no time, so that they are never full.
    timeless: set[str] = set()
    for s in reversed(model.layers()):
        works = [work for e in s.entries for _, work in works_of(e.steps)]
        called = {model.service_of(name).name for work in works for name, _ in work.calls}
        if called <= timeless and not any(work.demand or work.think for work in works):
            timeless.add(s.name)
    layers = Layers(model, timeless)
    done, moved = layers.solve(rounds)
    idle = {node.name for k, node in enumerate(layers.nodes)
            if node.kind == "service" and not node.overlaps
            and layers.busy[k][-1] < IDLE}  # fmt: skip
    if idle:
        layers = Layers(layers.model, idle | timeless)
        done, moved = layers.solve(rounds)
    return layers, done, moved


def _users(layers: Layers) -> dict[str, UsersResult]:
    found = {}
    for k, node in enumerate(layers.nodes):
        if node.name in layers.flow and node.kind != "service":
            x = layers.throughput[k]
            time = layers.held[node.name]
            if node.kind == "users" and not node.overlaps:
                time = node.customers / x - node.think
            found[node.name] = UsersResult(x, time)
    return {u.name: found[u.name] for u in layers.model.users}


def _services(layers: Layers) -> dict[str, ServiceResult]:
    found = {}
    times = _times(layers, end=True)
    pools = {node.name: k for k, node in enumerate(layers.nodes)}
    for s in layers.model.services:
        x = sum(layers.flow[e.name] for e in s.entries)
        held, wait = sum(layers.flow[e.name] * times[e.name] for e in s.entries) / x, 0.0
        if s.name in pools:
            k = pools[s.name]
            held = float(layers.busy[k] @ np.arange(len(layers.busy[k]))) / x
            calls = {o: layers.nodes[o].calls_to(layers.nodes[k]) for o in layers.callers[k]}
            wait = sum(layers.throughput[o] * n * layers.waits[o][k] for o, n in calls.items()) / x
        used = x * held / s.threads if s.threads else 0.0
        found[s.name] = ServiceResult(x, wait, held, x * held, used)
    return found


def _times(layers: Layers, end: bool = False) -> dict[str, float]:
    """From acceptance to the answer of all entries, or to the end, over all who call them. [s]"""
    sums = dict.fromkeys(layers.does, 0.0)
    for k, node in enumerate(layers.nodes):
        times = layers.durations(k)
        left = [(name, layers.flow[name]) for name in node.entries]
        while left:
            name, flow = left.pop()
            sums[name] += flow * times.of(name)[end].mean
            left += [(other, n * flow) for other, n in layers.calls[name].items()
                     if other not in layers.place]  # fmt: skip
    return {name: sums[name] / flow if flow else 0.0 for name, flow in layers.flow.items()}


def _bottleneck(load: dict[str, float]) -> str | None:
    """The lowest of what is full; else what is busiest.

    A full pool above idle hardware is a software bottleneck: all above it fills up because of
    it, nothing below.
    """
    full = [name for name, busy in load.items() if busy >= FULL]
    return full[-1] if full else max(load, key=load.__getitem__, default=None)


def _doubts(layers: Layers) -> Iterator[str]:
    """Which models it is like, where pools have several callers; of seeds 28, 301 and 302."""
    for t, callers in layers.callers.items():
        if isinstance(t, int) and len(callers) > 1:
            name = layers.nodes[t].name
            held = [(o, layers.nodes[o].calls_to(layers.nodes[t], layers.held)
                     / layers.nodes[o].calls_to(layers.nodes[t]) / layers.mean_held(t))
                    for o in callers if layers.nodes[o].kind == "users"]  # fmt: skip
            if layers.busy[t][-1] > OFTEN and any(
                not 0.5 < longer < 2.0 and layers.nodes[o].customers / layers.throughput[o]
                < (1.0 + HARDLY) * layers.residence[o][t]
                for o, longer in held
            ):  # fmt: skip
                yield f"{name}: callers who hold it for other times and are hardly elsewhere, rough"
            elif any(layers.nodes[o].kind == "service" for o in callers):
                yield f"{name} is shared by services: of 56 like it, 95 % within 9 % of simulation"


def _notes(model: Layered) -> tuple[str, ...]:
    """What is solved as something else."""
    return tuple(
        f"{p.name} serves in order of arrival: solved as if shared equally"
        for p in model.processors
        if p.discipline == "fcfs" and p.cores is not None
    )
