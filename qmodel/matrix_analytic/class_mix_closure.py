"""How many of the customers at a queue are of which class, about.

Of n customers n_c are of class c, and as if it was drawn by lot who leaves, it is one of class c
with the chance n_c / n. Let q_c be the part of the class in all who come, and d_c = n_c - q_c n.
Functions f + sum d_c g_c, f and g_c being functions of the rest, change into such ones. Only that
one of a class leaves takes products d_c d_k; for them their mean is taken, so many times what it
would be if each customer was of class c with the chance q_c. The last d_c is less the sum of the
others and is left out.

Here are the matrices on (f, g_1, g_2, ...): what the function was before for what it is after.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]


def one_more(parts: Mapping[int, float], c: int, n: int) -> Array:
    """One of class ``c`` comes, n being there before; with none all d_c are 0.

    Examples
    --------
    >>> one_more({0: 0.25, 1: 0.75}, 0, 1).tolist()  # d_0 is larger by 1 - 0.25
    [[1.0, 0.75], [0.0, 1.0]]
    """
    import numpy as np

    found = np.eye(len(parts))
    for j, (k, part) in enumerate(_told(parts), start=1):
        found[0, j] = float(k == c) - part
    return found if n else found[:1]


def one_less(parts: Mapping[int, float], c: int, n: int, spread: float) -> tuple[Array, Array]:
    """One of n leaves and is of class ``c``: chances times it, in two parts, the second over n.

    Examples
    --------
    >>> first, over = one_less({0: 0.25, 1: 0.75}, 0, 1, 1.0)
    >>> first.tolist(), over.tolist()  # 0.25 + d_0 / n of 1; then nobody is there
    ([[0.25], [0.0]], [[0.0], [1.0]])
    """
    import numpy as np

    size, told = len(parts), _told(parts)
    first, over = parts[c] * np.eye(size), np.zeros((size, size))
    # The d of the class is one of those that are told, or less the sum of them.
    own = [j for j, (k, _) in enumerate(told, start=1) if k == c]
    sign = 1.0 if own else -1.0
    for row in own or range(1, size):
        over[row, 0] = sign
    for j, (k, part) in enumerate(told, start=1):
        more = part - float(k == c)
        first[0, j] = parts[c] * more * (1.0 - spread)
        for row in own or range(1, size):
            over[row, j] = sign * more
    return (first, over) if n > 1 else (first[:, :1], over[:, :1])


def _told(parts: Mapping[int, float]) -> list[tuple[int, float]]:
    return list(parts.items())[:-1]
