"""A fork-join station of several classes: the Markov chain of two of its branches.

Original. Theory: `qmodel/solvers/THEORY.md`, fork_join/branch_pair_ctmc.
"""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from qmodel.errors import NotApplicable
from qmodel.numerics.arrays import Array
from qmodel.numerics.nonlinear_ctmc import nonlinear_stationary
from qmodel.solvers.fork_join.synchronization import one_branch_left
from qmodel.solvers.markov.station_ctmc import StationCTMC
from qmodel.solvers.markov.station_states import NO_CLASS, Counts, State, Transition, plus

#: States at most.
LARGEST = 20_000
#: Share of a new mean number of branches at the last visit that is taken over in each step.
DAMPING = 0.5
#: Probability of as many visits in progress as a truncated chain holds up to which it is used:
#: one that tells completed visits apart, and one that does not.
RARE, SELDOM = 1e-3, 1e-2


class Pair(NamedTuple):
    """A state of the two branches."""

    #: Visits in progress that neither branch serves, by class: those between the two branches and
    #: those after both; or all of these together.
    waiting: tuple[Counts, ...]
    #: Visits that the other branch has completed and the last one has not.
    lag: int
    #: Class of the visit the last branch serves; NO_CLASS where the other is level with it.
    last: int
    #: Class of the visit the other branch serves; NO_CLASS where it has completed all.
    other: int


class BranchPairStates:
    """States of the last branch and one of the others.

    ``times`` are the mean service times of a task of each class [s]; ``apart`` is whether visits
    that the other branch has completed are told from those it has not.
    """

    def __init__(self, times: Sequence[float], *, apart: bool) -> None:
        self.times = tuple(times)
        none = (0,) * len(self.times)
        self.empty: State = Pair((none, none) if apart else (none,), 0, NO_CLASS, NO_CLASS)

    def arrivals(self, state: State, c: int) -> list[tuple[State, float]]:
        """See `StationStates`."""
        waiting, lag, last, other = state
        if other == NO_CLASS:
            return [(Pair(waiting, lag, last, c), 1.0)]
        return [(Pair((*waiting[:-1], plus(waiting[-1], c)), lag, last, other), 1.0)]

    def transitions(self, state: State) -> list[Transition]:
        """See `StationStates`, at the rates of a fork of two branches."""
        waiting, lag, last, other = state
        transitions = []
        if other != NO_CLASS:
            level = last == NO_CLASS
            rate = (2.0 if level else 1.0) / self.times[other]
            ahead = sum(self.counts(state)) - lag - 1
            for c, probability in _draws(waiting[-1], ahead):
                left = waiting if c == NO_CLASS else (*waiting[:-1], plus(waiting[-1], c, -1))
                if not level:
                    left = (plus(left[0], other), *left[1:])
                after = Pair(left, lag + 1, other if level else last, c)
                transitions.append(Transition(after, rate * probability, NO_CLASS))
        if last != NO_CLASS:
            for c, probability in _draws(waiting[0], lag - 1):
                left = waiting if c == NO_CLASS else (plus(waiting[0], c, -1), *waiting[1:])
                after = Pair(left, lag - 1, c, other)
                transitions.append(Transition(after, probability / self.times[last], last))
        return transitions

    def counts(self, state: State) -> Counts:
        """See `StationStates`."""
        counts = [sum(numbers) for numbers in zip(*state[0], strict=True)]
        for c in state[2:]:
            if c != NO_CLASS:
                counts[c] += 1
        return tuple(counts)


