"""What a place does in the Markov chain of a whole network: stations, thinking, and lines outside.

A place has states of its own. It says where the arrival of a class leads to, what ends there and
at which rate, how many of each class a state holds, and how many states there are with so many.
Stations that serve in order are in `ordered_place`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any, NamedTuple, Protocol

from qmodel.errors import InternalError

#: No class, where nobody leaves.
NOBODY = -1

Counts = tuple[int, ...]
#: A state of a place: what it holds depends on the kind of place.
Local = tuple[Any, ...]


class Move(NamedTuple):
    """Something that ends at a place.

    Attributes
    ----------
    after : tuple
        The state it leads to.
    rate : float
        [1/s]
    leaver : int
        The class of the customer who leaves, or `NOBODY`.
    """

    after: Local
    rate: float
    leaver: int


class Place(Protocol):
    """What a chain asks of a place."""

    #: The state without customers.
    empty: Local

    def arrivals(self, state: Local, c: int) -> list[tuple[Local, float]]:
        """Where the arrival of a class leads to, and how likely each."""
        ...

    def moves(self, state: Local) -> list[Move]:
        """What may end next; whoever can has taken the place of one who leaves."""
        ...

    def counts(self, state: Local) -> Counts:
        """How many of each class are there."""
        ...

    def size(self, counts: Counts) -> int:
        """An upper bound of the number of states with so many of each class."""
        ...


class Counted:
    """A place where numbers say all: delays, processor sharing, speeds that depend on numbers.

    Parameters
    ----------
    times : sequence of float
        Mean time a visit of each class takes alone, 0 where it does not come. [s]
    speed : callable
        How many visits' worth of work is done per unit of time with n >= 1 customers there. [1]
    """

    def __init__(self, times: Sequence[float], speed: Callable[[int], float]) -> None:
        self.times, self.speed = tuple(times), speed
        self.empty: Local = (0,) * len(times)

    def arrivals(self, state: Local, c: int) -> list[tuple[Local, float]]:
        """See `Place`."""
        return [(_plus(state, c, 1), 1.0)]

    def moves(self, state: Local) -> list[Move]:
        """See `Place`; all there share what is done equally."""
        total = sum(state)
        return [
            Move(_plus(state, c, -1), self.speed(total) * n / total / self.times[c], c)
            for c, n in enumerate(state)
            if n
        ]

    def counts(self, state: Local) -> Counts:
        """See `Place`."""
        return state

    def size(self, counts: Counts) -> int:
        """See `Place`."""
        del counts
        return 1


class Forked:
    """A fork: the visits in their order, and how many of them each branch has done, most first.

    Parameters
    ----------
    times : sequence of float
        Mean time of a part of each class, 0 where it does not come. [s]
    branches : int
        At least 2.

    Examples
    --------
    >>> mirror = Forked([0.5], 2)
    >>> (state, _), = mirror.arrivals(mirror.empty, 0)
    >>> mirror.moves(state)
    [Move(after=((0,), (1, 0)), rate=4.0, leaver=-1)]
    """

    def __init__(self, times: Sequence[float], branches: int) -> None:
        self.times, self.branches = tuple(times), branches
        self.empty: Local = ((), (0,) * branches)

    def arrivals(self, state: Local, c: int) -> list[tuple[Local, float]]:
        """See `Place`."""
        line, done = state
        return [(((*line, c), done), 1.0)]

    def moves(self, state: Local) -> list[Move]:
        """See `Place`; branches that have done as many are as one that is as quick as all."""
        line, done = state
        found = []
        for branch, so_far in enumerate(done):
            if so_far == len(line) or (branch and done[branch - 1] == so_far):
                continue  # idle, or counted with the branch before
            alike = done.count(so_far)
            # The first of them is the next to have done more, which leaves the order as it is.
            now = (*done[:branch], so_far + 1, *done[branch + 1 :])
            first = line[so_far]
            rate = alike / self.times[first]
            if now[-1]:  # all branches have done the first visit
                found.append(Move((line[1:], tuple(n - 1 for n in now)), rate, first))
            else:
                found.append(Move((line, now), rate, NOBODY))
        return found

    def counts(self, state: Local) -> Counts:
        """See `Place`."""
        line, _ = state
        return tuple(line.count(c) for c in range(len(self.times)))

    def size(self, counts: Counts) -> int:
        """See `Place`."""
        last = self.branches - 1  # the branch that has done least has done none of those there
        return orders(counts) * comb(sum(counts) + last, last)


class Line:
    """Those whom a limit keeps outside, in their order, each with the place it is to enter.

    Parameters
    ----------
    entries : sequence of int
        How many places each class may be about to enter; 0 where it never waits.
    """

    def __init__(self, entries: Sequence[int]) -> None:
        self.entries = tuple(entries)
        self.empty: Local = ()

    def arrivals(self, state: Local, c: int) -> list[tuple[Local, float]]:
        """Not here: who comes is put in line with the place it is to enter, by `NetworkChain`."""
        raise InternalError(f"class {c} came to a line {state} by itself")

    def moves(self, state: Local) -> list[Move]:
        """See `Place`; nothing ends there by itself."""
        del state
        return []

    def counts(self, state: Local) -> Counts:
        """See `Place`."""
        waiting = [c for c, _ in state]  # and the place it is to enter
        return tuple(waiting.count(c) for c in range(len(self.entries)))

    def size(self, counts: Counts) -> int:
        """See `Place`."""
        found = orders(counts)
        for entries, n in zip(self.entries, counts, strict=True):
            found *= entries**n
        return found


def orders(counts: Sequence[int]) -> int:
    """In how many orders so many of each class can stand.

    Examples
    --------
    >>> orders((2, 1))
    3
    """
    found, total = 1, 0
    for n in counts:
        total += n
        found *= comb(total, n)
    return found


def _plus(counts: Counts, c: int, more: int) -> Counts:
    return (*counts[:c], counts[c] + more, *counts[c + 1 :])
