"""A process seen through a few functions of its state.

Functions are orthogonal to one another in the mean of their products (Galerkin); with densities of
measures among them both what is to come and what has been is met: with the functions (s - Q)^-1 L 1
and the densities of pi L (s - Q)^-1 the flow that L counts has its rates after an arrival exactly
at these s, and its slopes there [1].

References
----------
.. [1] A. C. Antoulas, C. A. Beattie and S. Gugercin, "Interpolatory Methods for Model Reduction,"
   SIAM, 2020: chapters 3 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]
    Linear = Callable[[Array], Array]

#: Part of a function that is nothing new, and how many there are at most.
NEW, MOST = 1e-6, 18
#: Part of a function that varies, where it is as good as constant.
ALIKE = 1e-6


def orthogonal(given: Array, often: Array, product: Linear) -> Array:
    """Functions that span the given ones, 1 being the first and the others without mean.

    Parameters
    ----------
    given : array, shape (S, R)
        Functions by state.
    often : array, shape (S,)
        Probabilities of the states.
    product : callable
        The inner product of functions f and g is the sum of f times this of g.

    Examples
    --------
    >>> import numpy as np
    >>> often = np.array([0.5, 0.5])
    >>> one = np.array([[3.0], [5.0]])
    >>> abs(orthogonal(one, often, lambda f: often[:, None] * f)).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    import numpy as np

    def lengths(functions: Array) -> Array:
        found: Array = np.sqrt(np.maximum((functions * product(functions)).sum(axis=0), 0.0))
        return found

    often = often / often.sum()
    found = given - often @ given
    sizes = lengths(found)
    told = sizes > ALIKE * lengths(given)
    found = found[:, told] / sizes[told]
    for _ in range(2):
        if not found.shape[1]:
            break
        found = found - often @ found
        squares, turned = np.linalg.eigh(found.T @ product(found))
        kept = squares > NEW * squares[-1]
        kept[: max(0, len(kept) - MOST + 1)] = False
        found = found @ (turned[:, kept] / np.sqrt(squares[kept]))
    return np.column_stack([np.ones(len(found)), found])


def coordinates(basis: Array, product: Linear, images: Sequence[Array]) -> list[Array]:
    """Of functions those nearest to them in the basis, as coordinates: (R, ...) of each.

    Examples
    --------
    >>> import numpy as np
    >>> coordinates(np.ones((2, 1)), lambda f: 0.5 * f, [np.array([1.0, 3.0])])[0].tolist()
    [2.0]
    """
    import numpy as np

    measures = product(basis).T
    gram = measures @ basis
    return [np.linalg.solve(gram, measures @ image) for image in images]


def with_ones(size: int) -> tuple[Array, Array]:
    """To coordinates in which the function 1 is a one for each, and back.

    Examples
    --------
    >>> into, back = with_ones(2)
    >>> (into @ [1.0, 0.0]).tolist(), (into @ back).tolist()
    ([1.0, 1.0], [[1.0, 0.0], [0.0, 1.0]])
    """
    import numpy as np

    into, back = np.eye(size), np.eye(size)
    into[1:, 0], back[1:, 0] = 1.0, -1.0
    return into, back
