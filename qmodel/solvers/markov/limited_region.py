"""A part of a network that lets in a limited number of customers, and those who wait outside.

The part alone, with the customers who are inside, has throughputs that stand for it: the
flow-equivalent server of Chandy, Herzog and Woo [1], here one rate for each class and each mix of
classes inside. Who finds it full waits; whenever a customer leaves that counts, one of those
waiting is let in, each with the same probability. One class is the classic memory queue [2].

References
----------
.. [1] K. M. Chandy, U. Herzog and L. Woo, "Parametric analysis of queuing networks," IBM Journal
   of Research and Development 19(1), 1975, pp. 36-42.
.. [2] E. D. Lazowska, J. Zahorjan, G. S. Graham and K. C. Sevcik, "Quantitative System
   Performance," Prentice-Hall, 1984, ch. 9.3 (one class), 9.4 (several).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Counts = tuple[int, ...]
#: Throughput of each class with so many inside, and how many of each class are at each station.
Inside = Callable[[Counts], tuple[Sequence[float], Sequence[Sequence[float]]]]


class LimitedChain:
    """The states and moves of a limited part; rates of arrival are given when it is solved.

    Parameters
    ----------
    population : sequence of int
        Most customers of each class there, inside or waiting.
    limit : int
        Most that may be inside of those that count.
    counts : sequence of bool
        Whether each class counts; others go in at once.
    inside : callable
        What the part does with so many of each class inside.
    """

    def __init__(
        self, population: Sequence[int], limit: int, counts: Sequence[bool], inside: Inside
    ) -> None:
        import numpy as np

        self.population = tuple(population)
        classes = range(len(population))
        none = (0,) * len(population)
        states: dict[tuple[Counts, Counts], int] = {(none, none): 0}
        waiting = list(states)
        served, arrived = [], []
        queues: dict[Counts, tuple[Sequence[float], Sequence[Sequence[float]]]] = {}
        while waiting:
            state = waiting.pop()
            here = states[state]
            inner, outer = state
            if inner not in queues:
                queues[inner] = inside(inner)
            full = sum(n for c, n in enumerate(inner) if counts[c]) >= limit
            for c in classes:
                if inner[c] + outer[c] < population[c]:
                    target = (
                        (inner, _plus(outer, c)) if full and counts[c] else (_plus(inner, c), outer)
                    )
                    arrived.append((here, _number(states, target, waiting), c))
                if not inner[c]:
                    continue
                rate, left = queues[inner][0][c], _plus(inner, c, -1)
                able = [(d, n) for d, n in enumerate(outer) if n] if counts[c] else []
                total = sum(n for _, n in able)
                if not total:
                    served.append((here, _number(states, (left, outer), waiting), rate))
                for d, n in able:
                    target = (_plus(left, d), _plus(outer, d, -1))
                    served.append((here, _number(states, target, waiting), rate * n / total))
        self.states = len(states)
        self.inner = np.array([inner for inner, _ in states], int)
        self.outer = np.array([outer for _, outer in states], int)
        self.moves = np.array([(a, b) for a, b, _ in served], int).reshape(-1, 2)
        self.rates = np.array([rate for *_, rate in served])
        self.arrived = np.array(arrived, int).reshape(-1, 3)
        #: Customers of each class at each station inside, by state, shape (states, C, K).
        self.queues = np.array([queues[inner][1] for inner, _ in states])

    def solve(self, arrivals: Array) -> tuple[Array, Array, Array]:
        """Probabilities of the numbers there; mean numbers waiting, and at the stations inside.

        Parameters
        ----------
        arrivals : array, shape (C, N_1 + 1, ... N_C + 1)
            Rate at which customers of each class arrive, by the numbers present. [1/s]

        Returns
        -------
        probability : array, shape (N_1 + 1, ... N_C + 1)
        waiting : array, shape (C,)
        queues : array, shape (C, K)
        """
        import numpy as np

        from qmodel.numerics.ctmc import stationary

        present = self.inner + self.outer
        at = tuple(present[self.arrived[:, 0]].T)
        rates = np.concatenate([self.rates, arrivals[(self.arrived[:, 2], *at)]])
        moves = np.concatenate([self.moves, self.arrived[:, :2]])
        probability = stationary(self.states, moves[:, 0], moves[:, 1], rates)
        found = np.zeros(tuple(n + 1 for n in self.population))
        np.add.at(found, tuple(present.T), probability)
        waiting = probability @ self.outer
        return found, waiting, np.tensordot(probability, self.queues, axes=1)


def _plus(counts: Counts, i: int, more: int = 1) -> Counts:
    return (*counts[:i], counts[i] + more, *counts[i + 1 :])


def _number(
    states: dict[tuple[Counts, Counts], int],
    state: tuple[Counts, Counts],
    waiting: list[tuple[Counts, Counts]],
) -> int:
    if state not in states:
        states[state] = len(states)
        waiting.append(state)
    return states[state]
