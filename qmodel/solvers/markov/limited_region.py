"""A region that admits a limited number of customers, and the admission queue outside it.
Theory and sources: `qmodel/solvers/THEORY.md`, markov/limited_region.
"""

from collections.abc import Callable, Sequence

import numpy as np

from qmodel.numerics.arrays import Array
from qmodel.solvers.markov.station_ctmc import StationCTMC
from qmodel.solvers.markov.station_states import Counts, State, Transition, plus

#: Throughput of each class with such numbers inside [1/s], and mean numbers of each class at each
#: station inside.
FlowEquivalent = Callable[[Counts], tuple[Sequence[float], Sequence[Sequence[float]]]]


class RegionStates:
    """States (inside, waiting): the numbers of each class.

    At most ``limit`` customers are inside, of the classes that are ``counted``; others are admitted
    at once. ``inside`` says what the region does with such numbers inside.
    """

    def __init__(self, limit: int, counted: Sequence[bool], inside: FlowEquivalent) -> None:
        self.limit, self.counted, self._inside = limit, counted, inside
        none = (0,) * len(counted)
        self.empty: State = (none, none)
        self._solved: dict[Counts, tuple[Sequence[float], Sequence[Sequence[float]]]] = {}

    def inside(self, counts: Counts) -> tuple[Sequence[float], Sequence[Sequence[float]]]:
        """Throughputs and queue lengths with such numbers inside, solved once."""
        if counts not in self._solved:
            self._solved[counts] = self._inside(counts)
        return self._solved[counts]

    def arrivals(self, state: State, c: int) -> list[tuple[State, float]]:
        """See `StationStates`."""
        inside, waiting = state
        full = sum(n for n, counted in zip(inside, self.counted, strict=True) if counted)
        if self.counted[c] and full >= self.limit:
            return [((inside, plus(waiting, c)), 1.0)]
        return [((plus(inside, c), waiting), 1.0)]

    def transitions(self, state: State) -> list[Transition]:
        """See `StationStates`."""
        inside, waiting = state
        throughput, _ = self.inside(inside)
        transitions = []
        for c, n in enumerate(inside):
            if not n:
                continue
            left = plus(inside, c, -1)
            total = sum(waiting) if self.counted[c] else 0
            if not total:
                transitions.append(Transition((left, waiting), throughput[c], c))
                continue
            for d, m in enumerate(waiting):
                if m:
                    after = (plus(left, d), plus(waiting, d, -1))
                    transitions.append(Transition(after, throughput[c] * m / total, c))
        return transitions

    def counts(self, state: State) -> Counts:
        """See `StationStates`."""
        return tuple(n + m for n, m in zip(*state, strict=True))


class RegionCTMC(StationCTMC):
    """The chain of a limited region.

    ``population`` is most customers of each class present, inside or waiting; the others are as in
    `RegionStates`.
    """

    def __init__(
        self, population: Sequence[int], limit: int, counted: Sequence[bool], inside: FlowEquivalent
    ) -> None:
        model = RegionStates(limit, counted, inside)
        super().__init__(model, population)
        states = self.space.states
        self._waiting = np.array([waiting for _, waiting in states], int)
        self._queues = np.array([model.inside(inside)[1] for inside, _ in states])

    def means(self, probability: Array) -> Array:
        """Mean numbers of each class waiting, and at each station inside, shape (C, 1 + K)."""
        waiting = probability @ self._waiting
        queues = np.tensordot(probability, self._queues, axes=1)
        return np.concatenate([waiting[:, None], queues], axis=1)
