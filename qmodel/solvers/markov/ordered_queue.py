"""A multi-server queue lambda_c(n)/PH/m with several classes, served in order, as a Markov chain.
Theory and sources: `qmodel/solvers/THEORY.md`, markov/ordered_queue.
"""

from collections.abc import Sequence
from itertools import product
from math import comb, factorial, inf, prod
from typing import NamedTuple, Self

from qmodel.model.distributions import moments_of
from qmodel.model.network import Network
from qmodel.model.phases import Phases
from qmodel.model.stations import QueueingStation, Station
from qmodel.numerics.phase_type import PhaseType, fit_phase_type
from qmodel.solvers.markov.station_ctmc import StationCTMC
from qmodel.solvers.markov.station_states import NO_CLASS, Counts, State, Transition, plus
from qmodel.solvers.method import MANY

#: States up to which the order of a FCFS queue is kept.
IN_ORDER = 4_000


class OrderedStation(NamedTuple):
    """What the chain of a station depends on."""

    #: At least 1.
    servers: int
    #: "fcfs", "priority" or "preemptive".
    discipline: str
    #: Of each class; the lower is served first.
    priority: tuple[int, ...]
    #: Service time of each class per visit.
    service: tuple[PhaseType, ...]

    @classmethod
    def of(cls, network: Network, classes: Sequence[int], k: int) -> Self:
        """A station of a network, for some of its classes."""
        station = network.stations[k]
        assert isinstance(station, QueueingStation)
        ranks = {network.classes[c].priority for c in classes if network.demand[c][k]}
        return cls(
            station.servers,
            station.discipline if len(ranks) > 1 else "fcfs",
            tuple(network.classes[c].priority for c in classes),
            tuple(_service(network, c, k) for c in classes),
        )

    def size(self, population: Sequence[int]) -> int:
        """An upper bound of the number of states, for closed classes of this population."""
        present = [c for c, n in enumerate(population) if n]
        if not present:
            return 1
        lengths = [len(self.service[c].start) for c in present]
        busy = min(self.servers, sum(population))
        states = prod(population[c] + 1 for c in present)
        states *= comb(sum(lengths) + busy - 1, busy)
        if self.discipline == "preemptive":
            states *= prod(sorted(lengths)[:-1])
        return min(MANY, states)

    def size_in_order(self, population: Sequence[int]) -> float:
        """About the same where the order of the queue is kept; inf for very many."""
        present = [n for n in population if n]
        if len(present) < 2 or sum(present) > 16:
            return inf
        orders = sum(
            factorial(sum(counts)) // prod(map(factorial, counts))
            for counts in product(*(range(n + 1) for n in present))
        )
        busy = sum(len(s.start) for s, n in zip(self.service, population, strict=True) if n)
        return float(orders * comb(busy + self.servers - 1, self.servers))


def keeps_order(station: Station) -> bool:
    """Whether the order of service matters; product form alone has random order or LCFS-PR."""
    return getattr(station, "discipline", "") in {"fcfs", "priority", "preemptive"}


def _service(network: Network, c: int, k: int) -> PhaseType:
    """The service time of a visit: the phases given, else those of its two moments."""
    mean, law = network.service_time_at(c, k) or 1.0, network.distribution_at(c, k)
    if not isinstance(law, Phases):
        return fit_phase_type(mean, network.scv_at(c, k))
    scale = moments_of(law, 1.0)[0] / mean
    return PhaseType(law.start, tuple(tuple([scale * r for r in row]) for row in law.generator))


