"""The time to absorption of a Markov chain by uniformization; see THEORY.md."""

from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from qmodel.numerics.arrays import Array, Index

#: Steps over which the ratio a(i + 1) / a(i) must have settled.
WINDOW = 24
#: Multiplications that are affordable, and what each step costs beside its own.
WORK, STEP = 1e8, 8_000
#: Half width of a Poisson distribution, in standard deviations, and a few more.
WIDE, MORE = 9.0, 40


@dataclass(frozen=True, slots=True)
class UniformizedChain:
    """A time to absorption as a random number of events of a Poisson process."""

    #: Of the events, r. [1/s]
    rate: float
    #: a(0), a(1) ..., shape (I,): the probability not to be absorbed after i events. [1]
    survival: Array
    #: a(i + 1) / a(i) beyond them. [1]
    decay: float
    #: Estimated error of the tail. [1]
    error: float

    def tail(self, times: Array) -> Array:
        """P(T > t)."""
        last = len(self.survival) - 1
        tails = np.empty(len(times))
        for i, time in enumerate(times):
            mean = float(self.rate * time)
            width = WIDE * sqrt(mean) + MORE
            number = np.arange(max(0, int(mean - width)), int(mean + width) + 1)
            logs = np.cumsum(np.log(mean / np.maximum(number, 1)))
            weight = np.exp(logs - logs.max())
            later = np.maximum(number - last, 0)
            survival = self.survival[np.minimum(number, last)] * self.decay**later
            tails[i] = weight @ survival / weight.sum()
        return tails

    def moments(self) -> tuple[float, float]:
        """Mean, and squared coefficient of variation. [s, 1]"""
        number = np.arange(len(self.survival))
        more = 1.0 / (1.0 - self.decay)
        later = self.survival[-1] * self.decay * more
        mean = float(self.survival.sum() + later) / self.rate
        second = 2.0 * float(self.survival @ (number + 1.0) + later * (number[-1] + 1.0 + more))
        return mean, max(0.0, second / (self.rate * mean) ** 2 - 1.0)


def uniformized(chain: "AbsorbingChain", negligible: float) -> UniformizedChain:
    """The time to absorption; ``negligible`` is the error of the tail that is asked for. [1]"""
    from scipy.sparse import coo_matrix

    size = len(chain.start)
    states, exit_rate = np.arange(size), chain.exit_rate
    fastest = float(exit_rate.max())
    entries = np.append(chain.rate, fastest - exit_rate) / fastest
    positions = np.append(chain.target, states), np.append(chain.source, states)
    step: Any = coo_matrix((entries, positions), shape=(size, size)).tocsr()
    state, survival, ratios = chain.start, [float(chain.start.sum())], [0.0]
    most, error = WORK / (step.nnz + STEP), 1.0
    while error > negligible and len(survival) < most:
        state = step @ state
        survival.append(float(state.sum()))
        ratios.append(survival[-1] / survival[-2])
        last = ratios[-WINDOW:]
        error = survival[-1]
        if len(last) == WINDOW and max(last) < 1.0:  # what the spread of the ratios can change
            error *= min(1.0, (max(last) - min(last)) / (1.0 - max(last)))
    return UniformizedChain(fastest, np.array(survival), min(ratios[-1], 1.0 - 1e-15), error)


class AbsorbingChain(NamedTuple):
    """The transient states of an absorbing chain."""

    #: Initial distribution alpha, shape (S,); what it lacks of 1 is absorbed at once.
    start: Array
    #: States of each transition, shape (M,).
    source: Index
    target: Index
    #: Of each transition, shape (M,). [1/s]
    rate: Array
    #: Rate of absorption from each state, shape (S,). [1/s]
    absorption: Array
    #: Mean time spent in each state, -alpha T^-1, but for a common factor, shape (S,).
    occupancy: Array

    @property
    def exit_rate(self) -> Array:
        """Rate of leaving each state, minus the diagonal of T. [1/s]"""
        return np.asarray(self.absorption + np.bincount(self.source, self.rate, len(self.start)))

    @property
    def mean(self) -> float:
        """Mean time to absorption, given that it is not at once. [s]"""
        return float(self.occupancy.sum() / (self.occupancy @ self.absorption))
