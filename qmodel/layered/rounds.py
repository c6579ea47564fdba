"""The method of layers over flow-equivalent servers.

From the lowest layer up, each service with 1, 2 ... threads busy is a closed network of one class:
its processor, and the services it calls as pools of the throughputs that these have with 1, 2 ...
threads busy themselves (`population_shares`, `pool_queue`) [1], [2]. The users come last, each
group a network of its own. What is used by several callers each sees as its own server, slowed by
the others (`shared`), whose throughputs and residence times are from the round before [3]; so it
goes on until these stay. Where no resource has two callers, one round is enough, and it is nested
flow equivalence.

Calls that no one waits for, and users who arrive from outside, are streams: Poisson arrivals, of
which any number may be at a resource. What is done after the answer or at the same time as
something else keeps a resource busy while the customer is elsewhere: of n customers, n + X times
the time of that are there (Little's law), between whole numbers by interpolation.

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

from collections.abc import Mapping
from math import ceil, inf, log

import numpy as np
from scipy.special import gammaln

from qmodel.errors import QmodelError, Unstable
from qmodel.layered.durations import Durations, Span
from qmodel.layered.nodes import Node, nodes_of, sent_to
from qmodel.layered.processors import FOLLOWED, Processors
from qmodel.layered.shared import Other, all_together, shared
from qmodel.model.layered_model import Layered
from qmodel.numerics.arrays import Array
from qmodel.solvers.limits.pool_queue import closed_pool
from qmodel.solvers.limits.population_shares import Part, population_shares

#: A processor by its name, a node by its position.
Resource = str | int

#: Rounds at most, the change that ends them, and the part of a step that is taken.
ROUNDS, TOLERANCE, STEP = 200, 1e-6, 0.5
#: Customers of a stream are followed up to where more are this unlikely, or to `FOLLOWED`.
UNLIKELY = 1e-8


class Layers:
    """The state of the rounds: residence times, waits and throughputs of every caller."""

    def __init__(self, model: Layered) -> None:
        self.model = model
        self.nodes, self.does = nodes_of(model)
        self.calls = {name: each.mean("calls") for name, each in self.does.items()}
        self.sends = {name: each.mean("sends") for name, each in self.does.items()}
        self.place = {entry: k for k, node in enumerate(self.nodes) for entry in node.entries}
        self.at = Processors(model)
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
        #: To the end and to the answer, of entries of nodes. [s]
        self.held: dict[str, float] = {}
        self.answer: dict[str, float] = {}
        #: Part of the time at resources that is no part of how long a customer is away. [1]
        self.overlap = [0.0] * count
        self.flow: dict[str, float] = {}
        self.crowds: dict[tuple[int, Resource], Array] = {}
        #: By how much a caller's calls to a pool of several are longer than all. [s]
        self.extra: list[dict[Resource, float]] = [{} for _ in self.nodes]

    def solve(self, rounds: int) -> tuple[int, float]:
        """Rounds until nothing changes: how many, and the last change."""
        self._begin()
        moved, done = inf, 0
        several = any(len(each) > 1 for each in self.callers.values())
        several |= any(node.overlaps for node in self.nodes) or bool(self.at.above)
        for done in range(1, rounds + 1):
            moved = self._round(STEP if several and done > 1 else 1.0)
            if moved < TOLERANCE or not several:
                break
        if several and moved > 1e-3:
            raise QmodelError(f"layers: still changing by {moved:.1g} after {done} rounds")
        return done, moved if several else 0.0

    def _begin(self) -> None:
        """Throughputs at which no processor is overloaded, and no waits."""
        nodes = self.nodes
        for k in reversed(range(len(nodes))):
            self.residence[k] = dict.fromkeys(_resources(nodes[k]), 0.0)
            self._answer(k)
        closed = {node.name: node for node in nodes if node.kind == "users"}
        self._flows(dict.fromkeys(closed, 0.0))
        load = self.loads()
        for name, busy in load.items():
            if busy >= 1.0:
                what = f"processor {self.at.level[name][0]!r}"
                raise Unstable(f"{what} would be {100 * busy:.4g} % busy with what arrives alone")
        rates = {
            name: u.customers / (u.think + self.held[name] + 1e-12) for name, u in closed.items()
        }
        self._flows(rates)
        slow = 1.0
        for name, busy in self.loads().items():
            slow = max(slow, (busy - load[name]) / (0.9 * (1.0 - load[name])))
        self._flows({name: x / slow for name, x in rates.items()})
        for k, node in enumerate(nodes):
            for key in self.residence[k]:
                at = node.calls_to(nodes[key], self.held) if isinstance(key, int) else 0.0
                self.residence[k][key] = at or node.work.get(key, 0.0)  # type: ignore[arg-type]

    def loads(self) -> dict[str, float]:
        """Utilization of each core by each queue, at these throughputs. [1]"""
        return self.at.loads([node.work for node in self.nodes], self.throughput)

    def _flows(self, rates: dict[str, float]) -> None:
        """Throughputs of all entries and nodes from those of the closed users. [1/s]"""
        flow = dict.fromkeys(self.does, 0.0)
        flow |= {u.name: u.arrival_rate for u in self.model.users if u.arrival_rate} | rates
        names = [u.name for u in self.model.users]
        for service in (None, *self.model.layers()):
            for name in names if service is None else [e.name for e in service.entries]:
                for other, n in self.calls[name].items():
                    flow[other] += n * flow[name]
                for other, n in self.sends[name].items():
                    flow[other] += n * flow[name]
                    flow[sent_to(other)] += n * flow[name]
        for k, node in enumerate(self.nodes):
            self.throughput[k] = sum(flow[name] for name in node.entries)
            node.mix(flow)
        self.flow = flow

    def _round(self, step: float) -> float:
        """All layers once, from below; then who is where, from above. The largest change."""
        before = [*self.throughput], [dict(each) for each in self.residence]
        for k in reversed(range(len(self.nodes))):
            (self._stream if self.nodes[k].kind == "stream" else self._alone)(k)
        self._from_above(step)
        moved = [abs(new / old - 1.0) for new, old in zip(self.throughput, before[0], strict=True)]
        for now, then in zip(self.residence, before[1], strict=True):
            moved += [abs(now[r] / then[r] - 1.0) for r in now if then[r] > 1e-9]
        return max(moved)

    def _alone(self, k: int) -> None:
        """A node with 1, 2 ... customers at its resources, as the others are now."""
        node, most = self.nodes[k], self.nodes[k].customers
        populations = np.array([most] if node.kind == "users" else range(1, most + 1))
        tokens = populations / (1.0 - self.overlap[k])
        rows = np.unique([np.floor(tokens), np.ceil(tokens)]).astype(int)
        if node.overlaps and node.kind == "service":
            rows = np.arange(1, int(1.2 * rows[-1]) + 2)
        most = int(rows[-1])
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
            if isinstance(key, int) and not others:
                rates = self.rates[key] / node.calls_to(self.nodes[key])
                parts.append(Part.pool(rates[:most], self.scv[key], most))
                continue
            related = any(o in node.below_only or k in self.nodes[o].below_only for o in others)
            logs = np.full((len(rows) if related else 1, most + 1), -np.inf)
            for row, there in enumerate(rows.tolist() if related else [most]):
                logs[row, : there + 1] = self._view(k, key, there)
            parts.append(Part(logs))
        speeds, chances = population_shares(parts, rows.tolist())
        self.rates[k], self.found[k] = speeds, (keys, chances)
        if node.overlaps:
            if node.kind == "service":  # by Little's law
                each = range(1, len(rows) + 1)
                away = [self._times(k, row).mixed(node.weights).mean for row in each]
                tokens = np.interp(populations, np.maximum.accumulate(speeds * away), rows)
            low, high = (np.searchsorted(rows, f(tokens)) for f in (np.floor, np.ceil))
            part = (tokens - np.floor(tokens))[:, None]
            chances = [(1.0 - part) * each[low] + part * each[high] for each in chances]
            self.rates[k] = (1.0 - part[:, 0]) * speeds[low] + part[:, 0] * speeds[high]
            self.found[k] = keys, chances
        if node.kind == "service":
            self.scv[k] = self._times(k, len(populations)).mixed(node.weights).scv

    def _view(self, k: int, key: Resource, there: int) -> Array:
        """Logarithms of the constants of a resource with 0, 1 ... of one node, others there."""
        seen = [self._other(o, key, k, there) for o in self.callers[key] if o != k]
        logs, self.crowds[k, key] = shared(self._work(k, key), there, self._speeds(k, key), seen)
        return logs

    def _speeds(self, k: int, key: Resource) -> Array:
        """Rates with 1, 2 ... there: of a pool [1/s], or of cores at what priorities leave. [1]"""
        if isinstance(key, int):
            return self.rates[key]
        return self.at.speeds(key, self.loads(), self._work(k, key))

    def _stream(self, k: int) -> None:
        """How many of a stream are at each of its resources: it comes whoever is there."""
        node, rate = self.nodes[k], self.throughput[k]
        keys, chances = _resources(node), []
        for key in keys:
            speed, work = self._speeds(k, key), self._work(k, key)
            open_load = sum(
                self.throughput[o] * self._work(o, key)
                for o in self.callers[key] if self.nodes[o].kind == "stream"
            ) / float(speed[-1])  # fmt: skip
            if open_load >= 1.0:
                what = repr(self.nodes[key].name if isinstance(key, int) else self.at.level[key][0])
                raise Unstable(
                    f"{what} gets {100 * open_load:.4g} % of what it can do from outside"
                )
            many = min(FOLLOWED, ceil(log(UNLIKELY) / log(max(0.2, open_load))) + len(speed))
            node.customers = max(node.customers, many)
            size = np.arange(many + 1)
            if len(self.callers[key]) == 1 and isinstance(key, int):
                feed = np.full(many + 1, rate * work)
                logs = closed_pool(feed, speed, self.scv[key], [many])[0]
            else:
                logs = self._view(k, key, many) + size * np.log(rate)
            chance = np.exp(logs - logs.max())
            chances.append((chance / chance.sum())[None, :])
        self.rates[k], self.found[k] = np.array([rate]), ([*keys], chances)

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
        return extra if node.kind == "users" and node.delay + sum(extra.values()) > 0.0 else {}

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
        node, inside = self.nodes[o], o in self.nodes[k].below_only
        cycle = 1.0 / self.throughput[o]
        if node.kind == "stream":
            return Other(node.customers or 50, self._work(o, key), cycle, inside, endless=True)
        cycle *= node.customers / (1.0 - self.overlap[o])
        away, customers = cycle - self.residence[o][key], node.customers
        if k in node.below_only and k in self.residence[o]:
            calls = node.calls_to(self.nodes[k])
            away -= self.residence[o][k] - calls * self.waits[o][k]
            customers = max(0, customers - size)
        return Other(customers, self._work(o, key), max(1e-6 * cycle, away), inside)

    def _times(self, k: int, row: int) -> Durations:
        """Durations of a node's entries while so many of its customers are there."""
        keys, chances = self.found[k]
        speed, times, waits = float(self.rates[k][row - 1]), dict[Resource, float](), {}
        for key, chance in zip(keys, chances, strict=True):
            if key is not None:
                size = np.arange(chance.shape[1])
                times[key] = float(chance[row - 1] @ size) / speed + self.extra[k].get(key, 0.0)
                if isinstance(key, int):
                    over = np.maximum(0.0, size - self.nodes[key].customers)
                    calls = self.nodes[k].calls_to(self.nodes[key])
                    waits[key] = float(chance[row - 1] @ over) / speed / calls
        return self.durations(k, times, waits)

    def _from_above(self, step: float) -> None:
        """Who is where: the threads busy of each service, and what each caller waits for."""
        nodes, rates = self.nodes, dict[str, float]()
        totals: list[list[tuple[float, Array]]] = [[] for _ in nodes]
        busy: Array
        for k, node in enumerate(nodes):
            is_service = node.kind == "service"
            busy = _mixed(totals[k], node.customers) if is_service else np.array([0.0, 1.0])
            self.busy[k] = busy
            speed = float(busy[1:] @ self.rates[k])
            if node.kind == "users":
                rates[node.name] = speed
            for key, chance in zip(*self.found[k], strict=True):
                if key is None:
                    continue
                number = busy[1:] @ chance
                number[0] += busy[0]
                here = float(number @ np.arange(len(number)))
                if isinstance(key, str) and key in self.at.above:
                    everyone = all_together(number, self.crowds[k, key])
                    self.at.clear(key, everyone, self._work(k, key))
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
        last = self.flow
        self._flows({name: last[name] + step * (x - last[name]) for name, x in rates.items()})
        for k in reversed(range(len(nodes))):
            self._answer(k)
            node = nodes[k]
            if node.overlaps and node.kind != "stream":
                inside = node.delay + sum(self.residence[k].values())
                away = node.think + sum(w * self.held[name] for name, w in node.weights.items())
                self.overlap[k] += step * (max(0.0, 1.0 - away / inside) - self.overlap[k])

    def _answer(self, k: int) -> None:
        """The times to the end and to the answer of a node's entries, as they are now."""
        times = self.durations(k)
        for name in self.nodes[k].entries:
            to_answer, to_end = times.of(name)
            self.held[name], self.answer[name] = to_end.mean, to_answer.mean

    def durations(
        self,
        k: int,
        residence: Mapping[Resource, float] | None = None,
        waits: Mapping[int, float] | None = None,
    ) -> Durations:
        """Durations of all entries, as a node calls them: as they are now, or at these times."""
        node, calls = self.nodes[k], {}
        stretch: dict[str | None, float] = {None: 1.0}
        waits = self.waits[k] if waits is None else waits
        for key, time in (self.residence[k] if residence is None else residence).items():
            if isinstance(key, int):
                called = self.nodes[key]
                held = max(0.0, time - waits[key] * node.calls_to(called))
                longer = (held / (node.calls_to(called, self.held) or 1.0)) or 1.0
                for name in called.entries:
                    wait, answer = waits[key], self.answer[name] * longer
                    calls[name] = Span(wait + answer, self.scv[key] * (wait**2 + answer**2))
            else:
                stretch[key] = (time / node.work[key]) or 1.0
        return Durations(self.does, stretch, calls, self.at.cores)


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
