"""How many branches of a fork are at its last visit, from how often one of them is.

The visit that has been in progress longest is over when all branches have done it. Let j of B
branches be at it still. What `two_branches` knows is the mean of j, and what it needs is how likely
j is 1: then the visit ends with the part that is being served.

Branches leave the visit one by one, so those states follow each other from the j it begins with
down to 1, and j lasts 1 / j as long as 1 does. It begins with all B where nobody was before it;
else with those that had done the visit before it and not yet this one: each of the others with some
probability x, or, as branches fall behind together, all of them with that probability. Which share
of the time they do so together is chosen for classes of equal times, whose response time is known
[1], at a utilization of 0.4. A mean above that of x = 1 says that another visit soon changes the
numbers in progress: then the j begun with are cut short at some rate.

References
----------
.. [1] S. Varma and A. M. Makowski, "Interpolation approximations for symmetric fork-join queues,"
   Performance Evaluation 20(1-3), 1994, pp. 245-265.
"""

from __future__ import annotations

from functools import cache
from math import comb, log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: By branches: how much of the time they fall behind together.
TOGETHER = {3: 0.355, 4: 0.368, 6: 0.387, 8: 0.400, 16: 0.431, 32: 0.461, 64: 0.492}
#: Points of the table that is interpolated, on either side of x = 1.
POINTS = 400


def together(branches: int) -> float:
    """How much of the time branches fall behind together.

    Examples
    --------
    >>> together(4), round(together(12), 3)
    (0.368, 0.418)
    """
    import numpy as np

    known = [log2(b) for b in TOGETHER]
    return float(np.interp(log2(branches), known, list(TOGETHER.values())))


def last_alone(branches: int, mean: Array) -> Array:
    """Probability that one branch only is at the last visit.

    Parameters
    ----------
    branches : int
        At least 2.
    mean : array
        Mean number of branches at it, 1 to `branches`.

    Examples
    --------
    >>> import numpy as np
    >>> last_alone(2, np.array([1.0, 1.25, 2.0])).tolist()  # either one or two
    [1.0, 0.75, 0.0]
    >>> last_alone(4, np.array([48 / 25])).round(4).tolist()  # 4 / H(4): it begins with all four
    [0.48]
    """
    import numpy as np

    if branches == 2:
        return np.asarray(2.0 - mean)
    means, alone = _table(branches, together(branches))
    return np.asarray(np.interp(mean, means, alone))


@cache
def _table(branches: int, beta: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Means of j and the probabilities of 1 that go with them, from 1 to all branches."""
    import numpy as np

    means, alone = [], []

    def add(weights: list[float]) -> None:
        total = sum(weights)
        means.append(sum(j * w for j, w in enumerate(weights, 1)) / total)
        alone.append(weights[0] / total)

    others = branches - 1
    for x in np.linspace(0.0, 1.0, POINTS).tolist():
        begins = [
            (1.0 - beta) * comb(others, i) * x**i * (1.0 - x) ** (others - i)
            for i in range(branches)
        ]
        begins[0] += beta * (1.0 - x)
        begins[-1] += beta * x
        add([sum(begins[j - 1 :]) / j for j in range(1, branches + 1)])
    for cut in np.geomspace(1e-3, 1e6, POINTS).tolist():
        weights = [1.0] * branches
        for j in range(others, 0, -1):
            weights[j - 1] = weights[j] * (j + 1) / (j + cut)
        add(weights)
    means.append(float(branches))
    alone.append(0.0)
    return tuple(means), tuple(alone)
