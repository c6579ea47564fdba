"""Users and services as the nodes of a graph of calls, callers first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from qmodel.layered.model import Layered


@dataclass(slots=True)
class NodeEntry:
    """An entry, or what users do: time at the processor [s], calls with those passed on [1]."""

    name: str
    demand: float
    calls: dict[str, float]
    fixed: bool


@dataclass(slots=True)
class Node:
    """Some users, or a service, with what it has of each of its entries in the mean."""

    name: str
    is_users: bool
    #: Those there at once at most, threads as given, think time. [s]
    customers: int
    threads: int | None
    think: float
    processor: str | None
    entries: list[NodeEntry]
    #: Positions of the services that are called, and by the entry that is.
    callees: list[int] = field(default_factory=list)
    callee_of: dict[str, int] = field(default_factory=dict)
    #: Services that are called by no one but this one and what it calls.
    below_only: frozenset[str] = frozenset()
    #: Of the entries; and the time at the processor. [1], [s]
    weights: list[float] = field(default_factory=list)
    demand: float = 0.0

    def mix(self, flow: Mapping[str, float]) -> None:
        """Take the entries in these proportions."""
        total = sum(flow.values())
        even = 1.0 / len(self.entries)
        self.weights = [flow[e.name] / total if total else even for e in self.entries]
        self.demand = sum(w * e.demand for w, e in zip(self.weights, self.entries, strict=True))

    def number(self, called: Node) -> float:
        """Calls of one call here to another node. [1]"""
        return self.calls_to(called, dict.fromkeys((e.name for e in called.entries), 1.0))

    def calls_to(self, called: Node, each: Mapping[str, float]) -> float:
        """The same, each counted as so much."""
        names = {e.name for e in called.entries}
        return sum(
            w * n * each[name]
            for w, entry in zip(self.weights, self.entries, strict=True)
            for name, n in entry.calls.items()
            if name in names
        )


def nodes_of(model: Layered) -> list[Node]:
    """The users, then the services from above.

    Examples
    --------
    >>> from qmodel.layered.records import Entry, Service, Users
    >>> model = Layered([Users("clients", 60, 1.0, {"page": 1})],
    ...                 [Service("web", [Entry("page", 0.02)], 8)])
    >>> [(node.name, node.customers, node.callees) for node in nodes_of(model)]
    [('clients', 60, [1]), ('web', 8, [])]
    """
    nodes = [
        Node(u.name, True, u.population, None, u.think_time, None,
             [NodeEntry(u.name, 0.0, model.calls_of(u.calls), bool(u.fixed))])
        for u in model.users
    ]  # fmt: skip
    speed = {p.name: p.speed for p in model.processors}
    for service in model.layers():
        entries = [
            NodeEntry(e.name, e.demand / speed.get(service.processor or "", 1.0),
                      model.calls_of(e.calls), e.fixed)
            for e in service.entries
        ]  # fmt: skip
        most = service.threads if service.threads is not None else 10**9
        nodes.append(Node(service.name, False, most, service.threads, 0.0, service.processor,
                          entries))  # fmt: skip
    place = {e.name: k for k, node in enumerate(nodes) for e in node.entries}
    for node in nodes:
        node.callee_of = {name: place[name] for e in node.entries for name in e.calls}
        node.callees = sorted(set(node.callee_of.values()))
        node.mix(dict.fromkeys((e.name for e in node.entries), 1.0))
    callers = {k: [o for o, n in enumerate(nodes) if k in n.callees] for k in range(len(nodes))}
    for k, node in enumerate(nodes):
        if not node.is_users:  # no more than can be called at once
            node.customers = min(node.customers, sum(nodes[o].customers for o in callers[k]))
    for k, node in enumerate(nodes):
        only = {k}
        for t in range(k + 1, len(nodes)):
            if callers[t] and set(callers[t]) <= only:
                only.add(t)
        node.below_only = frozenset(nodes[t].name for t in only - {k})
    return nodes
