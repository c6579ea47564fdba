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
    """The transient states of an absorbing chain.

    Attributes
    ----------
    start : array, shape (S,)
        Initial distribution alpha; what it lacks of 1 is absorbed at once.
    source, target : array of int, shape (M,)
        States of each transition.
    rate : array, shape (M,)
        Of each transition. [1/s]
    absorption : array, shape (S,)
        Rate of absorption from each state. [1/s]
    occupancy : array, shape (S,)
        Mean time spent in each state, -alpha T^-1, but for a common factor.
    """

    start: Array
    source: Index
    target: Index
    rate: Array
    absorption: Array
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
