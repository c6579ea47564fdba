"""Functions of several numbers that go up and down by one: polynomials, up to a degree.

Those of Charlier are orthonormal if the numbers are Poisson, and what is done to them is simple
[1, sec. 9.14]: with means a_j, and k_j the powers of a product of them,

    f(n + e_j) - f(n)  has  sqrt(k_j / a_j)  of that with one power of n_j less,
    n_j f(n - e_j)     has  sqrt(a_j (k_j + 1))  of that with one more, and a_j of itself.

References
----------
.. [1] R. Koekoek, P. A. Lesky and R. F. Swarttouw, "Hypergeometric Orthogonal Polynomials and Their
   q-Analogues," Springer, 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]


class Numbers(NamedTuple):
    """What the polynomials turn into, as matrices, by number; 1 is the first of them.

    Attributes
    ----------
    one_more : tuple of array, shape (P, P)
        f(n + e_j) - f(n).
    ended : tuple of array, shape (P, P)
        n_j f(n - e_j), but for powers above the degree.
    less : tuple of array, shape (P, P)
        n_j (f(n - e_j) - f(n)).
    """

    one_more: tuple[Array, ...]
    ended: tuple[Array, ...]
    less: tuple[Array, ...]


def how_many(numbers: int, degree: int) -> int:
    """How many polynomials there are.

    Examples
    --------
    >>> how_many(2, 2)  # 1, x, y, xx, xy, yy
    6
    """
    return comb(numbers + degree, degree)


def numbers_of(means: Sequence[float], degree: int) -> Numbers:
    """The matrices for numbers of these means.

    Examples
    --------
    >>> found = numbers_of([4.0], 1)
    >>> found.ended[0].tolist()  # n = 4 + 2 p_1 of 1
    [[4.0, 0.0], [2.0, 4.0]]
    """
    import numpy as np

    every = range(len(means))
    powers = [one for one in product(range(degree + 1), repeat=len(means)) if sum(one) <= degree]
    powers.sort(key=lambda one: (sum(one), one))
    place = {one: i for i, one in enumerate(powers)}
    one_more, ended, less = [], [], []
    for j, mean in enumerate(means):
        down, up = (np.zeros((len(powers), len(powers))) for _ in range(2))
        for one, i in place.items():
            above = place.get(tuple(k + (m == j) for m, k in zip(every, one, strict=True)))
            if above is not None:
                down[i, above] = sqrt((one[j] + 1) / mean)
                up[above, i] = sqrt((one[j] + 1) * mean)
        one_more.append(down)
        ended.append(up + mean * np.eye(len(powers)))
        less.append(-np.diag([float(one[j]) for one in powers]) - mean * down)
    return Numbers(tuple(one_more), tuple(ended), tuple(less))
