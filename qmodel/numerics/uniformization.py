"""The time until a Markov chain ends, by steps of one rate.

With all events at one rate r, the number of events until the end has the tail a(i), the part of
the start that i steps leave: P(T > t) is the sum of a(i) over a Poisson number i of mean r t
(uniformization). The steps go on until nothing is left, or until each leaves the same part, as
then all later ones do.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.numerics.absorbing_chain import Chain

    Array = NDArray[np.float64]

#: Steps over which the part that is left must stay the same.
WINDOW = 24
#: Multiplications that are affordable, each step having so many at least.
WORK, STEP = 1e8, 8_000
#: Standard deviations of a Poisson number beyond which there is nothing of it, and a few more.
WIDE, MORE = 9.0, 40


@dataclass(frozen=True, slots=True)
class Steps:
    """So many events of one rate.

    Parameters
    ----------
    rate : float
        Of the events. [1/s]
    left : array, shape (I,)
        What is left after 0, 1, 2 ... events. [1]
    stays : float
        Part that each later event leaves of what is left. [1]
    error : float
        About how much the tail is off by. [1]
    """

    rate: float
    left: Array
    stays: float
    error: float

    def tail(self, times: Array) -> Array:
        """P(T > t)."""
        import numpy as np

        last = len(self.left) - 1
        found = np.empty(len(times))
        for i, time in enumerate(times):
            mean = float(self.rate * time)
            wide = WIDE * sqrt(mean) + MORE
            low, high = max(0, int(mean - wide)), int(mean + wide)
            number = np.arange(low, high + 1)
            logs = np.cumsum(np.log(mean / np.maximum(number, 1)))
            weight = np.exp(logs - logs.max())
            later = np.maximum(number - last, 0)
            left = self.left[np.minimum(number, last)] * self.stays**later
            found[i] = weight @ left / weight.sum()
        return found

    def moments(self) -> tuple[float, float]:
        """Mean, and squared coefficient of variation. [s, 1]"""
        import numpy as np

        number = np.arange(len(self.left))
        more = 1.0 / (1.0 - self.stays)
        later = self.left[-1] * self.stays * more
        mean = float(self.left.sum() + later) / self.rate
        second = 2.0 * float(self.left @ (number + 1.0) + later * (number[-1] + 1.0 + more))
        return mean, max(0.0, second / (self.rate * mean) ** 2 - 1.0)


def in_steps(chain: Chain, nothing: float) -> Steps:
    """The chain by steps of one rate."""
    import numpy as np
    from scipy.sparse import coo_matrix

    size = len(chain.start)
    every, total = np.arange(size), chain.total
    fastest = float(total.max())
    chances = np.append(chain.rate, fastest - total) / fastest
    ways = np.append(chain.target, every), np.append(chain.source, every)
    step: Any = coo_matrix((chances, ways), shape=(size, size)).tocsr()
    there, left, kept = chain.start, [float(chain.start.sum())], [0.0]
    most, error = WORK / (step.nnz + STEP), 1.0
    while error > nothing and len(left) < most:
        there = step @ there
        left.append(float(there.sum()))
        kept.append(left[-1] / left[-2])
        last = kept[-WINDOW:]
        error = left[-1]
        if len(last) == WINDOW and max(last) < 1.0:  # what is left changes by so little of itself
            error *= min(1.0, (max(last) - min(last)) / (1.0 - max(last)))
    return Steps(fastest, np.array(left), min(kept[-1], 1.0 - 1e-15), error)
