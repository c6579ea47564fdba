"""A layered model as its users see it: a network of processors and pools, for percentiles.
Theory and sources: `qmodel/solvers/THEORY.md`, layered/seen_network.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.layered_steps import works_of
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation, QueueingStation
from qmodel.model.visit_routing import ImpliedRouting
from qmodel.solvers.layered.durations import NOTHING, Span, mixed
from qmodel.solvers.layered.state import Resource, State

#: Of a processor, most that others than users are taken to need. [1]
MOST = 0.98
#: Where nothing is waited for.
FREE = DelayStation("no queue")


@dataclass(frozen=True, slots=True)
class SeenNetwork:
    """The users as classes, and what they use as stations."""

    #: Of the network, with the throughputs and residence times of the layered model.
    solution: Solution
    #: By class, the standard deviation of its response time over that in the network. [1]
    spreads: tuple[float, ...]
    #: Whether a class passes the stations as often as in the mean, every time.
    fixed: tuple[bool, ...]

    @classmethod
    def of(cls, layers: State) -> "SeenNetwork":
        """That of solved layers."""
        names = [u.name for u in layers.model.users]
        users = {n.name: k for k, n in enumerate(layers.nodes) if n.kind != "service"}
        users = {name: users[name] for name in names}
        used = list(dict.fromkeys(r for k in users.values() for r in layers.residence[k]))
        rows = [_Row(layers, k, set(users.values())) for k in users.values()]
        stations = [_station(layers, r) for r in used]
        parts = [[row.at(r) for r in (*used, None)] for row in rows]
        visits = [[visit for _, visit, _ in part] for part in parts]
        network = Network(
            [*stations, FREE], [row.as_class for row in rows],
            [[demand for demand, _, _ in part] for part in parts], visit_ratio=visits,
            scv=[[scv for _, _, scv in part] for part in parts],
        )  # fmt: skip
        spreads = []
        for row, made in zip(rows, visits, strict=True):
            spans = [row.span(r) for r in (*used, None)]
            spread = _routed(ImpliedRouting.of(made), spans, fixed=row.fixed)
            whole = layers.durations(row.k).of(row.node.name).end.variance
            spreads.append(sqrt(whole / spread) if spread else 1.0)
        solution = Solution(
            network, "layers", tuple(layers.throughput[row.k] for row in rows),
            tuple(tuple(row.residence(r) for r in (*used, None)) for row in rows),
        )  # fmt: skip
        return cls(solution, tuple(spreads), tuple(row.fixed for row in rows))


class _Row:
    """What some users do at each resource; None is where nothing is waited for."""

    def __init__(self, layers: State, k: int, users: set[int]) -> None:
        self.layers, self.k, self.node, self.users = layers, k, layers.nodes[k], users
        self.visits: dict[Resource | None, float] = {}
        #: Whether all calls of pools are made a fixed number of times.
        self.fixed = True
        left = [(self.node.name, 1.0, True)]
        while left:  # services within do a slice before the first call, and one after each
            name, number, always = left.pop()
            does, made = layers.does[name], layers.calls[name]
            always = always and all(work.fixed for _, work in works_of(does.steps))
            if any(work.demand for _, work in works_of(does.steps)):
                slices = number * (1.0 + sum(made.values()))
                self.visits[does.processor] = self.visits.get(does.processor, 0.0) + slices
            for other, calls in made.items():
                if other in layers.place:
                    pool = layers.place[other]
                    self.visits[pool] = self.visits.get(pool, 0.0) + number * calls
                    self.fixed = self.fixed and always
                else:
                    left.append((other, number * calls, always))
        pools = [n for r, n in self.visits.items() if isinstance(r, int)]
        self.fixed = self.fixed and bool(pools)
        if self.fixed:  # slices between two calls of a pool are one
            most = max(pools)
            self.visits = {r: min(n, most) for r, n in self.visits.items()}

    @property
    def as_class(self) -> ClosedClass | OpenClass:
        node = self.node
        if node.kind == "users":
            return ClosedClass(node.name, node.customers, node.think)
        return OpenClass(node.name, self.layers.throughput[self.k])

    def at(self, r: Resource | None) -> tuple[float, float, float]:
        """Demand [s], visits and SCV at a resource. [1]"""
        visits, layers = self.visits.get(r, 0.0), self.layers
        if isinstance(r, int):
            return visits * self._held(r)[1], visits, layers.scv[r]
        work = self.node.work.get(r, 0.0)
        if r is None:
            return work, visits or float(work > 0.0), 1.0
        others = sum(layers.throughput[o] * layers.nodes[o].work.get(r, 0.0)
                     for o in layers.callers[r] if o not in self.users)  # fmt: skip
        return work / (1.0 - min(MOST, others / layers.at.cores[r])), visits, 1.0

    def span(self, r: Resource | None) -> Span:
        """The time of one visit."""
        _, visits, scv = self.at(r)
        if not visits:
            return NOTHING
        if isinstance(r, int):
            wait, held = self._held(r)
            return Span(wait + held, scv * (wait**2 + held**2))
        time = self.residence(r) / visits
        return Span(time, time * time)

    def residence(self, r: Resource | None) -> float:
        """Time at a resource, waits included. [s]"""
        if r is None:
            return self.node.work.get(None, 0.0)
        return self.layers.residence[self.k].get(r, 0.0)

    def _held(self, pool: int) -> tuple[float, float]:
        """The wait of one call for a thread, and how long it is held. [s]"""
        if pool not in self.layers.residence[self.k]:
            return 0.0, 0.0
        wait = self.layers.waits[self.k][pool]
        whole = self.layers.residence[self.k][pool] / self.visits[pool]
        return wait, max(whole - wait, 1e-9 * whole)


def _station(layers: State, r: Resource) -> QueueingStation:
    if isinstance(r, int):
        node = layers.nodes[r]
        return QueueingStation(f"threads of {node.name}", node.customers, "fcfs")
    return QueueingStation(f"processor {r}", layers.at.cores[r], "ps")


def _routed(routing: ImpliedRouting, spans: Sequence[Span], *, fixed: bool) -> float:
    """Variance of the sum over a geometric or fixed number of passes, visits independent. [s^2]"""

    def once(chances: Sequence[float], centre: int | None) -> Span:
        """A pass; about a central server it goes to one of the others at most."""
        some = [(p, span) for i, (p, span) in enumerate(zip(chances, spans, strict=True))
                if i != centre]  # fmt: skip
        if centre is not None:
            return spans[centre].then(mixed(some))
        found = NOTHING
        for each in some:
            found = found.then(mixed([each]))
        return found

    more = routing.passes - 1.0
    (mean, variance), last = once(routing.earlier, routing.central), once(routing.last, None)
    among = 0.0 if fixed else more * (1.0 + more) * mean * mean
    return more * variance + among + last.variance
