"""The time until a Markov chain ends, by its tail.

By steps of one rate; or, where that takes many, since some events are fast beside the end, and the
chain is not large, by a small chain in its place.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Protocol

from qmodel.numerics.absorbing_chain import Chain
from qmodel.numerics.krylov_reduction import reduced
from qmodel.numerics.uniformization import in_steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Events that are few, and states that are not many.
FEW, STATES = 2_000.0, 1_500


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
