"""Throughput of one class at stations of one server or several, for large populations.

Buzen's convolution, X(N) = G(N - 1) / G(N), as filters over arrays: a station of m servers is m
weights and then a geometric series. All terms are positive. Each population has its own unit of
time, 1 / X as far as it is known, in which the terms around N are alike; the guess is taken anew
until it agrees, so that neither end leaves the range of floats.

References
----------
.. [1] J. P. Buzen, "Computational algorithms for closed queueing networks with exponential
   servers," Communications of the ACM 16(9), 1973, pp. 527-531.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Guesses of the throughput, and how close two of them must come. [1]
_GUESSES, _CLOSE = 60, 1e-3


def throughput_at(
    population: int, delay: float, demands: Sequence[float], servers: Sequence[int]
) -> float | None:
    """Throughput with some customers; None if floats cannot hold it.

    Parameters
    ----------
    population : int
        At least 1. [customers]
    delay : float
        Time that nobody queues for, > 0. [s]
    demands : sequence of float
        Of each station. [s]
    servers : sequence of int
        Of each of them.

    Examples
    --------
    >>> round(throughput_at(20, 2.0, [0.5], [4]), 4)
    7.1568
    """
    capacity = min(
        (m / d for d, m in zip(demands, servers, strict=True) if d), default=float("inf")
    )
    guess = min(population / (delay + sum(demands)), capacity)
    for _ in range(_GUESSES):
        found = _throughput(population, delay, demands, servers, guess)
        if found is None or abs(found / guess - 1.0) < _CLOSE:
            return found
        guess = found
    return None


def _throughput(
    population: int,
    delay: float,
    demands: Sequence[float],
    servers: Sequence[int],
    guess: float,
) -> float | None:
    import numpy as np
    from scipy.special import gammaln

    n = np.arange(population + 1)
    logs = n * np.log(delay * guess) - gammaln(n + 1.0)
    constants = np.exp(logs - logs.max())
    for demand, count in zip(demands, servers, strict=True):
        if not demand:
            continue
        load = demand * guess
        ratio = load / count
        # Weights load^j / j! below m customers; from there on each is the last times the ratio.
        head = [1.0]
        for j in range(1, count):
            head.append(head[-1] * load / j)
        # Split so that nothing is subtracted: the first weights, then the geometric rest.
        reached = max(0, population + 2 - count)
        sums = np.zeros_like(constants)
        sums[count - 1 :] = head[-1] * _geometric(ratio, constants)[:reached]
        for j, weight in enumerate(head[:-1]):
            sums[j:] += weight * constants[: max(0, population + 1 - j)]
        constants = sums
        largest = float(constants.max())
        if not np.isfinite(largest) or not largest:
            return None
        constants = constants / largest
    last, before = float(constants[-1]), float(constants[-2])
    if last < 1e-290 or before < 1e-290:
        return None
    return before / last * guess


def _geometric(ratio: float, terms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each term with all those before it, which count less by the ratio for each step."""
    import numpy as np
    from scipy.linalg.blas import dtbsv

    # y(n) - ratio y(n - 1) = x(n), by forward substitution.
    band = np.empty((2, len(terms)), order="F")
    band[0], band[1] = 1.0, -ratio
    found: NDArray[np.float64] = dtbsv(1, band, terms, lower=1, diag=1)
    return found
