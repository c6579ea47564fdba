"""The end of the warm-up by MSER-5.

Observations are averaged in fives. Without the first d of the n averages Y, the squared half width
of their mean is proportional to

    MSER(d) = sum over j > d of (Y_j - mean of Y_j, j > d)^2 / (n - d)^2,

and the warm-up ends where that is least [1]. A minimum in the second half of a series says that the
series is too short. Here the observations are means over the replications, which have less noise.

References
----------
.. [1] K. P. White, M. J. Cobb and S. C. Spratt, "A comparison of five steady-state truncation
   heuristics for simulation," Proc. Winter Simulation Conference, 2000, pp. 755-760.
"""

import numpy as np
from numpy.typing import NDArray

#: Observations in an average.
FIVE = 5


def truncation(series: NDArray[np.float64]) -> int | None:
    """How many observations the warm-up takes, or None if the series is too short to tell.

    Examples
    --------
    >>> noise = np.random.default_rng(1).normal(size=1000)
    >>> noise[:100] += np.linspace(9.0, 0.0, 100)
    >>> truncation(noise)
    95
    >>> truncation(np.linspace(9.0, 0.0, 1000)) is None
    True
    """
    n = len(series) // FIVE
    means = series[: n * FIVE].reshape(n, FIVE).mean(axis=1)
    left = np.arange(n, 0, -1)
    rest = np.cumsum(means[::-1])[::-1]
    squares = np.cumsum(means[::-1] ** 2)[::-1]
    variation = np.maximum(squares - rest**2 / left, 0.0) / left**2.0
    best = int(np.argmin(variation[: max(1, n - FIVE)]))
    return best * FIVE if best <= n // 2 else None
