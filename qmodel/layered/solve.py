"""The method of layers over flow-equivalent servers.

From the lowest layer up, each service with 1, 2 ... threads busy is a closed network of one class:
its processor, and the services it calls as pools of the throughputs that these have with 1, 2 ...
threads busy themselves (`population_shares`, `pool_queue`) [1], [2]. The users come last, each
group a network of its own. What is used by several callers each sees as its own server, slowed by
the others (`shared`), whose throughputs and residence times are from the round before [3]; so it
goes on until these stay. Where no resource has two callers, one round is enough, and it is nested
flow equivalence.

A call of a service with several entries is one of their mix; how long each caller's calls hold a
thread is kept apart. Who waits for a full pool of one caller sees how much that time varies; for a
pool of several it is taken as exponential.

References
----------
.. [1] J. A. Rolia and K. C. Sevcik, "The method of layers," IEEE Transactions on Software
   Engineering 21(8), 1995, pp. 689-700.
.. [2] K. M. Chandy, U. Herzog and L. Woo, "Parametric analysis of queuing networks," IBM Journal
   of Research and Development 19(1), 1975, pp. 36-42.
.. [3] G. Franks, T. Al-Omari, M. Woodside, O. Das and S. Derisavi, "Enhanced modeling and solution
   of layered queueing networks," IEEE Transactions on Software Engineering 35(2), 2009,
   pp. 148-161.
"""

from __future__ import annotations

from math import inf

import numpy as np
from scipy.special import gammaln

from qmodel.errors import InvalidInput, QmodelError
from qmodel.layered.holding import holding_scv
from qmodel.layered.nodes import Node, nodes_of
from qmodel.layered.shared import Other, all_together, shared
from qmodel.layered.solution import LayeredSolution, ServiceResult, UsersResult
from qmodel.model.layered_model import Layered
from qmodel.numerics.arrays import Array
from qmodel.solvers.limits.population_shares import Part, population_shares

#: A processor by its name, a node by its position.
Resource = str | int

#: Rounds at most, the change that ends them, and the part of a step that is taken.
ROUNDS, TOLERANCE, STEP = 200, 1e-6, 0.5
#: A pool or a processor this busy is full.
FULL = 0.9


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
        If ``model`` is no layered model.
    QmodelError
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
    return _Layers(model).solve(rounds)


