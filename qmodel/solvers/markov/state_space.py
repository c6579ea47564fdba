"""State spaces of continuous-time Markov chains, explored breadth first.
Theory and sources: `qmodel/solvers/THEORY.md`, markov/state_space.
"""

from collections.abc import Callable, Hashable, Iterable
from math import inf
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

S = TypeVar("S", bound=Hashable)


class TooManyStates(Exception):
    """More states are reachable than were allowed."""


class StateSpace(Generic[S]):
    """The states that are reachable, and the transitions among them.

    The search starts at the ``initial`` states; ``transitions`` of a state are the state after
    each, its rate [1/s], and a label. Raises `TooManyStates` if more than ``most`` states are met.
    """

    def __init__(
        self, initial: Iterable[S], transitions: Callable[[S], Iterable[tuple[S, float, int]]],
        most: float = inf,
    ) -> None:  # fmt: skip
        number = {state: i for i, state in enumerate(dict.fromkeys(initial))}
        #: In the order in which they are met.
        self.states = list(number)
        source, target, rates, labels = [], [], [], []
        for i, state in enumerate(self.states):  # the list grows while it is read
            for after, rate, label in transitions(state):
                if (j := number.get(after)) is None:
                    j = number[after] = len(self.states)
                    self.states.append(after)
                source.append(i)
                target.append(j)
                rates.append(rate)
                labels.append(label)
            if len(self.states) > most:
                raise TooManyStates(f"more than {most:g} states")
        #: The numbers of the two states of each transition, its rate [1/s] and its label.
        self.source: NDArray[Any] = np.array(source, int)
        self.target: NDArray[Any] = np.array(target, int)
        self.rate = np.array(rates, float)
        self.label: NDArray[Any] = np.array(labels, int)
