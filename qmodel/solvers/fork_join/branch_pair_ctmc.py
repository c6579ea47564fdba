"""A fork of classes with different times and too many states to tell their order: two branches.

Of all branches followed are the last one, which decides when visits end, and one of the others. A
state says how many of each class are in progress, how many of them the other branch has done that
the last one has not, and the class of the visit that each of the two is at; who is next is drawn
from those it may be, each with the same probability. Where it takes few states those that the other
branch has done are told from those it has not, of each class: who has done many has mostly done
short ones, and where that is forgotten the long ones come out up to 5 % too short.

Of two branches these are all. Of more, others may be at the last visit as well, so that it does not
end with the part that is being served, and so that who is with the last one falls behind it or
becomes it less often. How many there are follows, by `ties`, from how often the other branch
is there, given the visits in progress and the class of the last one, since all others do the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: States at most.
LARGEST = 30_000
#: Nobody, where a class is meant.
NOBODY = -1
#: How much of a new mean of branches at the last visit is taken over at a time.
TAKEN = 0.5
#: Moves: the other branch goes on, leaves the last one behind, and a visit ends.
ON, BEHIND, END = range(3)


class State(NamedTuple):
    """Where the two branches are.

    Attributes
    ----------
    waiting : tuple of tuple of int
        Of each class, those between the two branches and those after both; or all these together.
    lag : int
        Visits that the other branch has done and the last one has not.
    last : int
        Class of the visit the last branch is at; NOBODY where the other is with it, or nobody here.
    other : int
        Class of the visit the other branch is at; NOBODY where it has done all.
    """

    waiting: tuple[tuple[int, ...], ...]
    lag: int
    last: int
    other: int


class ForkedPairs:
    """The states and moves of two branches; rates of arrival are given when it is solved.

    Parameters
    ----------
    service : sequence of float
        Mean service time of a part of each class. [s]
    population : sequence of int
        Most visits of each class in progress.
    branches : int
        At least 2.
    most : int, optional
        Most visits of all classes in progress.
    apart : bool, optional
        Whether what the other branch has done is told from what it has not; if that takes few
        states.
    """

    def __init__(
        self,
        service: Sequence[float],
        population: Sequence[int],
        branches: int,
        most: int | None = None,
        *,
        apart: bool | None = None,
    ) -> None:
        import numpy as np

        self.service, self.population = tuple(service), tuple(population)
        self.branches = branches
        most = sum(population) if most is None else most
        self.apart = size_apart(population, most) <= LARGEST if apart is None else apart
        none = (0,) * len(population)
        nobody = State((none, none) if self.apart else (none,), 0, NOBODY, NOBODY)
        states = {nobody: 0}
        waiting = [nobody]
        served: list[tuple[int, int, int]] = []
        rates: list[float] = []
        arrived: list[tuple[int, int, int]] = []
        told: dict[int, tuple[tuple[int, ...], int, int]] = {}

        def number(state: State) -> int:
            if state not in states:
                states[state] = len(states)
                waiting.append(state)
            return states[state]

        while waiting:  # the list grows while it is read
            state = waiting.pop()
            here = states[state]
            counts = _counts(state)
            told[here] = counts, state.other if state.last == NOBODY else state.last, state.lag
            for c, n in enumerate(counts):
                if n < population[c] and sum(counts) < most:
                    arrived.append((here, number(_arrival(state, c)), c))
            for target, rate, kind in self._moves(state, sum(counts)):
                served.append((here, number(target), kind))
                rates.append(rate)
        self.states = len(states)
        self.counts = np.array([told[i][0] for i in range(self.states)], int)
        self.served = np.array(served, int).reshape(-1, 3)
        self.rates = np.array(rates)
        self.arrived = np.array(arrived, int).reshape(-1, 3)
        self.tied = np.array([told[i][2] == 0 for i in range(self.states)])
        numbers: dict[tuple[tuple[int, ...], int], int] = {}
        self.group = np.array(
            [numbers.setdefault(told[i][:2], len(numbers)) for i in range(self.states)]
        )

    def solve(self, arrivals: Array) -> Array | None:
        """Probabilities of the visits in progress, shape (N_1 + 1, ... N_C + 1).

        None if what the branches find at each other does not settle.

        Parameters
        ----------
        arrivals : array, shape (C, N_1 + 1, ... N_C + 1)
            Rate at which visits of each class start, by those in progress. [1/s]

        Examples
        --------
        >>> import numpy as np
        >>> fork = ForkedPairs([1.0], [1], 3)  # one visit alone takes 1 + 1/2 + 1/3
        >>> fork.solve(np.array([[1.0, 0.0]])).round(6).tolist()
        [0.352941, 0.647059]
        """
        import numpy as np

        from qmodel.numerics.nonlinear_ctmc import nonlinear_stationary
        from qmodel.solvers.fork_join.synchronization import last_alone

        at = tuple(self.counts[self.arrived[:, 0]].T)
        come = arrivals[(self.arrived[:, 2], *at)]
        moves = np.concatenate([self.served[:, :2], self.arrived[:, :2]])
        group, others = self.group[self.served[:, 0]], self.branches - 1
        kind = self.served[:, 2]
        groups = int(self.group.max()) + 1
        mean = np.full(groups, 1.0 + 0.25 * min(others, 2))

        def rates(probability: Array | None) -> Array:
            """Those where so many branches are at the last visit."""
            nonlocal mean
            if probability is not None:
                often = np.bincount(self.group, probability, groups)
                there = np.bincount(self.group, probability * self.tied, groups)
                share = np.divide(there, often, out=np.ones(groups), where=often > 1e-200)
                mean = (1.0 - TAKEN) * mean + TAKEN * (1.0 + others * share)
            alone = last_alone(self.branches, mean)
            share = (mean - 1.0) / others  # that the other branch is with the last one
            ends = np.divide(alone, 1.0 - share, out=np.zeros(groups), where=share < 1.0)
            # 1 / (j - 1) in the mean over who is with the last one: then the other becomes it.
            becomes = np.divide(1.0 - alone, mean - 1.0, out=np.ones(groups), where=mean > 1.0)
            factor = np.select(
                [kind == BEHIND, kind == END], [0.5 * (1.0 + becomes[group]), ends[group]], 1.0
            )
            return np.concatenate([self.rates * factor, come])

        found = np.zeros(tuple(n + 1 for n in self.population))
        probability = nonlinear_stationary(self.states, moves, rates, once=others == 1)
        if probability is None:
            return None
        np.add.at(found, tuple(self.counts.T), probability)
        return found

    def _moves(self, state: State, here: int) -> Iterator[tuple[State, float, int]]:
        """Where the end of a part leads to, at which rate for two branches, and what it is."""
        waiting, lag, last, other = state
        if other != NOBODY:
            tied = last == NOBODY
            rate = (2.0 if tied else 1.0) / self.service[other]
            for c, share in _draws(waiting[-1], here - lag - 1):
                left = _plus(waiting, -1, c, -1)
                if not tied:
                    left = _plus(left, 0, other)
                now = State(left, lag + 1, other if tied else last, c)
                yield now, rate * share, BEHIND if tied else ON
        if last != NOBODY:
            rate = 1.0 / self.service[last]
            for c, share in _draws(waiting[0], lag - 1):
                yield State(_plus(waiting, 0, c, -1), lag - 1, c, other), rate * share, END


def size(population: Sequence[int]) -> float:
    """About how many states there are at most."""
    apart = size_apart(population, sum(population))
    return apart if apart <= LARGEST else _together(population)


def size_apart(population: Sequence[int], most: int) -> float:
    """The same if what the other branch has done is told from what it has not.

    Examples
    --------
    >>> size_apart([4], 4), size_apart([4], 2)
    (15.0, 6.0)
    """
    there = [n for n in population if n]
    # Of n visits some are done, 0 to n: the coefficients of x^t, t in all at most.
    ways = [1.0]
    for n in there:
        ways = [
            sum(ways[t - i] * (i + 1) for i in range(min(n, t) + 1) if t - i < len(ways))
            for t in range(min(most, len(ways) + n - 1) + 1)
        ]
    return sum(ways) * len(there) ** 2


def _together(population: Sequence[int]) -> float:
    there = [n for n in population if n]
    return prod(n + 1 for n in there) * (sum(there) + 2) / 2 * len(there) ** 2


def _counts(state: State) -> tuple[int, ...]:
    """How many of each class are in progress."""
    found = [sum(numbers) for numbers in zip(*state.waiting, strict=True)]
    for c in (state.last, state.other):
        if c != NOBODY:
            found[c] += 1
    return tuple(found)


def _arrival(state: State, c: int) -> State:
    """Where the arrival of a class leads to."""
    if state.other == NOBODY:
        return state._replace(other=c)
    return state._replace(waiting=_plus(state.waiting, -1, c))


def _draws(numbers: tuple[int, ...], there: int) -> list[tuple[int, float]]:
    """The classes of those who may be next, each with its chance; NOBODY if none is there."""
    if not there:
        return [(NOBODY, 1.0)]
    total = sum(numbers)
    return [(c, n / total) for c, n in enumerate(numbers) if n]


def _plus(
    waiting: tuple[tuple[int, ...], ...], i: int, c: int, more: int = 1
) -> tuple[tuple[int, ...], ...]:
    if c == NOBODY:
        return waiting
    found = list(waiting)
    numbers = list(found[i])
    numbers[c] += more
    found[i] = tuple(numbers)
    return tuple(found)