class _Layers:
    """The state of the rounds: residence times, waits and throughputs of every caller."""

    def __init__(self, model: Layered) -> None:
        self.model = model
        self.nodes, self.steps = nodes_of(model)
        self.place = {entry: k for k, node in enumerate(self.nodes) for entry in node.entries}
        self.cores = {p.name: p.cores for p in model.processors}
        self.callers: dict[Resource, list[int]] = {}
        for k, node in enumerate(self.nodes):
            for key in _resources(node):
                self.callers.setdefault(key, []).append(k)
        count = len(self.nodes)
        self.rates: list[Array] = [np.ones(1)] * count
        self.scv = [1.0] * count
        self.found: list[tuple[list[Resource | None], list[Array]]] = [([], [])] * count
        #: Calls or interactions, and of one its residence time at each resource. [1/s], [s]
        self.throughput = [0.0] * count
        self.residence: list[dict[Resource, float]] = [{} for _ in self.nodes]
        #: Of one call to each node, and how many are busy there.
        self.waits: list[dict[int, float]] = [dict.fromkeys(n.callees, 0.0) for n in self.nodes]
        self.busy: list[Array] = [np.ones(1)] * count
        #: From acceptance to answer, of entries of nodes. [s]
        self.held: dict[str, float] = {}
        self.flow: dict[str, float] = {}
        self.crowds: dict[tuple[int, Resource], Array] = {}
        #: By how much a caller's calls to a pool of several are longer than all. [s]
        self.extra: list[dict[Resource, float]] = [{} for _ in self.nodes]

    def solve(self, rounds: int) -> LayeredSolution:
        """Rounds until nothing changes."""
        self._begin()
        moved, done = inf, 0
        several = any(len(each) > 1 for each in self.callers.values())
        for done in range(1, rounds + 1):
            moved = self._round(STEP if several and done > 1 else 1.0)
            if moved < TOLERANCE or not several:
                break
        if several and moved > 1e-3:
            raise QmodelError(f"layers: still changing by {moved:.1g} after {done} rounds")
        return self._solution(done, moved if several else 0.0)

    def _begin(self) -> None:
        """Throughputs at which no processor is overloaded, and no waits."""
        nodes = self.nodes
        for k in reversed(range(len(nodes))):
            self.residence[k] = dict.fromkeys(_resources(nodes[k]), 0.0)
            self._answer(k)
        users = [node for node in nodes if node.is_users]
        rates = [u.customers / (u.think + self.held[u.name] + 1e-12) for u in users]
        self._flows(rates)
        load: dict[str, float] = {}
        for k, node in enumerate(nodes):
            for name, time in node.work.items():
                if name is not None:
                    load[name] = load.get(name, 0.0) + self.throughput[k] * time
        slow = max([1.0, *(u / 0.9 / float(self.cores[name] or 1) for name, u in load.items())])
        self._flows([x / slow for x in rates])
        for k, node in enumerate(nodes):
            for key in self.residence[k]:
                at = node.calls_to(nodes[key], self.held) if isinstance(key, int) else 0.0
                self.residence[k][key] = at or node.work.get(key, 0.0)  # type: ignore[arg-type]

    def _flows(self, rates: list[float]) -> None:
        """Throughputs of all entries and nodes from those of the users. [1/s]"""
        flow = dict.fromkeys(self.steps, 0.0)
        names = [node.name for node in self.nodes if node.is_users]
        flow |= dict(zip(names, rates, strict=True))
        for service in (None, *self.model.layers()):
            for name in names if service is None else [e.name for e in service.entries]:
                for other, n in self.steps[name].calls.items():
                    flow[other] += n * flow[name]
        for k, node in enumerate(self.nodes):
            self.throughput[k] = sum(flow[name] for name in node.entries)
            node.mix(flow)
        self.flow = flow

    def _round(self, step: float) -> float:
        """All layers once, from below; then who is where, from above. The largest change."""
        before = [*self.throughput], [dict(each) for each in self.residence]
        for k in reversed(range(len(self.nodes))):
            self._alone(k)
        self._from_above(step)
        moved = [abs(new / old - 1.0) for new, old in zip(self.throughput, before[0], strict=True)]
        for now, then in zip(self.residence, before[1], strict=True):
            moved += [abs(now[r] / then[r] - 1.0) for r in now if then[r] > 1e-9]
        return max(moved)

    def _alone(self, k: int) -> None:
        """A node with 1, 2 ... customers at its resources, as the others are now."""
        node, most = self.nodes[k], self.nodes[k].customers
        populations = [most] if node.is_users else range(1, most + 1)
        keys: list[Resource | None] = []
        parts = []
        self.extra[k] = self._extra(k)
        delay = node.delay + sum(self.extra[k].values())
        if delay:
            size = np.arange(most + 1)
            keys.append(None)
            parts.append(Part(size * np.log(delay) - gammaln(size + 1)))
        for key in _resources(node):
            others = [o for o in self.callers[key] if o != k]
            keys.append(key)
            if isinstance(key, int):
                if not others:
                    rates = self.rates[key] / node.calls_to(self.nodes[key])
                    parts.append(Part.pool(rates[:most], self.scv[key], most))
                    continue
                rates = self.rates[key]
            else:
                rates = np.arange(1.0, (self.cores[key] or 1) + 1.0)
            related = any(o in node.below_only or k in self.nodes[o].below_only for o in others)
            logs = np.full((len(populations) if related else 1, most + 1), -np.inf)
            for row, there in enumerate(populations if related else [most]):
                seen = [self._other(o, key, k, there) for o in others]
                some, crowd = shared(self._work(k, key), there, rates, seen)
                logs[row, : there + 1] = some
            self.crowds[k, key] = crowd
            parts.append(Part(logs))
        self.rates[k], chances = population_shares(parts, populations)
        self.found[k] = keys, chances
        if not node.is_users:
            self.scv[k] = self._holding_scv(k)

    def _extra(self, k: int) -> dict[Resource, float]:
        """What a caller's calls take more than the mean of a pool, which all wait for alike. [s]

        Nothing if its own delays are no longer than what they take less.
        """
        node, extra = self.nodes[k], dict[Resource, float]()
        for t in node.callees:
            if len(self.callers[t]) > 1:
                called = self.nodes[t]
                mean = sum(w * self.held[name] for name, w in called.weights.items())
                extra[t] = node.calls_to(called, self.held) - node.calls_to(called) * mean
        return extra if node.is_users and node.delay + sum(extra.values()) > 0.0 else {}

    def _work(self, k: int, key: Resource) -> float:
        """Time at a processor [s]; or calls, counted in those of the mean length. [1]"""
        node = self.nodes[k]
        if not isinstance(key, int):
            return node.work[key]
        called = self.nodes[key]
        if key in self.extra[k]:
            return node.calls_to(called)
        mean = sum(w * self.held[name] for name, w in called.weights.items())
        return node.calls_to(called, self.held) / mean if mean else node.calls_to(called)

    def _other(self, o: int, key: Resource, k: int, size: int) -> Other:
        """Another caller of a resource, as it was in the last round, while ``size`` of k are busy.

        So many of a caller that calls k, and through which alone k is called, wait for k.
        """
        node = self.nodes[o]
        cycle = node.customers / self.throughput[o]
        away, customers = cycle - self.residence[o][key], node.customers
        if k in node.below_only and k in self.residence[o]:
            calls = node.calls_to(self.nodes[k])
            away -= self.residence[o][k] - calls * self.waits[o][k]
            customers = max(0, customers - size)
        inside = o in self.nodes[k].below_only
        return Other(customers, self._work(o, key), max(1e-6 * cycle, away), inside)

    def _holding_scv(self, k: int) -> float:
        """SCV of the time a thread is held, all threads busy."""
        node = self.nodes[k]
        keys, chances = self.found[k]
        speed = float(self.rates[k][-1])
        stretch: dict[Resource | None, float] = {None: 1.0}
        waits = {}
        for key, chance in zip(keys, chances, strict=True):
            if key is None:
                continue
            size = np.arange(chance.shape[1])
            time = float(chance[-1] @ size) / speed + self.extra[k].get(key, 0.0)
            if isinstance(key, int):
                over = np.maximum(0.0, size - self.nodes[key].customers)
                waits[key] = float(chance[-1] @ over) / speed / node.calls_to(self.nodes[key])
                time = max(0.0, time - waits[key] * node.calls_to(self.nodes[key]))
                stretch[key] = time / (node.calls_to(self.nodes[key], self.held) or 1.0)
            else:
                stretch[key] = time / node.work[key]
        calls = {}
        for name in node.calls:
            t = self.place[name]
            held = self.held[name] * stretch[t]
            calls[name] = waits[t] + held, self.scv[t] * (waits[t] ** 2 + held**2)
        return holding_scv(self.steps, node.weights, stretch, calls)

    def _from_above(self, step: float) -> None:
        """Who is where: the threads busy of each service, and what each caller waits for."""
        nodes, rates = self.nodes, []
        totals: list[list[tuple[float, Array]]] = [[] for _ in nodes]
        busy: Array
        for k, node in enumerate(nodes):
            busy = np.array([0.0, 1.0]) if node.is_users else _mixed(totals[k], node.customers)
            self.busy[k] = busy
            speed = float(busy[1:] @ self.rates[k])
            if node.is_users:
                rates.append(speed)
            for key, chance in zip(*self.found[k], strict=True):
                if key is None:
                    continue
                number = busy[1:] @ chance
                number[0] += busy[0]
                here = float(number @ np.arange(len(number)))
                old = self.residence[k][key]
                time = here / speed + self.extra[k].get(key, 0.0)
                self.residence[k][key] = old + step * (time - old)
                if isinstance(key, int):
                    there: Array = number
                    part = 1.0
                    if (k, key) in self.crowds:
                        there = all_together(number, self.crowds[k, key])
                        part = here / max(1e-300, float(there @ np.arange(len(there))))
                    calls = node.calls_to(nodes[key])
                    totals[key].append((self.throughput[k] * calls, there))
                    over = np.maximum(0.0, np.arange(len(there)) - nodes[key].customers)
                    self.waits[k][key] = float(there @ over) * part / speed / calls
        last = self.throughput[: len(rates)]
        self._flows([x + step * (y - x) for x, y in zip(last, rates, strict=True)])
        for k in reversed(range(len(nodes))):
            self._answer(k)

    def _answer(self, k: int) -> None:
        """The times from acceptance to answer of a node's entries."""
        for name in self.nodes[k].entries:
            self.held[name] = self._time(name, k)

    def _time(self, name: str, k: int) -> float:
        """The same of a step within a node. [s]"""
        step, node = self.steps[name], self.nodes[k]
        time = step.demand
        if step.processor is not None and step.demand:
            time *= (self.residence[k][step.processor] / node.work[step.processor]) or 1.0
        for other, n in step.calls.items():
            t = self.place.get(other)
            each = self._time(other, k) if t is None else self.waits[k][t] + self.held[other]
            time += n * each
        return time

    def _solution(self, done: int, moved: float) -> LayeredSolution:
        users, services, processors = {}, {}, dict.fromkeys(self.cores, 0.0)
        times = self._times()
        for u in self.model.users:
            x = self.flow[u.name]
            users[u.name] = UsersResult(x, u.population / x - u.think_time)
        pools = {node.name: k for k, node in enumerate(self.nodes)}
        for s in self.model.layers():
            x = sum(self.flow[e.name] for e in s.entries)
            held, wait = sum(self.flow[e.name] * times[e.name] for e in s.entries) / x, 0.0
            if s.processor is not None:
                speed = next(p.speed for p in self.model.processors if p.name == s.processor)
                need = sum(self.flow[e.name] * e.demand for e in s.entries) / speed
                processors[s.processor] += need / (self.cores[s.processor] or 1)
            if s.name in pools:
                k = pools[s.name]
                held = float(self.busy[k] @ np.arange(len(self.busy[k]))) / x
                wait = sum(
                    self.throughput[o] * self.nodes[o].calls_to(self.nodes[k]) * self.waits[o][k]
                    for o in self.callers[k]
                ) / x  # fmt: skip
            used = x * held / s.threads if s.threads else 0.0
            services[s.name] = ServiceResult(x, wait, held, x * held, used)
        entries = {e.name: (self.flow[e.name], times[e.name])
                   for s in self.model.services for e in s.entries}  # fmt: skip
        lowest = self._bottleneck(services, processors)
        return LayeredSolution(users, services, processors, entries, lowest, done, moved)

    def _times(self) -> dict[str, float]:
        """From acceptance to answer of all entries, over all who call them. [s]"""
        sums = dict.fromkeys(self.steps, 0.0)

        def add(name: str, flow: float, k: int) -> None:
            sums[name] += flow * self._time(name, k)
            for other, n in self.steps[name].calls.items():
                if other not in self.place:
                    add(other, n * flow, k)

        for k, node in enumerate(self.nodes):
            for name in node.entries:
                add(name, self.flow[name], k)
        return {name: total / self.flow[name] for name, total in sums.items() if self.flow[name]}

    def _bottleneck(
        self, services: dict[str, ServiceResult], processors: dict[str, float]
    ) -> str | None:
        """The lowest of what is full; else what is busiest.

        A full pool above idle hardware is a software bottleneck: all above it fills up because of
        it, nothing below.
        """
        load = {name: s.utilization for name, s in services.items()}
        load |= {name: u for name, u in processors.items() if self.cores[name] is not None}
        full = [name for name in (*services, *processors) if load.get(name, 0.0) >= FULL]
        return full[-1] if full else max(load, key=load.__getitem__, default=None)


def _resources(node: Node) -> list[Resource]:
    """The processors where a node queues, and the nodes it calls."""
    return [*(name for name in node.work if name is not None), *node.callees]


def _mixed(views: list[tuple[float, Array]], most: int) -> Array:
    """Probabilities of 0, 1 ... busy threads, from how each caller sees all who are there."""
    busy = np.zeros(most + 1)
    share = sum(weight for weight, _ in views)
    for weight, chance in views:
        size = min(len(chance), most + 1)
        busy[:size] += weight / share * chance[:size]
        busy[most] += weight / share * chance[size:].sum()
    return busy
