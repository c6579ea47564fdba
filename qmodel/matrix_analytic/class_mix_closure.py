"""The class mix of a queue in two moments: a linear closure.

Of n customers n_c are of class c. With q_c the part of class c in the arrivals let
d_c = n_c - q_c n. An arrival of class c adds 1{c = k} - q_k to d_k; a departure is taken to be of
class c with probability n_c / n = q_c + d_c / n (the order of arrival is not kept). Functions that
are linear in the d, f + sum of d_k g_k, then map to linear ones but for products d_c d_k at
departures, which are replaced by the mean

    E d_c d_k = kappa n q_c (1{c = k} - q_k),

kappa = 1 being the multinomial distribution; kappa is the overdispersion. The d add up to 0, and
the last one is eliminated. Original.

The matrices here act on the coefficients (f, g_1, g_2, ...): those before for those after.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from qmodel.numerics.arrays import Array


def mix_after_arrival(parts: Mapping[int, float], c: int, n: int) -> Array:
    """An arrival of class ``c`` who finds n customers; of none all d are 0.

    Parameters
    ----------
    parts : mapping of int to float
        q_c of each class. [1]
    c, n : int
        The class, and the number of customers.

    Examples
    --------
    >>> mix_after_arrival({0: 0.25, 1: 0.75}, 0, 1).tolist()  # d_0 grows by 1 - 0.25
    [[1.0, 0.75], [0.0, 1.0]]
    """
    matrix = np.eye(len(parts))
    for j, (k, part) in enumerate(tracked_classes(parts), start=1):
        matrix[0, j] = float(k == c) - part
    return matrix if n else matrix[:1]


def mix_after_departure(
    parts: Mapping[int, float], c: int, n: int, overdispersion: float
) -> tuple[Array, Array]:
    """A departure of class ``c`` from n customers: probability times what follows, as A + B / n.

    Examples
    --------
    >>> a, b = mix_after_departure({0: 0.25, 1: 0.75}, 0, 1, 1.0)
    >>> a.tolist(), b.tolist()  # 0.25 + d_0 / n; then the queue is empty
    ([[0.25], [0.0]], [[0.0], [1.0]])
    """
    size, tracked = len(parts), tracked_classes(parts)
    a, b = parts[c] * np.eye(size), np.zeros((size, size))
    # d_c is tracked, or minus the sum of those that are.
    own = [j for j, (k, _) in enumerate(tracked, start=1) if k == c]
    sign = 1.0 if own else -1.0
    for row in own or range(1, size):
        b[row, 0] = sign
    for j, (k, part) in enumerate(tracked, start=1):
        step = part - float(k == c)
        a[0, j] = parts[c] * step * (1.0 - overdispersion)
        for row in own or range(1, size):
            b[row, j] = sign * step
    return (a, b) if n > 1 else (a[:, :1], b[:, :1])


def tracked_classes(parts: Mapping[int, float]) -> list[tuple[int, float]]:
    """The classes whose d_c is kept, and their parts: all but the last.

    Examples
    --------
    >>> tracked_classes({0: 0.25, 1: 0.75})
    [(0, 0.25)]
    """
    return list(parts.items())[:-1]
