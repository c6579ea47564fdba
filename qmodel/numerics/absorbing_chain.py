"""Absorbing continuous-time Markov chains, held as sparse arrays.

With the initial distribution alpha and the generator T of the transient states (rates between them,
minus the rate of leaving each on the diagonal), the time to absorption X is phase-type:
P(X > t) = alpha exp(T t) 1, with the absorption rates -T 1 [1].

References
----------
.. [1] M. F. Neuts, "Matrix-Geometric Solutions in Stochastic Models," Johns Hopkins University
   Press, 1981, ch. 2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qmodel.numerics.arrays import Array, Index


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
        exits: Array = self.absorption + np.bincount(self.source, self.rate, len(self.start))
        return exits

    @property
    def mean(self) -> float:
        """Mean time to absorption, given that it is not at once. [s]"""
        return float(self.occupancy.sum() / (self.occupancy @ self.absorption))
