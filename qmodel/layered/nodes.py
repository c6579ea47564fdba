"""Users, and services that may be full, as the nodes of a graph of calls, callers first.

A service whose threads are never all busy, since no more can call at once, is part of who calls it:
its demands are theirs. So only pools that may be full stand between the layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from qmodel.model.layered_model import Layered


class Step(NamedTuple):
    """An entry as it stands in the model, or what users do."""

    #: The service, or the users; processor where there is a queue, else None.
    owner: str
    processor: str | None
    #: Time at the processor, or without one [s]; calls, with those passed on [1].
    demand: float
    calls: dict[str, float]
    fixed: bool


@dataclass(slots=True)
class Node:
    """Some users, or a service that may be full, with its entries in their mix."""

    name: str
    is_users: bool
    #: Those there at once at most.
    customers: int
    #: Of users. [s]
    think: float
    entries: list[str]
    #: By entry: time at each processor (None: where nothing is waited for) [s], and calls to
    #: entries of other nodes [1].
    work_of: dict[str, dict[str | None, float]] = field(default_factory=dict)
    calls_of: dict[str, dict[str, float]] = field(default_factory=dict)
    #: Nodes that are called; those that are called from here only.
    callees: list[int] = field(default_factory=list)
    below_only: frozenset[int] = frozenset()
    #: Of the mix, as above.
    weights: dict[str, float] = field(default_factory=dict)
    work: dict[str | None, float] = field(default_factory=dict)
    calls: dict[str, float] = field(default_factory=dict)

    def mix(self, flow: Mapping[str, float]) -> None:
        """Take the entries in these proportions."""
        total = sum(flow.get(name, 0.0) for name in self.entries)
        self.weights = {
            name: flow.get(name, 0.0) / total if total else 1.0 / len(self.entries)
            for name in self.entries
        }
        self.work, self.calls = {}, {}
        for name, weight in self.weights.items():
            for processor, time in self.work_of[name].items():
                self.work[processor] = self.work.get(processor, 0.0) + weight * time
            for other, number in self.calls_of[name].items():
                self.calls[other] = self.calls.get(other, 0.0) + weight * number

    @property
    def delay(self) -> float:
        """Time in which nothing is waited for, thinking included. [s]"""
        return self.think + self.work.get(None, 0.0)

    def calls_to(self, called: Node, each: Mapping[str, float] | None = None) -> float:
        """Calls to another node, each counted as so much, as one by default."""
        return sum(
            self.calls.get(name, 0.0) * (each[name] if each else 1.0) for name in called.entries
        )


def nodes_of(model: Layered) -> tuple[list[Node], dict[str, Step]]:
    """The users, then the services that may be full from above; and all steps by their names.

    Examples
    --------
    >>> from qmodel.model.layered_records import Entry, Service, Users
    >>> model = Layered([Users("clients", 60, 1.0, {"page": 1})],
    ...                 [Service("web", [Entry("page", 0.02, {"query": 1})], 8),
    ...                  Service("db", [Entry("query", 0.01)], 8)])
    >>> nodes, _ = nodes_of(model)
    >>> [(node.name, node.customers, node.work) for node in nodes]
    [('clients', 60, {}), ('web', 8, {None: 0.03})]
    """
    steps, most = _steps(model), {u.name: u.population for u in model.users}
    callers: dict[str, set[str]] = {}
    for step in steps.values():
        for name in step.calls:
            callers.setdefault(steps[name].owner, set()).add(step.owner)
    nodes = [Node(u.name, True, u.population, u.think_time, [u.name]) for u in model.users]
    for service in model.layers():
        reach = sum(most[name] for name in callers[service.name])
        most[service.name] = reach if service.threads is None else min(service.threads, reach)
        if most[service.name] < reach:
            entries = [entry.name for entry in service.entries]
            nodes.append(Node(service.name, False, most[service.name], 0.0, entries))
    place = {entry: k for k, node in enumerate(nodes) for entry in node.entries}
    for node in nodes:
        for name in node.entries:
            work: dict[str | None, float] = {}
            calls: dict[str, float] = {}
            _collect(name, 1.0, steps, place, work, calls)
            node.work_of[name], node.calls_of[name] = work, calls
        node.callees = sorted({place[f] for calls in node.calls_of.values() for f in calls})
        node.mix(dict.fromkeys(node.entries, 1.0))
    for k, node in enumerate(nodes):
        only = {k}
        for t in range(k + 1, len(nodes)):
            above = {o for o, n in enumerate(nodes) if t in n.callees}
            if above and above <= only:
                only.add(t)
        node.below_only = frozenset(only - {k})
    return nodes, steps


def _steps(model: Layered) -> dict[str, Step]:
    """All entries, and the users."""
    processors = {p.name: p for p in model.processors}
    steps = {
        u.name: Step(u.name, None, 0.0, model.calls_of(u.calls), bool(u.fixed)) for u in model.users
    }
    for service in model.services:
        at = processors.get(service.processor or "")
        queue = at.name if at is not None and at.cores is not None else None
        for e in service.entries:
            time = e.demand / (at.speed if at else 1.0)
            steps[e.name] = Step(service.name, queue, time, model.calls_of(e.calls), e.fixed)
    return steps


def _collect(
    name: str,
    times: float,
    steps: Mapping[str, Step],
    place: Mapping[str, int],
    work: dict[str | None, float],
    calls: dict[str, float],
) -> None:
    """Add up what a step needs, with the steps inside of it that no pool is in front of."""
    step = steps[name]
    if step.demand:
        work[step.processor] = work.get(step.processor, 0.0) + times * step.demand
    for other, number in step.calls.items():
        if other in place:
            calls[other] = calls.get(other, 0.0) + times * number
        else:
            _collect(other, times * number, steps, place, work, calls)
