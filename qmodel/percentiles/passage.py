"""The time until a Markov chain ends, by its tail.

By steps of one rate; or, where that takes many, since some events are fast beside the end, and the
chain is not large, by a small chain in its place.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple, Protocol

from qmodel.percentiles.reduced import reduced
from qmodel.percentiles.steps import in_steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]

#: Events that are few, and states that are not many.
FEW, STATES = 2_000.0, 1_500


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


class Passage(Protocol):
    """The time until a chain ends."""

    @property
    def error(self) -> float:
        """About how much the tail is off by. [1]"""

    def tail(self, times: Array) -> Array:
        """P(T > t)."""

    def moments(self) -> tuple[float, float]:
        """Mean, and squared coefficient of variation. [s, 1]"""


def events(fastest: float, mean: float, nothing: float) -> float:
    """About how many events of the rate ``fastest`` it takes until ``nothing`` is left."""
    return fastest * mean * log(1.0 / nothing)


def passage(chain: Chain, nothing: float) -> Passage:
    """The time to the end.

    Parameters
    ----------
    chain : Chain
        The chain.
    nothing : float
        Less than this of the start is nothing, and so is a change of the tail. [1]

    Examples
    --------
    >>> import numpy as np
    >>> one, none = np.ones(1), np.zeros(0, int)
    >>> found = passage(Chain(one, none, none, np.zeros(0), 2.0 * one, one), 1e-12)
    >>> found.moments(), found.tail(np.array([0.5])).round(6).tolist()
    ((0.5, 1.0), [0.367879])
    """
    many = events(float(chain.total.max()), chain.mean, nothing) > FEW
    return reduced(chain) if many and len(chain.start) <= STATES else in_steps(chain, nothing)