class BranchPairCTMC(StationCTMC):
    """The chain of two of at least 2 ``branches`` of a fork.

    ``population`` is most visits of each class in progress, ``most`` those of all classes, beyond
    which they are lost; ``times`` and ``apart`` are those of `BranchPairStates`.
    """

    def __init__(
        self, times: Sequence[float], population: Sequence[int], branches: int, most: float = inf,
        *, apart: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(BranchPairStates(times, apart=apart), population, most)
        self.branches = branches
        states = [Pair(*state) for state in self.space.states]
        served = [s.other if s.last == NO_CLASS else s.last for s in states]
        keys = zip(map(tuple, self.counts.tolist()), served, strict=True)
        numbers: dict[tuple[Counts, int], int] = {}
        #: States with the same numbers in progress and the same class of the last visit.
        self._group = np.array([numbers.setdefault(key, len(numbers)) for key in keys])
        lag = np.array([s.lag for s in states])
        self._level = lag == 0
        source, target = self.space.source, self.space.target
        self._ends = lag[target] < lag[source]
        self._splits = self._level[source] & (lag[target] > 0)

    def stationary(self, arrivals: Array) -> Array:
        """Stationary distribution over the states.

        Raises `NotApplicable` if the nonlinear equations do not converge.
        """
        two, others = self.rates(arrivals), self.branches - 1
        group = self._group[self.space.source]
        groups = int(self._group.max()) + 1
        mean = np.full(groups, 1.0 + 0.25 * min(others, 2))

        def rates(probability: Array | None) -> Array:
            """Those of all branches, at this distribution."""
            nonlocal mean
            if probability is not None:
                total = np.bincount(self._group, probability, groups)
                level = np.bincount(self._group, probability * self._level, groups)
                share = np.divide(level, total, out=np.ones(groups), where=total > 1e-200)
                mean = (1.0 - DAMPING) * mean + DAMPING * (1.0 + others * share)
            alone = one_branch_left(self.branches, mean)
            share = (mean - 1.0) / others  # that the other branch is level with the last one
            ends = np.divide(alone, 1.0 - share, out=np.zeros(groups), where=share < 1.0)
            # 1 / (j - 1) in the mean over the branches that are level: then the other is the last.
            becomes = np.divide(1.0 - alone, mean - 1.0, out=np.ones(groups), where=mean > 1.0)
            splits = 0.5 * (1.0 + becomes)
            factor = np.where(self._ends, ends[group], np.where(self._splits, splits[group], 1.0))
            return np.asarray(two * factor)

        moves = np.stack([self.space.source, self.space.target], axis=1)
        states = len(self.space.states)
        probability = nonlinear_stationary(states, moves, rates, once=others == 1)
        if probability is None:
            raise NotApplicable("marie: the branches of a fork do not converge")
        return probability


def largest_total(population: Sequence[int], *, apart: bool) -> int:
    """Most visits of all classes in progress with which there are no more than `LARGEST` states."""
    visits = [n for n in population if n]
    classes = range(len(visits))
    serving = [plus(tuple(visits), a, -1) for a in classes]
    one = [_arrangements(waiting, apart=False) for waiting in serving]
    both = [
        _arrangements(plus(waiting, b, -1), apart=apart)
        for waiting in serving
        for b in classes
        if waiting[b]
    ]
    states = 1
    for total in range(1, sum(visits) + 1):
        # The two branches are level or one has completed all; or both serve, at some lag.
        states += 2 * sum(ways[total - 1] for ways in one)
        if total > 1:
            states += sum(ways[total - 2] for ways in both) * (1 if apart else total - 1)
        if states > LARGEST:
            return total - 1
    return sum(visits)


def _arrangements(waiting: Counts, *, apart: bool) -> list[int]:
    """In how many ways 0, 1 ... visits wait, of at most so many: between the branches or after."""
    ways = [1]
    for n in waiting:
        factor = [i + 1 if apart else 1 for i in range(n + 1)]
        ways = [
            sum(ways[t - i] * factor[i] for i in range(n + 1) if 0 <= t - i < len(ways))
            for t in range(len(ways) + n)
        ]
    return ways


def _draws(numbers: Counts, present: int) -> list[tuple[int, float]]:
    """Who may be served next, and with which probability; NO_CLASS if none is present."""
    if not present:
        return [(NO_CLASS, 1.0)]
    total = sum(numbers)
    return [(c, n / total) for c, n in enumerate(numbers) if n]
