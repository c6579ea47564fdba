"""The state of the method of layers: who calls whom how often, and how each sees the others.

What is used by several callers each sees as its own server, slowed by the others (`shared`). Of
these, as many as a caller causes itself wait for it to answer: they are its own customers, of whom
one that is not at a resource is there for another with the odds of the times of its cycle. The
others come from elsewhere, with surrogate delays. Original.
"""

from collections.abc import Container, Iterator, Mapping, Sequence

import numpy as np

from qmodel.model.layered_model import Layered
from qmodel.numerics.arrays import Array
from qmodel.solvers.layered.durations import Durations, Span
from qmodel.solvers.layered.nodes import Node, nodes_of, sent_to
from qmodel.solvers.layered.processors import Processors
from qmodel.solvers.layered.runs import Work, runs_of, seen_scv
from qmodel.solvers.layered.shared import Other, shared
from qmodel.solvers.limits.pool_queue import closed_pool

#: Part of a delay that calls may be shorter by, than the mean.
EVENED = 0.9
#: Most of what a pool can do that streams are followed with. [1]
STEADY = 0.98

#: A processor by its name, a node by its position.
Resource = str | int


class State:
    """Residence times, waits and throughputs of every caller, as in the last round."""

    def __init__(self, model: Layered, idle: Container[str] = ()) -> None:
        self.model = model
        self.nodes, self.does = nodes_of(model, idle)
        self.calls = {name: each.mean("calls") for name, each in self.does.items()}
        self.sends = {name: each.mean("sends") for name, each in self.does.items()}
        self.place = {entry: k for k, node in enumerate(self.nodes) for entry in node.entries}
        self.at = Processors(model)
        self.callers: dict[Resource, list[int]] = {}
        for k, node in enumerate(self.nodes):
            for key in resources_of(node):
                self.callers.setdefault(key, []).append(k)
        count = len(self.nodes)
        self.rates: list[Array] = [np.ones(1)] * count
        self.scv = [1.0] * count
        self.spans: list[dict[str, Span]] = [{} for _ in self.nodes]
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
        #: Calls to other nodes, directly or not, that one of a node makes. [1]
        self.visits: list[dict[int, float]] = [{} for _ in self.nodes]
        self.crowds: dict[tuple[int, Resource], Array] = {}
        #: By how much a caller's calls to a pool of several are longer than all. [s]
        self.extra: list[dict[Resource, float]] = [{} for _ in self.nodes]
        #: How much of that is a delay of the caller's own, by pool. [1]
        self.evened: dict[int, float] = {}

    def loads(self) -> dict[str, float]:
        """Utilization of each core by each queue, at these throughputs. [1]"""
        return self.at.loads([node.work for node in self.nodes], self.throughput)

    def flows(self, rates: dict[str, float]) -> None:
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
        for k in range(len(self.nodes)):
            made = {k: 1.0}
            for s in range(k, len(self.nodes)):
                for t in self.nodes[s].callees if s in made else ():
                    made[t] = made.get(t, 0.0) + made[s] * self.nodes[s].calls_to(self.nodes[t])
            self.visits[k] = made

    def view(self, k: int, key: Resource, there: int) -> Array:
        """Logarithms of the constants of a resource with 0, 1 ... of one node, others there."""
        seen = [x for o in self.callers[key] if o != k for x in self.others(o, key, k, there)]
        logs, self.crowds[k, key] = shared(self.work(k, key), there, self.speeds(k, key), seen)
        return logs

    def speeds(self, k: int, key: Resource) -> Array:
        """Rates with 1, 2 ... there: of a pool [1/s], or of cores at what priorities leave. [1]"""
        if isinstance(key, int):
            return self.together(key) if len(self.callers[key]) > 1 else self.rates[key]
        return self.at.speeds(key, self.loads(), self.work(k, key))

    def seen_scv(self, t: int, callers: Sequence[int]) -> float:
        """SCV of the time a thread is held, as waiting calls see it."""
        return seen_scv(run for k in callers for run in self.runs(k, t))

    def runs(self, k: int, t: int) -> Iterator[tuple[float, Work]]:
        """A caller's runs of calls to a pool, and their rates: of users, and by other services."""
        node, spans, left = self.nodes[k], self.spans[t], dict(self.nodes[k].calls)
        if node.kind == "users":
            users = self.model.users[k]
            for often, run in runs_of(users, self.place, t, spans):
                yield self.throughput[k] * often, run
            for name, number in users.calls:
                left[name] = left.get(name, 0.0) - number
        others = [(n, spans[e]) for e in self.nodes[t].entries if (n := left.get(e, 0.0)) > 1e-9]
        if others:
            total, v = sum(n for n, _ in others), self.run(k, t)
            yield (
                self.throughput[k] * total / v,
                Work.at_random(v, [(n / total, span) for n, span in others]),
            )

    def run(self, k: int, t: int) -> float:
        """How many calls of a service to a pool come sooner than the thread is held, and 1. [1]"""
        node, calls = self.nodes[k], self.nodes[k].calls_to(self.nodes[t])
        if node.kind != "service" or not self.residence[k].get(t) or not calls:
            return 1.0
        held = self.residence[k][t] / calls - self.waits[k].get(t, 0.0)
        whole = sum(w * self.held[name] for name, w in node.weights.items())
        gap = max(0.0, whole - self.residence[k][t]) / calls
        more = max(0.0, calls - 1.0)
        return 1.0 + more * max(0.0, held) / (max(0.0, held) + gap + 1e-12)

    def together(self, t: int) -> Array:
        """Rates of a pool with 1, 2 ... there of all callers, as if these were one. [1/s]

        Those of a birth-death process with the probabilities of `closed_pool`, so that all who
        wait see how much the time varies for which threads are held.
        """
        rates, callers = self.rates[t], self.callers[t]
        if any(self.nodes[o].kind == "service" for o in callers) or not self.throughput[t]:
            return rates
        there = [self.throughput[o] * max(self.residence[o][t], 1e-12) for o in callers]
        size = np.arange(sum(self.nodes[o].customers for o in callers) + 1)
        feed = np.zeros(len(size))
        for o, here in zip(callers, there, strict=True):
            many = self.nodes[o].customers
            if self.nodes[o].kind == "stream":
                feed += min(self.throughput[o] * self.work(o, t), STEADY * float(rates[-1]))
                continue
            away = max(many / self.throughput[o] - self.residence[o][t], 1e-9)
            left = np.maximum(0.0, many - size * here / sum(there))
            feed += left * self.work(o, t) / away
        with np.errstate(invalid="ignore"):
            logs = closed_pool(feed[::-1], rates, self.seen_scv(t, callers), [len(size) - 1])[0]
            speeds: Array = feed[:-1] * np.exp(logs[:-1] - logs[1:])
        speeds = speeds[np.isfinite(speeds) & (feed[:-1] > 0.0)]
        return speeds if len(speeds) else rates

    def longer(self, k: int) -> dict[Resource, float]:
        """What a caller's calls take more than the mean of a pool, which all wait for alike. [s]

        All of it, or as much as no caller's own delays are shorter than, and as leaves half of what
        streams leave of the pool: the rest is work.
        """
        extra: dict[Resource, float] = {}
        for t, more in self._longer(k).items():
            part, load, longer = 1.0, 0.0, 0.0
            for o in self.callers[t]:
                each = self._longer(o)
                less = -sum(min(0.0, x) for x in each.values())
                if self.nodes[o].kind == "stream":
                    load += self.throughput[o] * self.nodes[o].calls_to(self.nodes[t], self.held)
                    longer += self.throughput[o] * each[t]
                elif less > 0.0:
                    part = min(part, EVENED * self.nodes[o].delay / less)
            if longer < 0.0:
                left = self.nodes[t].customers - load
                part = min(part, max(0.0, -0.5 * left / longer))
            extra[t], self.evened[t] = part * more, part
        return extra

    def _longer(self, k: int) -> dict[int, float]:
        """What a caller's calls take more than as many of the mean, by pool of several. [s]"""
        node, extra = self.nodes[k], dict[int, float]()
        for t in node.callees:
            if len(self.callers[t]) > 1:
                called = self.nodes[t]
                mean = sum(w * self.held[name] for name, w in called.weights.items())
                extra[t] = node.calls_to(called, self.held) - node.calls_to(called) * mean
        return extra

    def work(self, k: int, key: Resource) -> float:
        """Time at a processor [s]; or calls, counted in those of the mean length. [1]"""
        node = self.nodes[k]
        if not isinstance(key, int):
            return node.work[key]
        called = self.nodes[key]
        mean = sum(w * self.held[name] for name, w in called.weights.items())
        own = node.calls_to(called, self.held) - self.extra[k].get(key, 0.0)
        return own / mean if mean and own > 0.0 else node.calls_to(called)

    def others(self, o: int, key: Resource, k: int, size: int) -> list[Other]:
        """Another caller of a resource, as it was in the last round, while ``size`` of k are busy.

        As many as k itself causes by its calls are customers of k who wait for them; the others
        come from elsewhere. Of a caller through which alone k is called, so many wait for k.
        """
        node, own, rate = self.nodes[o], self.nodes[k], self.throughput[o]
        work, found = self.work(o, key), []
        if node.kind == "stream":
            return [Other(node.customers or 50, work, 1.0 / rate, endless=True)]
        visits = 0.0 if own.kind == "stream" else self.visits[k].get(o, 0.0)
        if visits:
            busy = own.customers if own.kind == "users" else self.busy_threads(k)
            whole = busy / self.throughput[k]
            away = whole - self.residence[k][key] - visits * self.residence[o][key]
            found.append(Other(node.customers, visits * work, max(1e-3 * whole, away), True))
            rate -= visits * self.throughput[k]
        if rate > 1e-9 * self.throughput[o]:
            cycle, customers = node.customers / (1.0 - self.overlap[o]) / rate, node.customers
            away = cycle - self.residence[o][key] + self.extra[o].get(key, 0.0)
            if k in node.below_only and k in self.residence[o]:
                calls = node.calls_to(self.nodes[k])
                away -= self.residence[o][k] - calls * self.waits[o][k]
                customers = max(0, customers - size)
            found.append(Other(customers, work, max(1e-6 * cycle, away)))
        return found

    def busy_threads(self, k: int) -> float:
        """Mean number of threads in use; at least a little before the first round."""
        return max(float(self.busy[k] @ np.arange(len(self.busy[k]))), 1e-6)

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


def resources_of(node: Node) -> list[Resource]:
    """The processors where a node queues, and the nodes it calls."""
    return [*(name for name in node.work if name is not None), *node.callees]
