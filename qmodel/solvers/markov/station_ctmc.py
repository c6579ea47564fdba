"""A station, or a region, as a Markov chain of its own with state-dependent arrivals.
Theory and sources: `qmodel/solvers/THEORY.md`, markov/station_ctmc.
"""

from collections.abc import Iterator, Sequence
from math import inf

import numpy as np

from qmodel.numerics.arrays import Array
from qmodel.numerics.ctmc import stationary
from qmodel.solvers.markov.state_space import StateSpace
from qmodel.solvers.markov.station_states import NO_CLASS, State, StationStates


class StationCTMC:
    """The chain of a station; arrival rates are given when it is solved.

    ``population`` is most customers of each class present, ``most`` those of all classes; arrivals
    beyond it are lost.
    """

    def __init__(self, model: StationStates, population: Sequence[int], most: float = inf) -> None:
        self.model, self.population = model, tuple(population)

        def transitions(state: State) -> Iterator[tuple[State, float, int]]:
            counts = model.counts(state)
            if sum(counts) < most:
                for c, n in enumerate(counts):
                    if n < population[c]:
                        for after, probability in model.arrivals(state, c):
                            yield after, probability, c
            for after, rate, _ in model.transitions(state):
                yield after, rate, NO_CLASS

        #: Arrivals are labelled with their class, other transitions with `NO_CLASS`.
        self.space = StateSpace([model.empty], transitions)
        #: Customers of each class in each state, shape (states, C).
        self.counts = np.array([model.counts(s) for s in self.space.states], int)
        self._arriving = np.flatnonzero(self.space.label != NO_CLASS)

    def rates(self, arrivals: Array) -> Array:
        """Rates of all transitions, given lambda_c(n), shape (C, N_1 + 1, ... N_C + 1). [1/s]"""
        space, arriving = self.space, self._arriving
        present = self.counts[space.source[arriving]].T
        rates = space.rate.copy()
        rates[arriving] *= arrivals[(space.label[arriving], *present)]
        return rates

    def stationary(self, arrivals: Array) -> Array:
        """Stationary distribution p over the states."""
        space = self.space
        return stationary(len(space.states), space.source, space.target, self.rates(arrivals))

    def marginal(self, probability: Array) -> Array:
        """P(n), shape (N_1 + 1, ... N_C + 1), of a distribution over the states."""
        marginal = np.zeros(tuple(n + 1 for n in self.population))
        np.add.at(marginal, tuple(self.counts.T), probability)
        return marginal
