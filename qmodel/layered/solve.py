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
from qmodel.layered.model import Layered
from qmodel.layered.nodes import Node, nodes_of
from qmodel.layered.shared import Other, shared
from qmodel.layered.solution import LayeredSolution, ServiceResult, UsersResult
from qmodel.numerics.arrays import Array
from qmodel.solvers.limits.population_shares import Part, population_shares

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
    ('connections', 0.83)
    """
    if not isinstance(model, Layered):
        raise InvalidInput(f"{model!r} is not a layered model, expected a qmodel.Layered")
    return _Layers(model).solve(rounds)


class _Layers:
    """The state of the rounds: residence times, waits and throughputs of every caller."""

    def __init__(self, model: Layered) -> None:
        self.model = model
        self.nodes = nodes_of(model)
        self.cores = {p.name: p.cores for p in model.processors}
        self.callers: dict[object, list[int]] = {}
        for k, node in enumerate(self.nodes):
            for key in self._resources(node):
                self.callers.setdefault(key, []).append(k)
        self.rates: list[Array] = [np.ones(1)] * len(self.nodes)
        self.scv = [1.0] * len(self.nodes)
        self.found: list[tuple[list[object], Array, list[Array]]] = []
        #: Throughputs, and residence times of one call at each resource. [1/s], [s]
        self.throughput = [0.0] * len(self.nodes)
        self.residence: list[dict[object, float]] = [{} for _ in self.nodes]
        self.waits: list[dict[int, float]] = [{} for _ in self.nodes]
        self.busy: list[Array] = [np.ones(1)] * len(self.nodes)
        self.held: dict[str, float] = {}
        self.crowds: dict[tuple[int, object], Array] = {}

    def _resources(self, node: Node) -> list[object]:
        """The processor where a node queues, and the services it calls."""
        found: list[object] = [*node.callees]
        return [node.processor, *found] if self.queues(node) else found

    def queues(self, node: Node) -> bool:
        """Whether a node waits for a processor."""
        return bool(node.demand) and self.cores.get(node.processor or "") is not None

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
        for node in nodes:
            for entry in node.entries:
                self.held[entry.name] = entry.demand
        for k in reversed(range(len(nodes))):
            for entry in nodes[k].entries:
                self.held[entry.name] += sum(n * self.held[f] for f, n in entry.calls.items())
            self.residence[k] = dict.fromkeys(self._resources(nodes[k]), nodes[k].demand)
        rates = [u.customers / (u.think + self.held[u.entries[0].name] + 1e-12)
                 for u in nodes if u.is_users]  # fmt: skip
        self._flows(rates)
        load: dict[str, float] = {}
        for k, node in enumerate(nodes):
            if self.queues(node):
                name = str(node.processor)
                share = self.throughput[k] * node.demand / float(self.cores[name] or 1)
                load[name] = load.get(name, 0.0) + share
        slow = max([1.0, *(u / 0.9 for u in load.values())])
        self._flows([x / slow for x in rates])
        for k, node in enumerate(nodes):
            for t in node.callees:
                self.residence[k][t] = node.calls_to(nodes[t], self.held)

    def _flows(self, rates: list[float]) -> None:
        """Throughputs of all entries and nodes from those of the users. [1/s]"""
        flow: dict[str, float] = {}
        for k, node in enumerate(self.nodes):
            if node.is_users:
                flow[node.entries[0].name] = rates[k]
            self.throughput[k] = sum(flow.get(e.name, 0.0) for e in node.entries)
            node.mix({e.name: flow.get(e.name, 0.0) for e in node.entries})
            for entry in node.entries:
                for name, n in entry.calls.items():
                    flow[name] = flow.get(name, 0.0) + n * flow.get(entry.name, 0.0)
        self.flow = flow

    def _round(self, step: float) -> float:
        """All layers once, from below; then who is where, from above. The largest change."""
        before = [*self.throughput], [dict(each) for each in self.residence]
        self.found = [([], np.zeros(0), [])] * len(self.nodes)
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
        keys: list[object] = []
        parts = []
        delay = node.think + (0.0 if self.queues(node) else node.demand)
        if delay:
            size = np.arange(most + 1)
            keys.append(None)
            parts.append(Part(size * np.log(delay) - gammaln(size + 1)))
        for key in self._resources(node):
            others = [self._other(o, key, k) for o in self.callers[key] if o != k]
            keys.append(key)
            if isinstance(key, int) and not others:
                rates = self.rates[key] / node.number(self.nodes[key])
                parts.append(Part.pool(rates[:most], self.scv[key], most))
                continue
            if isinstance(key, int):
                work, rates = self._work(k, key), self.rates[key]
            else:
                work, rates = node.demand, np.arange(1.0, (self.cores[str(key)] or 1) + 1.0)
            logs, self.crowds[k, key] = shared(work, most, rates, others)
            parts.append(Part(logs))
        throughput, chances = population_shares(parts, populations)
        self.rates[k] = throughput
        self.found[k] = keys, throughput, chances
        if not node.is_users:
            self.scv[k] = self._holding_scv(k)

    def _work(self, k: int, t: int) -> float:
        """Calls of one of k to t, in those of the mean length. [1]"""
        node, called = self.nodes[k], self.nodes[t]
        mean = sum(
            w * self.held[e.name] for w, e in zip(called.weights, called.entries, strict=True)
        )
        return node.calls_to(called, self.held) / mean if mean else node.number(called)

    def _other(self, o: int, key: object, k: int) -> Other:
        """Another caller of a resource, as it was in the last round."""
        node = self.nodes[o]
        work = self._work(o, key) if isinstance(key, int) else node.demand
        cycle = node.customers / self.throughput[o]
        away = max(1e-6 * cycle, cycle - self.residence[o][key])
        waits = self.nodes[k].name in node.below_only or node.name in self.nodes[k].below_only
        return Other(node.customers, work, away, waits)

    def _holding_scv(self, k: int) -> float:
        """SCV of the time a thread is held, all threads busy."""
        node = self.nodes[k]
        keys, throughput, chances = self.found[k]
        speed = float(throughput[-1])
        times: dict[object, float] = {None: 0.0 if self.queues(node) else node.demand}
        waits, inside = {}, {}
        for key, chance in zip(keys, chances, strict=True):
            size = np.arange(chance.shape[1])
            if key is not None:
                times[key] = float(chance[-1] @ size) / speed
            if isinstance(key, int):
                over = np.maximum(0.0, size - self.nodes[key].customers)
                calls = node.number(self.nodes[key])
                waits[key] = float(chance[-1] @ over) / speed / calls
                usual = node.calls_to(self.nodes[key], self.held) / calls
                inside[key] = max(0.0, times[key] / calls - waits[key]) / usual if usual else 0.0
        own = times[node.processor if self.queues(node) else None]
        first = second = 0.0
        for weight, entry in zip(node.weights, node.entries, strict=True):
            count = sum(entry.calls.values())
            slice_ = own * (entry.demand / node.demand if node.demand else 0.0) / (1.0 + count)
            mean = within = square = 0.0  # of all calls
            for name, n in entry.calls.items():
                t = node.callee_of[name]
                wait, held = waits[t], self.held[name] * inside[t]
                mean += n * (wait + held)
                within += n * self.scv[t] * (wait**2 + held**2)
                square += n * (wait + held) ** 2
            total = (1.0 + count) * slice_ + mean
            if not count:
                variance = slice_**2
            elif entry.fixed:
                variance = (1.0 + count) * slice_**2 + within
            else:
                each = mean / count
                variance = (1.0 + count) * slice_**2 + within + square - count * each**2
                variance += count * (1.0 + count) * (slice_ + each) ** 2
            first += weight * total
            second += weight * (variance + total**2)
        return max(0.0, second / first**2 - 1.0) if first else 1.0

    def _from_above(self, step: float) -> None:
        """Who is where: the threads busy of each service, and what each caller waits for."""
        nodes = self.nodes
        there: Array
        totals: list[list[tuple[float, Array]]] = [[] for _ in nodes]
        rates = []
        for k, node in enumerate(nodes):
            if node.is_users:
                busy = np.array([0.0, 1.0])
            else:
                share = sum(w for w, _ in totals[k])
                size = max(len(p) for _, p in totals[k])
                there = np.zeros(size)
                for w, p in totals[k]:
                    there[: len(p)] += w / share * p
                busy = np.append(there[: node.customers], there[node.customers :].sum())
                busy = np.pad(busy, (0, node.customers + 1 - len(busy)))
            self.busy[k] = busy
            keys, throughput, chances = self.found[k]
            speed = float(busy[1:] @ throughput)
            if node.is_users:
                rates.append(speed)
            for key, chance in zip(keys, chances, strict=True):
                if key is None:
                    continue
                number = busy[1:] @ chance
                number[0] += busy[0]
                here = float(number @ np.arange(len(number)))
                old = self.residence[k][key]
                self.residence[k][key] = old + step * (here / speed - old)
                if isinstance(key, int):
                    there = number
                    if (k, key) in self.crowds:
                        there = _all_together(number, self.crowds[k, key])
                    totals[key].append((self.throughput[k] * node.number(nodes[key]), there))
                    over = np.maximum(0.0, np.arange(len(there)) - nodes[key].customers)
                    part = 1.0 if len(there) == len(number) else here / max(
                        1e-300, float(there @ np.arange(len(there)))
                    )  # fmt: skip
                    calls = speed * node.number(nodes[key])
                    self.waits[k][key] = float(there @ over) * part / calls
        last = self.throughput[: len(rates)]
        self._flows([x + step * (y - x) for x, y in zip(last, rates, strict=True)])
        for k in reversed(range(len(nodes))):
            node = nodes[k]
            own = self.residence[k][node.processor] if self.queues(node) else node.demand
            for entry in node.entries:
                stretch = own / node.demand if node.demand else 0.0
                self.held[entry.name] = entry.demand * stretch + sum(
                    n * (self.waits[k][node.callee_of[f]] + self.held[f])
                    for f, n in entry.calls.items()
                )

    def _solution(self, done: int, moved: float) -> LayeredSolution:
        users, services, processors = {}, {}, dict.fromkeys(self.cores, 0.0)
        for k, node in enumerate(self.nodes):
            x = self.throughput[k]
            if node.processor is not None:
                processors[node.processor] += x * node.demand / (self.cores[node.processor] or 1)
            if node.is_users:
                users[node.name] = UsersResult(x, node.customers / x - node.think)
                continue
            calls = [(self.throughput[o] * self.nodes[o].number(node), self.waits[o][k])
                     for o in self.callers[k]]  # fmt: skip
            busy = float(self.busy[k] @ np.arange(len(self.busy[k])))
            wait = sum(n * w for n, w in calls) / sum(n for n, _ in calls)
            part = busy / node.threads if node.threads else 0.0
            services[node.name] = ServiceResult(x, wait, busy / x, busy, part)
        entries = {
            e.name: (self.flow[e.name], self.held[e.name])
            for node in self.nodes if not node.is_users for e in node.entries
        }  # fmt: skip
        lowest = self._bottleneck(services, processors)
        return LayeredSolution(users, services, processors, entries, lowest, done, moved)

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


def _all_together(number: Array, crowd: Array) -> Array:
    """Probabilities of all who are there, from those of one caller and the others' given its."""
    there = np.zeros(crowd.shape[0] + crowd.shape[1] - 1)
    for n, chance in enumerate(number):
        there[n : n + crowd.shape[1]] += chance * crowd[n]
    return there
