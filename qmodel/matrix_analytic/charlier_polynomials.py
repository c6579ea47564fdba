"""Charlier polynomials of several independent Poisson counts, as a basis of functions of them.

Products of Charlier polynomials C_k(n; a) are orthogonal for independent Poisson counts of means
a_j [1, sec. 9.14]. Normalised, and ordered by total degree, p_k with powers k_j, they obey

    p_k(n + e_j) - p_k(n) = sqrt(k_j / a_j) p_(k - e_j)(n),
    n_j p_k(n - e_j)      = sqrt(a_j (k_j + 1)) p_(k + e_j)(n) + a_j p_k(n),

so that arrivals and departures of a Markov chain of counts are sparse matrices on them.

References
----------
.. [1] R. Koekoek, P. A. Lesky and R. F. Swarttouw, "Hypergeometric Orthogonal Polynomials and Their
   q-Analogues," Springer, 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, sqrt
from typing import NamedTuple

import numpy as np

from qmodel.numerics.arrays import Array


class CharlierOperators(NamedTuple):
    """Operators on functions of the counts, in the basis of P polynomials; by count j."""

    #: f(n + e_j) - f(n), shape (P, P).
    arrival: tuple[Array, ...]
    #: n_j f(n - e_j), without the powers above the degree, shape (P, P): its L2 projection.
    departure: tuple[Array, ...]
    #: n_j (f(n - e_j) - f(n)), shape (P, P).
    death: tuple[Array, ...]


def basis_size(counts: int, degree: int) -> int:
    """Number P of polynomials of this total degree at most.

    Examples
    --------
    >>> basis_size(2, 2)  # 1, x, y, xx, xy, yy
    6
    """
    return comb(counts + degree, degree)


def charlier_operators(means: Sequence[float], degree: int) -> CharlierOperators:
    """The operators for counts of these means a_j; the polynomial 1 is the first of the basis.

    Examples
    --------
    >>> operators = charlier_operators([4.0], 1)
    >>> operators.departure[0].tolist()  # n = 4 + 2 p_1
    [[4.0, 0.0], [2.0, 4.0]]
    """
    counts = range(len(means))
    powers = [k for k in product(range(degree + 1), repeat=len(means)) if sum(k) <= degree]
    powers.sort(key=lambda k: (sum(k), k))
    index = {k: i for i, k in enumerate(powers)}
    arrival, departure, death = [], [], []
    for j, mean in enumerate(means):
        down, up = (np.zeros((len(powers), len(powers))) for _ in range(2))
        for k, i in index.items():
            above = index.get(tuple(power + (m == j) for m, power in zip(counts, k, strict=True)))
            if above is not None:
                down[i, above] = sqrt((k[j] + 1) / mean)
                up[above, i] = sqrt((k[j] + 1) * mean)
        arrival.append(down)
        departure.append(up + mean * np.eye(len(powers)))
        death.append(-np.diag([float(k[j]) for k in powers]) - mean * down)
    return CharlierOperators(tuple(arrival), tuple(departure), tuple(death))
