"""The state of the method of layers: who calls whom how often, and how each sees the others.
Theory and sources: `qmodel/solvers/THEORY.md`, layered/state.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from scipy.special import gammaln

from qmodel.model.layered_model import Layered
from qmodel.numerics.arrays import Array
from qmodel.solvers.layered.durations import Durations, Span
from qmodel.solvers.layered.nodes import Node, nodes_of, sent_to
from qmodel.solvers.layered.processors import Processors
from qmodel.solvers.layered.runs import Work, runs_of, seen_scv
from qmodel.solvers.layered.shared import Other, shared
from qmodel.solvers.limits.pool_queue import closed_pool

#: Most of what a pool can do that streams are followed with. [1]
STEADY = 0.98
#: Part of the time there of customers who never pause; probabilities that are told from 0. [1]
ALWAYS, LEAST = 1.0 - 1e-9, 1e-290

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
        #: Calls to entries and to nodes, directly or not, that one of a node makes. [1]
        self.made: list[dict[str, float]] = [{} for _ in self.nodes]
        self.visits: list[dict[int, float]] = [{} for _ in self.nodes]
        #: Rates of a pool (the second) with 1, 2 ... there while 0, 1 ... of a caller that shares
        #: a resource with it are busy elsewhere. [1/s]
        self.beside: dict[tuple[int, Resource], Array] = {}
        self.crowds: dict[tuple[int, Resource], Array] = {}

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
        for k, node in enumerate(self.nodes):
            made, visits = dict(node.weights), {k: 1.0}
            for s, below in enumerate(self.nodes[k:], k):
                for name in below.entries if s in visits else ():
                    for other, n in below.calls_of[name].items():
                        often = n * made.get(name, 0.0)
                        made[other] = made.get(other, 0.0) + often
                        visits[self.place[other]] = visits.get(self.place[other], 0.0) + often
            self.made[k], self.visits[k] = made, visits

    def view(self, k: int, key: Resource, there: int, busy: tuple[int, int] | None = None) -> Array:
        """Logarithms of the constants of a resource with 0, 1 ... of one node, others there."""
        seen = [x for o in self.callers[key] if o != k for x in self.others(o, key, k, busy)]
        speeds, beside = self.speeds(k, key), self.beside.get((k, key))
        if beside is not None:
            most = there + sum(other.customers for other in seen)
            left = there - np.arange(there + 1)[:, None]
            speeds = rates_beside(beside, left, np.arange(1, most + 1))
        logs, crowd = shared(self.work(k, key), there, speeds, seen)
        if busy is None:
            self.crowds[k, key] = crowd
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
        if node.kind == "stream" or not self.residence[k].get(t) or not calls:
            return 1.0
        held = self.residence[k][t] / calls - self.waits[k].get(t, 0.0)
        own = (w * self.held[name] for name, w in node.weights.items())
        # A service that is never full is a part of its users.
        whole = sum(self.residence[k].values() if node.kind == "users" else own)
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
        feeds, crowds = [], []
        for o in callers:
            rate, stream = self.throughput[o] * self.work(o, t), self.nodes[o].kind == "stream"
            here = self.throughput[o] * max(self.residence[o][t], 1e-12)
            many = self.nodes[o].customers
            feeds.append(min(rate, STEADY * float(rates[-1])) if stream else rate)
            crowds.append([_present(n, here if stream else here / many, stream)
                           for n in (many, many - (not stream))])  # fmt: skip
        everybody = reduce(np.convolve, [each[0] for each in crowds])
        size, known = np.arange(len(everybody)), everybody > LEAST
        feed = np.zeros(len(size))
        for i, rate in enumerate(feeds):  # as one less of its customers sees them
            seen = reduce(np.convolve, [each[i == j] for j, each in enumerate(crowds)])
            seen.resize(len(size), refcheck=False)
            feed += rate * np.interp(size, size[known], seen[known] / everybody[known])
        with np.errstate(invalid="ignore"):
            logs = closed_pool(feed[::-1], rates, self.seen_scv(t, callers), [len(size) - 1])[0]
            speeds: Array = feed[:-1] * np.exp(logs[:-1] - logs[1:])
        speeds = speeds[np.isfinite(speeds) & (feed[:-1] > 0.0)]
        return speeds if len(speeds) else rates

    def work(self, k: int, key: Resource, weights: Mapping[str, float] | None = None) -> float:
        """Time at a processor [s]; or calls, a mean one counted as 1. [1]

        Of a caller's mix, or of its entries each called so often.
        """
        node = self.nodes[k]
        weights = node.weights if weights is None else weights
        if not isinstance(key, int):
            return sum(w * node.work_of[name].get(key, 0.0) for name, w in weights.items())
        called, wait = self.nodes[key], self.mean_wait(key)
        made = [(w * n, self.held[other])
                for name, w in weights.items() for other, n in node.calls_of[name].items()
                if other in called.weights]  # fmt: skip
        mean = self.mean_held(key) + wait
        return sum(n * ((wait + held) / mean if mean else 1.0) for n, held in made)

    def others(
        self, o: int, key: Resource, k: int, busy: tuple[int, int] | None = None
    ) -> list[Other]:
        """Another caller of a resource, as it was in the last round.

        As many as k itself causes by its calls are customers of k who wait for them; the others
        come from elsewhere, with the entries these call. ``busy`` is a caller of k and how many of
        its customers are busy elsewhere than there.
        """
        node, own, rate = self.nodes[o], self.nodes[k], self.throughput[o]
        work, found = self.work(o, key), []
        if busy and o == busy[0]:
            held = self.mean_held(o)
            away = held - self.residence[o][key] - self.residence[o][k]
            return [Other(busy[1], work, max(1e-6 * held, away))] if busy[1] else []
        if node.kind == "stream":
            return [Other(node.customers or 50, work, 1.0 / rate, endless=True)]
        longer = self.residence[o][key] / work
        if own.kind != "stream" and o in self.visits[k]:
            caused = self.work(o, key, {name: self.made[k].get(name, 0.0) for name in node.entries})
            many = own.customers if own.kind == "users" else self.busy_threads(k)
            whole = many / self.throughput[k]
            away = whole - self.residence[k][key] - caused * longer
            if caused:
                found.append(Other(node.customers, caused, max(1e-3 * whole, away), True))
            rate -= self.visits[k][o] * self.throughput[k]
            work = self.throughput[o] * work - self.throughput[k] * caused
            work /= max(rate, 1e-300)
        if rate > 1e-9 * self.throughput[o] and work > 0.0:
            cycle = node.customers / (1.0 - self.overlap[o]) / rate
            away = cycle - work * longer
            found.append(Other(node.customers, work, max(1e-6 * cycle, away)))
        return found

    def mean_held(self, t: int) -> float:
        """Of all calls to a pool. [s]"""
        return sum(w * self.held[name] for name, w in self.nodes[t].weights.items())

    def mean_wait(self, t: int) -> float:
        """Of all calls to a pool, as far as streams count as work leave room for others. [s]"""
        calls = work = wait = 0.0
        for o in self.callers[t]:
            node, rate = self.nodes[o], self.throughput[o]
            wait += rate * node.calls_to(self.nodes[t]) * self.waits[o][t]
            if node.kind == "stream":
                calls += rate * node.calls_to(self.nodes[t])
                work += rate * node.calls_to(self.nodes[t], self.held)
        wait, mean = wait / max(self.throughput[t], 1e-300), self.mean_held(t)
        most = 0.5 * (work / mean + float(self.rates[t][-1])) if mean else calls
        return min(wait, max(0.0, most * mean - work) / (calls - most)) if calls > most else wait

    def busy_threads(self, k: int) -> float:
        """Mean number of threads in use; at least a little before the first round."""
        return max(float(self.busy[k] @ np.arange(len(self.busy[k]))), 1e-6)

    def durations(
        self, k: int, residence: Mapping[Resource, float] | None = None,
        waits: Mapping[int, float] | None = None,
    ) -> Durations:  # fmt: skip
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


def rates_beside(beside: Array, left: Any, there: Any) -> Array:
    """Rates with so many there, and so many left elsewhere of the caller these are for. [1/s]"""
    left = np.clip(left, 0, len(beside) - 1)
    return np.asarray(beside[left, np.minimum(there, beside.shape[1]) - 1])


def resources_of(node: Node) -> list[Resource]:
    """The processors where a node queues, and the nodes it calls."""
    return [*(name for name in node.work if name is not None), *node.callees]


def _present(many: int, part: float, endless: bool) -> Array:
    """Probabilities that 0, 1 ... are there: binomial, or Poisson of that mean."""
    n, part = np.arange(many + 1), part if endless else min(part, ALWAYS)
    logs = n * np.log(part) - gammaln(n + 1)
    if not endless:
        logs -= gammaln(many - n + 1) + n * np.log1p(-part)
    chances: Array = np.exp(logs - logs.max())
    chances /= chances.sum()
    return chances
