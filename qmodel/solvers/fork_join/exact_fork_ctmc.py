"""The Markov chain of a fork whose classes take different times, told in order.

Branches serve in the order of arrival, so the visits in progress, in their order, and how many of
them each branch has done say all. That is exact, for any number of branches. What has too many
states is left to `two_branches`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial, inf
from typing import TYPE_CHECKING

from qmodel.solvers.markov.station_states import Forked, Local

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: States up to which visits are told in their order, of two branches and of more.
IN_ORDER, IN_ORDER_OF_MORE = 4_000, 12_000


class ForkedClasses:
    """The states and moves of a fork; rates of arrival are given when it is solved.

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
    """

    def __init__(
        self,
        service: Sequence[float],
        population: Sequence[int],
        branches: int = 2,
        most: int | None = None,
    ) -> None:
        import numpy as np

        self.population = tuple(population)
        most = sum(population) if most is None else most
        fork = Forked(service, branches)
        states: dict[Local, int] = {fork.empty: 0}
        waiting = [fork.empty]
        served: list[tuple[int, int]] = []
        rates: list[float] = []
        arrived: list[tuple[int, int, int]] = []
        present: dict[int, tuple[int, ...]] = {}

        def number(state: Local) -> int:
            if state not in states:
                states[state] = len(states)
                waiting.append(state)
            return states[state]

        while waiting:  # the list grows while it is read
            state = waiting.pop()
            here = states[state]
            counts = present[here] = fork.counts(state)
            for c, n in enumerate(counts):
                if n < population[c] and sum(counts) < most:
                    arrived += [(here, number(after), c) for after, _ in fork.arrivals(state, c)]
            for target, rate, _ in fork.moves(state):
                served.append((here, number(target)))
                rates.append(rate)
        self.states = len(states)
        self.counts = np.array([present[i] for i in range(self.states)], int)
        self.served = np.array(served, int).reshape(-1, 2)
        self.rates = np.array(rates)
        self.arrived = np.array(arrived, int).reshape(-1, 3)

    def solve(self, arrivals: Array) -> Array:
        """Probabilities of the visits in progress, shape (N_1 + 1, ... N_C + 1).

        Parameters
        ----------
        arrivals : array, shape (C, N_1 + 1, ... N_C + 1)
            Rate at which visits of each class start, by those in progress. [1/s]

        Examples
        --------
        >>> import numpy as np
        >>> fork = ForkedClasses([1.0, 4.0], [1, 0])  # one visit alone takes 3/2
        >>> fork.solve(np.array([[[1.0], [0.0]], [[0.0], [0.0]]])).round(9).tolist()
        [[0.4], [0.6]]
        """
        import numpy as np

        from qmodel.numerics.ctmc import stationary

        at = tuple(self.counts[self.arrived[:, 0]].T)
        rates = np.concatenate([self.rates, arrivals[(self.arrived[:, 2], *at)]])
        moves = np.concatenate([self.served, self.arrived[:, :2]])
        probability = stationary(self.states, moves[:, 0], moves[:, 1], rates)
        found = np.zeros(tuple(n + 1 for n in self.population))
        np.add.at(found, tuple(self.counts.T), probability)
        return found


def is_in_order(population: Sequence[int], branches: int) -> bool:
    """Whether there are few enough states."""
    return size(population, branches) <= (IN_ORDER if branches == 2 else IN_ORDER_OF_MORE)


def size(population: Sequence[int], branches: int, most: int | None = None) -> float:
    """How many states there are, with as many visits in progress at most; inf for very many."""
    there = [n for n in population if n]
    most = sum(there) if most is None else most
    if most > 16:
        return inf
    # In how many orders t visits can be, over t!: the coefficient of x^t in the product over
    # classes of 1 + x + x^2 / 2! + ... x^n / n!.
    orders = [1.0]
    for n in there:
        parts = [1.0 / factorial(i) for i in range(min(n, most) + 1)]
        orders = [
            sum(orders[t - i] * part for i, part in enumerate(parts) if 0 <= t - i < len(orders))
            for t in range(min(most, len(orders) + n - 1) + 1)
        ]
    last = branches - 1  # the branch that has done least has done none of those there
    return sum(
        round(share * factorial(t)) * float(comb(t + last, last)) for t, share in enumerate(orders)
    )