class QueueStates:
    """States (queue, in service, interrupted) of a station that serves in order.

    ``in_order`` is whether the queue is the classes of its customers in order of arrival, and not
    their numbers.
    """

    def __init__(self, station: OrderedStation, *, in_order: bool) -> None:
        self.station, self.in_order = station, in_order
        #: The class to which each phase belongs, and the first phase of each class.
        self.owner = [c for c, service in enumerate(station.service) for _ in service.start]
        self.first = [self.owner.index(c) for c in range(len(station.service))]
        self.moves = [move for service in station.service for move in service.moves]
        self.rank = [p if station.discipline != "fcfs" else 0 for p in station.priority]
        none = (0,) * len(self.owner)
        self.empty: State = (() if in_order else (0,) * len(self.first), none, none)

    def counts(self, state: State) -> Counts:
        """See `StationStates`."""
        queue, *phases_present = state
        counts = [queue.count(c) for c in range(len(self.first))] if self.in_order else [*queue]
        for present in phases_present:
            for c, n in zip(self.owner, present, strict=True):
                counts[c] += n
        return tuple(counts)

    def arrivals(self, state: State, c: int) -> list[tuple[State, float]]:
        """See `StationStates`."""
        queue, busy, stopped = state
        if sum(busy) < self.station.servers:
            return self._begun(queue, busy, stopped, c)
        if self.station.discipline == "preemptive":
            lowest = max(self._ranks(busy))
            if lowest > self.rank[c]:
                return self._interrupting(state, c, lowest)
        return [((self._queued(queue, c), busy, stopped), 1.0)]

    def transitions(self, state: State) -> list[Transition]:
        """See `StationStates`."""
        queue, busy, stopped = state
        transitions = []
        for i, n in enumerate(busy):
            if not n:
                continue
            c, left = self.owner[i], plus(busy, i, -1)
            exit_rate, ways = self.moves[i]
            for to, rate in ways:
                after = (queue, plus(left, self.first[c] + to), stopped)
                transitions.append(Transition(after, n * rate, NO_CLASS))
            if exit_rate:
                transitions += [
                    Transition(after, n * exit_rate * probability, c)
                    for after, probability in self._next(queue, left, stopped)
                ]
        return transitions

    def _interrupting(self, state: State, c: int, lowest: int) -> list[tuple[State, float]]:
        """A customer takes the server of one of the lowest rank, each with equal probability."""
        queue, busy, stopped = state
        victims = [(i, n) for i, n in enumerate(busy) if n and self.rank[self.owner[i]] == lowest]
        total = sum(n for _, n in victims)
        states = []
        for i, n in victims:
            d = self.owner[i]
            # A service time of one phase has no memory: an interrupted customer just waits.
            memoryless = len(self.station.service[d].start) == 1
            after = plus(queue, d) if memoryless else queue
            kept = stopped if memoryless else plus(stopped, i)
            for begun, probability in self._begun(after, plus(busy, i, -1), kept, c):
                states.append((begun, probability * n / total))
        return states

    def _begun(
        self, queue: Counts, busy: Counts, stopped: Counts, c: int
    ) -> list[tuple[State, float]]:
        """A customer of a class begins its service in one of the phases."""
        return [
            ((queue, plus(busy, self.first[c] + i), stopped), probability)
            for i, probability in enumerate(self.station.service[c].start)
            if probability
        ]

    def _next(self, queue: Counts, busy: Counts, stopped: Counts) -> list[tuple[State, float]]:
        """Who is served once a server is free."""
        if self.in_order and queue:
            return self._begun(queue[1:], busy, stopped, queue[0])
        waiting = [] if self.in_order else [self.rank[c] for c, n in enumerate(queue) if n]
        interrupted = self._ranks(stopped)
        if not waiting and not interrupted:
            return [((queue, busy, stopped), 1.0)]
        best = min(waiting + interrupted)
        if best in interrupted:  # they came before those of the same rank
            able = [(i, n) for i, n in enumerate(stopped) if n and self.rank[self.owner[i]] == best]
            total = sum(n for _, n in able)
            return [((queue, plus(busy, i), plus(stopped, i, -1)), n / total) for i, n in able]
        able = [(c, n) for c, n in enumerate(queue) if n and self.rank[c] == best]
        total = sum(n for _, n in able)
        return [
            (after, probability * n / total)
            for c, n in able
            for after, probability in self._begun(plus(queue, c, -1), busy, stopped, c)
        ]

    def _queued(self, queue: Counts, c: int) -> Counts:
        return (*queue, c) if self.in_order else plus(queue, c)

    def _ranks(self, present: Counts) -> list[int]:
        """Ranks of those in these phases."""
        return [self.rank[self.owner[i]] for i, n in enumerate(present) if n]


class QueueCTMC(StationCTMC):
    """The chain of a station that serves in order.

    ``population`` is most customers of each class present.
    """

    model: QueueStates

    def __init__(self, station: OrderedStation, population: Sequence[int]) -> None:
        in_order = station.discipline == "fcfs" and station.size_in_order(population) <= IN_ORDER
        super().__init__(QueueStates(station, in_order=in_order), population)
