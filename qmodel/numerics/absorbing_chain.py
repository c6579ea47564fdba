"""An absorbing Markov chain as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]


class Chain(NamedTuple):
    """States that end sometime.

    Attributes
    ----------
    start : array, shape (S,)
        Probability of each at first; what they lack of 1 takes no time.
    source, target : array of int, shape (M,)
        Of each move.
    rate : array, shape (M,)
        Of each move. [1/s]
    leave : array, shape (S,)
        At which each state ends. [1/s]
    often : array, shape (S,)
        How long the chain is in each state in the mean, but for a factor.
    """

    start: Array
    source: Index
    target: Index
    rate: Array
    leave: Array
    often: Array

    @property
    def total(self) -> Array:
        """Rate at which anything happens, by state. [1/s]"""
        import numpy as np

        found: Array = self.leave + np.bincount(self.source, self.rate, len(self.start))
        return found

    @property
    def mean(self) -> float:
        """Mean time to the end of those who take any. [s]"""
        return float(self.often.sum() / (self.often @ self.leave))
