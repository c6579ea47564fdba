"""Users, and services that may be full, as the nodes of a graph of calls, callers first.

A service whose threads are never all busy, since no more can call at once, is part of who calls it:
its demands are theirs. So only pools that may be full stand between the layers. Original.
"""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import Literal, NamedTuple

from qmodel.model.layered_model import Layered
from qmodel.model.layered_records import Processor
from qmodel.model.layered_steps import Answer, Calls, Steps, Together, Work, flat, works_of


class Behaviour(NamedTuple):
    """An entry as it stands in the model, or what users do."""

    #: The service, or the users; the queue at a processor (`queue_at`), None where there is none.
    owner: str
    processor: str | None
    #: Of the processor, over that for which demands are given. [1]
    speed: float
    steps: Steps
    #: Calls with those that they are passed on to. [1]
    resolve: Callable[[Calls], dict[str, float]]

    def mean(self, key: Literal["calls", "sends"]) -> dict[str, float]:
        """All that wait for the answer, or do not. [1]"""
        made: dict[str, float] = {}
        for times, work in works_of(self.steps):
            for name, number in self.resolve(getattr(work, key)).items() if times else ():
                made[name] = made.get(name, 0.0) + times * number
        return made

    @property
    def overlaps(self) -> bool:
        """Whether something is done at the same time, or after the answer."""
        return any(isinstance(step, Answer | Together) for _, step in flat(self.steps))


@dataclass(slots=True)
class Node:
    """Some users, or a service that may be full, with its entries in their mix."""

    name: str
    kind: Literal["users", "stream", "service"]
    #: Those there at once at most; of a stream as many as are followed.
    customers: int
    #: Of users. [s]
    think: float
    entries: list[str]
    #: By entry: time at each processor (None: where nothing is waited for) [s], and calls to
    #: entries of other nodes [1].
    work_of: dict[str, dict[str | None, float]] = field(default_factory=dict)
    calls_of: dict[str, dict[str, float]] = field(default_factory=dict)
    #: Nodes that are called.
    callees: list[int] = field(default_factory=list)
    #: Whether it or whom it calls has branches at the same time or work after the answer.
    overlaps: bool = False
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

    def calls_to(self, called: "Node", each: Mapping[str, float] | None = None) -> float:
        """Calls to another node, each counted as so much, as one by default."""
        return sum(
            self.calls.get(name, 0.0) * (each[name] if each else 1.0) for name in called.entries
        )


def queue_at(processor: Processor | None, priority: int) -> str | None:
    """The queue of a service at a processor: of its own for each priority, where these matter."""
    if processor is None or processor.cores is None:
        return None
    return processor.name + (f" at {priority}" if processor.discipline == "priority" else "")


def nodes_of(model: Layered, idle: Container[str] = ()) -> tuple[list[Node], dict[str, Behaviour]]:
    """Users and streams, then the services that may be full from above; and what all entries do.

    A stream are users who arrive from outside, or the calls to an entry that no one waits for.
    Those of ``idle`` are taken as never full.
    """
    does = _behaviours(model)
    most = {u.name: float(u.population or inf) for u in model.users}
    callers: dict[str, set[str]] = {}
    sent = set[str]()
    for behaviour in does.values():
        if behaviour.overlaps:  # one thread may make several calls at once, or be held by no one
            most[behaviour.owner] = inf
        for name in behaviour.mean("calls"):
            callers.setdefault(does[name].owner, set()).add(behaviour.owner)
        sent |= behaviour.mean("sends").keys()
    nodes = [
        Node(u.name, "users", u.population, u.think_time, [u.name])
        if u.population
        else Node(u.name, "stream", 0, 0.0, [u.name])
        for u in model.users
    ]
    for name in sorted(sent):
        stream = sent_to(name)
        does[stream] = Behaviour(stream, None, 1.0, (Work(0.0, {name: 1.0}),), dict)
        nodes.append(Node(stream, "stream", 0, 0.0, [stream]))
    for service in model.layers():
        reach = sum((most[name] for name in callers.get(service.name, ())), 0.0)
        if service.name in most or any(entry.name in sent for entry in service.entries):
            reach = inf
        threads = min(service.threads or inf, reach)
        most[service.name] = max(threads, most.get(service.name, 0.0))
        if threads < reach and service.name not in idle:
            entries = [entry.name for entry in service.entries]
            nodes.append(Node(service.name, "service", int(threads), 0.0, entries))
    place = {entry: k for k, node in enumerate(nodes) for entry in node.entries}
    for node in reversed(nodes):
        for name in node.entries:
            work: dict[str | None, float] = {}
            calls: dict[str, float] = {}
            node.overlaps |= _collect(name, 1.0, does, place, work, calls)
            node.work_of[name], node.calls_of[name] = work, calls
        node.callees = sorted({place[f] for calls in node.calls_of.values() for f in calls})
        node.overlaps |= any(
            does[name].overlaps for calls in node.calls_of.values() for name in calls
        )
        node.mix(dict.fromkeys(node.entries, 1.0))
    return nodes, does


def sent_to(entry: str) -> str:
    """The name of the stream of calls to an entry that no one waits for."""
    return f"to {entry}"


def _behaviours(model: Layered) -> dict[str, Behaviour]:
    """Of all entries, and of the users."""
    processors = {p.name: p for p in model.processors}
    resolve = cache(model.calls_of)
    does = {
        u.name: Behaviour(u.name, None, 1.0, (Work(0.0, u.calls, fixed=bool(u.fixed)),), resolve)
        for u in model.users
    }
    for service in model.services:
        at = processors.get(service.processor or "")
        queue, speed = queue_at(at, service.priority), at.speed if at else 1.0
        for e in service.entries:
            does[e.name] = Behaviour(service.name, queue, speed, e.steps, resolve)
    return does


def _collect(
    name: str, times: float, does: Mapping[str, Behaviour], place: Mapping[str, int],
    work: dict[str | None, float], calls: dict[str, float],
) -> bool:  # fmt: skip
    """Add up what an entry needs, with the entries inside of it that no pool is in front of.

    Whether some of it is done at the same time, or after the answer.
    """
    behaviour, overlaps = does[name], does[name].overlaps
    for often, one in works_of(behaviour.steps, times):
        for where, time in ((behaviour.processor, one.demand / behaviour.speed), (None, one.think)):
            if time:
                work[where] = work.get(where, 0.0) + often * time
    for other, number in behaviour.mean("calls").items():
        if other in place:
            calls[other] = calls.get(other, 0.0) + times * number
        else:
            overlaps |= _collect(other, times * number, does, place, work, calls)
    return overlaps
