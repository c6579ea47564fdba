"""The Markov chain of one station where the order of service matters, arrivals depending on state.

A state says how many customers of each class wait, how many are served in each phase of their
service time, and, where a customer may be interrupted, in which phases those are who were. First
come, first served is told in order where that takes few states. Otherwise the next one is drawn
from those who wait, each with the same probability, which leaves the mean queue nearly as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, factorial, inf, prod
from typing import TYPE_CHECKING, NamedTuple

from qmodel.model.network import Network
from qmodel.model.stations import QueueingStation
from qmodel.numerics.phase_type import PhaseType, fit_phase_type

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: States up to which a queue is told in its order.
IN_ORDER = 4_000

#: Customers waiting of each class, or the classes of those who wait in their order; in service,
#: and interrupted, of each class and phase.
State = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


class OrderedStation(NamedTuple):
    """What the chain of a station depends on.

    Attributes
    ----------
    servers : int
        At least 1.
    discipline : str
        "fcfs", "priority" or "preemptive".
    priority : tuple of int
        Of each class; the lower is served first.
    service : tuple of PhaseType
        Service time of each class per visit.
    """

    servers: int
    discipline: str
    priority: tuple[int, ...]
    service: tuple[PhaseType, ...]

    @classmethod
    def of(cls, network: Network, classes: Sequence[int], k: int) -> OrderedStation:
        """A station of a network, for some of its classes."""
        station = network.stations[k]
        assert isinstance(station, QueueingStation)
        return cls(
            station.servers,
            station.discipline,
            tuple(network.classes[c].priority for c in classes),
            tuple(
                fit_phase_type(network.service_time_at(c, k) or 1.0, network.scv_at(c, k))
                for c in classes
            ),
        )

    def size(self, population: Sequence[int]) -> int:
        """An upper bound of the number of states, for closed classes of this population."""
        here = [c for c, n in enumerate(population) if n]
        if not here:
            return 1
        lengths = [len(self.service[c].rate) for c in here]
        lattice = 1
        for c in here:
            lattice *= population[c] + 1
        busy = min(self.servers, sum(population))
        found = lattice * comb(sum(lengths) + busy - 1, busy)
        if self.discipline == "preemptive":
            for length in sorted(lengths)[:-1]:
                found *= length
        return found


class OrderedChain:
    """The states and moves of a station; rates of arrival are given when it is solved.

    Parameters
    ----------
    station : OrderedStation
        The station.
    population : sequence of int
        Most customers of each class there.
    """

    def __init__(self, station: OrderedStation, population: Sequence[int]) -> None:
        import numpy as np

        self.station = station
        self.population = tuple(population)
        self.in_order = station.discipline == "fcfs" and _orders(station, population) <= IN_ORDER
        self.owner = [c for c, one in enumerate(station.service) for _ in one.rate]
        self.first: list[int] = []
        phases_before = 0
        for service in station.service:
            self.first.append(phases_before)
            phases_before += len(service.rate)
        none = (0,) * len(self.owner)
        nobody = () if self.in_order else (0,) * len(population)
        states: dict[State, int] = {(nobody, none, none): 0}
        waiting = list(states)
        served: list[tuple[int, int, float]] = []
        arrived: list[tuple[int, int, int, float]] = []
        present = []
        while waiting:  # the list grows while it is read
            state = waiting.pop()
            here = states[state]
            counts = self._present(state)
            present.append((here, counts))
            for c, n in enumerate(counts):
                if n < population[c]:
                    for target, share in self._arrival(state, c):
                        arrived.append((here, _number(states, target, waiting), c, share))
            for target, rate in self._completions(state):
                served.append((here, _number(states, target, waiting), rate))
        self.states, self.known = len(states), list(states)
        self.counts = np.zeros((self.states, len(population)), int)
        for here, counts in present:
            self.counts[here] = counts
        self.served = np.array([(a, b) for a, b, _ in served], int).reshape(-1, 2)
        self.rates = np.array([rate for _, _, rate in served])
        self.arrived = np.array([(a, b, c) for a, b, c, _ in arrived], int).reshape(-1, 3)
        self.shares = np.array([share for *_, share in arrived])

    def solve(self, arrivals: Array) -> Array:
        """Probabilities of the numbers present, shape (N_1 + 1, ... N_C + 1).

        Parameters
        ----------
        arrivals : array, shape (C, N_1 + 1, ... N_C + 1)
            Rate at which customers of each class arrive, by the numbers present. [1/s]
        """
        return self.by_number(self.probabilities(arrivals))

    def by_number(self, probability: Array) -> Array:
        """Sums of the probabilities of all states with the same numbers present."""
        import numpy as np

        found = np.zeros(tuple(n + 1 for n in self.population))
        np.add.at(found, tuple(self.counts.T), probability)
        return found

    def probabilities(self, arrivals: Array) -> Array:
        """Probability of each state, for arrivals as in `solve`."""
        import numpy as np

        from qmodel.numerics.ctmc import stationary

        at = tuple(self.counts[self.arrived[:, 0]].T)
        rates = np.concatenate([self.rates, self.shares * arrivals[(self.arrived[:, 2], *at)]])
        moves = np.concatenate([self.served, self.arrived[:, :2]])
        return stationary(self.states, moves[:, 0], moves[:, 1], rates)

    def _present(self, state: State) -> tuple[int, ...]:
        if self.in_order:
            counts = [state[0].count(c) for c in range(len(self.population))]
        else:
            counts = list(state[0])
        for part in state[1:]:
            for i, n in enumerate(part):
                counts[self.owner[i]] += n
        return tuple(counts)

    def _arrival(self, state: State, c: int) -> list[tuple[State, float]]:
        """Where the arrival of a class leads to, and how likely each."""
        queue, busy, stopped = state
        if sum(busy) < self.station.servers:
            return self._started(queue, busy, stopped, c)
        if self.station.discipline == "preemptive":
            mine = self.station.priority[c]
            least = max(self.station.priority[self.owner[i]] for i, n in enumerate(busy) if n)
            if least > mine:
                victims = [
                    (i, n)
                    for i, n in enumerate(busy)
                    if n and self.station.priority[self.owner[i]] == least
                ]
                total = sum(n for _, n in victims)
                found = []
                for i, n in victims:
                    rest = _plus(busy, i, -1)
                    d = self.owner[i]
                    # A service time of one phase has no memory: who was interrupted just waits.
                    alone = len(self.station.service[d].rate) == 1
                    back = _plus(queue, d) if alone else queue
                    kept = stopped if alone else _plus(stopped, i)
                    for target, share in self._started(back, rest, kept, c):
                        found.append((target, share * n / total))
                return found
        if self.in_order:
            return [(((*queue, c), busy, stopped), 1.0)]
        return [((_plus(queue, c), busy, stopped), 1.0)]

    def _started(
        self, queue: tuple[int, ...], busy: tuple[int, ...], stopped: tuple[int, ...], c: int
    ) -> list[tuple[State, float]]:
        return [
            ((queue, _plus(busy, self.first[c] + i), stopped), share)
            for i, share in enumerate(self.station.service[c].start)
            if share
        ]

    def _completions(self, state: State) -> list[tuple[State, float]]:
        """Where the end of a phase leads to, and at which rate."""
        queue, busy, stopped = state
        found = []
        for i, n in enumerate(busy):
            if not n:
                continue
            service = self.station.service[self.owner[i]]
            phase = i - self.first[self.owner[i]]
            rate, ends = n * service.rate[phase], service.ends[phase]
            left = _plus(busy, i, -1)
            if ends < 1.0:
                found.append(((queue, _plus(left, i + 1), stopped), rate * (1.0 - ends)))
            if ends:
                found += [
                    (target, rate * ends * share)
                    for target, share in self._next(queue, left, stopped)
                ]
        return found

    def _next(
        self, queue: tuple[int, ...], busy: tuple[int, ...], stopped: tuple[int, ...]
    ) -> list[tuple[State, float]]:
        """Who is served once a server is free."""
        if self.in_order:
            if not queue:
                return [((queue, busy, stopped), 1.0)]
            return self._started(queue[1:], busy, stopped, queue[0])
        priority = self.station.priority
        ordered = self.station.discipline != "fcfs"
        ranks = [priority[c] if ordered else 0 for c, n in enumerate(queue) if n]
        halted = [priority[self.owner[i]] for i, n in enumerate(stopped) if n]
        if not ranks and not halted:
            return [((queue, busy, stopped), 1.0)]
        best = min(ranks + halted)
        if best in halted:  # whoever was interrupted came before those of the same rank
            able = [(i, n) for i, n in enumerate(stopped) if n and priority[self.owner[i]] == best]
            total = sum(n for _, n in able)
            return [((queue, _plus(busy, i), _plus(stopped, i, -1)), n / total) for i, n in able]
        able = [(c, n) for c, n in enumerate(queue) if n and (not ordered or priority[c] == best)]
        total = sum(n for _, n in able)
        return [
            (target, share * n / total)
            for c, n in able
            for target, share in self._started(_plus(queue, c, -1), busy, stopped, c)
        ]


def _orders(station: OrderedStation, population: Sequence[int]) -> float:
    """About how many states there are if the queue is told in its order; inf for very many."""
    there = [n for n in population if n]
    if len(there) < 2 or sum(there) > 16:
        return inf
    orders = sum(
        factorial(sum(counts)) // prod(map(factorial, counts))
        for counts in product(*(range(n + 1) for n in there))
    )
    busy = sum(len(one.rate) for one, n in zip(station.service, population, strict=True) if n)
    return float(orders * comb(busy + station.servers - 1, station.servers))


def _plus(counts: tuple[int, ...], i: int, more: int = 1) -> tuple[int, ...]:
    return (*counts[:i], counts[i] + more, *counts[i + 1 :])


def _number(states: dict[State, int], state: State, waiting: list[State]) -> int:
    if state not in states:
        states[state] = len(states)
        waiting.append(state)
    return states[state]
