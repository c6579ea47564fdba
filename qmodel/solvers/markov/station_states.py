"""State models of stations: what a state is, where arrivals and services lead.
Theory and sources: `qmodel/solvers/THEORY.md`, markov/station_states.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from qmodel.errors import InternalError

#: In place of a class, where no customer leaves or arrives.
NO_CLASS = -1

Counts = tuple[int, ...]
#: A state; what it holds depends on the model.
State = tuple[Any, ...]


class Transition(NamedTuple):
    """The end of a service, or of a phase of one."""

    #: The next state.
    after: State
    #: [1/s]
    rate: float
    #: The class of the customer who leaves, or `NO_CLASS`.
    leaver: int


class StationStates(Protocol):
    """What a chain asks of a station."""

    #: The state without customers.
    empty: State

    def arrivals(self, state: State, c: int) -> list[tuple[State, float]]:
        """The states after the arrival of a class, and their probabilities."""
        ...

    def transitions(self, state: State) -> list[Transition]:
        """What may end next; a server that is free has begun its next service."""
        ...

    def counts(self, state: State) -> Counts:
        """Customers of each class."""
        ...


class CountStates:
    """Delay, processor sharing or load-dependent service: the state is the numbers present.

    ``times`` are the mean service times of a visit of each class, 0 where it does not come [s];
    ``speed`` is the rate of service with n >= 1 customers present, relative to that of one alone.
    """

    def __init__(self, times: Sequence[float], speed: Callable[[int], float]) -> None:
        self.times, self.speed = tuple(times), speed
        self.empty: State = (0,) * len(times)

    def arrivals(self, state: State, c: int) -> list[tuple[State, float]]:
        """See `StationStates`."""
        return [(plus(state, c), 1.0)]

    def transitions(self, state: State) -> list[Transition]:
        """See `StationStates`; all customers present share the service equally."""
        total = sum(state)
        return [
            Transition(plus(state, c, -1), self.speed(total) * n / total / self.times[c], c)
            for c, n in enumerate(state)
            if n
        ]

    def counts(self, state: State) -> Counts:
        """See `StationStates`."""
        return state


class ForkJoinStates:
    """A fork-join station: visits in order of arrival, and how many each branch has completed.

    Branches serve in order of arrival, so this says all, for any number of branches.

    ``times`` are the mean service times of a task of each class, 0 where it does not come. [s]
    """

    def __init__(self, times: Sequence[float], branches: int) -> None:
        self.times = tuple(times)
        self.empty: State = ((), (0,) * branches)

    def arrivals(self, state: State, c: int) -> list[tuple[State, float]]:
        """See `StationStates`."""
        line, completed = state
        return [(((*line, c), completed), 1.0)]

    def transitions(self, state: State) -> list[Transition]:
        """See `StationStates`; branches that have completed as many visits are lumped."""
        line, completed = state
        transitions = []
        for branch, n in enumerate(completed):  # the branch that has completed most comes first
            if n == len(line) or (branch and completed[branch - 1] == n):
                continue  # idle, or lumped with the branch before
            after = plus(completed, branch)
            rate = completed.count(n) / self.times[line[n]]
            if after[-1]:  # all branches have completed the first visit
                joined = (line[1:], tuple(n - 1 for n in after))
                transitions.append(Transition(joined, rate, line[0]))
            else:
                transitions.append(Transition((line, after), rate, NO_CLASS))
        return transitions

    def counts(self, state: State) -> Counts:
        """See `StationStates`."""
        line, _ = state
        return tuple(line.count(c) for c in range(len(self.times)))


class AdmissionQueueStates:
    """The customers outside a limit, in order of arrival, each with the station it is to enter."""

    def __init__(self, classes: int) -> None:
        self.classes = classes
        self.empty: State = ()

    def arrivals(self, state: State, c: int) -> list[tuple[State, float]]:
        """Never asked: `NetworkCTMC` appends customers with the station they are to enter."""
        raise InternalError(f"class {c} joined an admission queue {state} by itself")

    def transitions(self, state: State) -> list[Transition]:
        """See `StationStates`; there is no service."""
        del state
        return []

    def counts(self, state: State) -> Counts:
        """See `StationStates`."""
        waiting = [c for c, _ in state]
        return tuple(waiting.count(c) for c in range(self.classes))


def plus(counts: Counts, i: int, more: int = 1) -> Counts:
    """Counts with one of them changed."""
    return (*counts[:i], counts[i] + more, *counts[i + 1 :])
