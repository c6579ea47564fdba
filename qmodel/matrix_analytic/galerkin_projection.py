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
NEW, MOST = 1e-6, 28
#: Part of a function that varies, where it is as good as constant.
ALIKE = 1e-6


def orthogonal(
    given: Array,
    often: Array,
    product: Linear,
    density: Array | None = None,
    one: Array | None = None,
) -> Array:
    """Functions that span the given ones: 1, and without mean those that tell more before others.

    Parameters
    ----------
    given : array, shape (S, R)
        Functions by state.
    often : array, shape (S,)
        Probabilities of the states.
    product : callable
        The inner product of functions f and g is the sum of f times this of g.
    density : array, shape (S,), optional
        What ``product`` makes the probabilities, where that is not 1. It is always among them: so
        the probabilities are those of what is seen as well.
    one : array, shape (S, 1), optional
        The function 1, where the states' numbers are coordinates.

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

    def varied(functions: Array) -> Array:
        """Those that are more than a constant, without their means."""
        found = functions - first * (often @ functions)
        sizes = lengths(found)
        told = sizes > ALIKE * lengths(functions)
        return found[:, told] / sizes[told]

    first = np.ones((len(given), 1)) if one is None else one
    often = often / float(often @ first[:, 0])
    begun = first
    if density is not None:
        begun = np.column_stack([first, varied(density[:, None])])
    kinds = begun[:, 1:]
    found = varied(given)
    for _ in range(2):
        if not found.shape[1]:
            break
        found = found - first * (often @ found)
        found = found - kinds @ (kinds.T @ product(found))
        squares, turned = np.linalg.eigh(found.T @ product(found))
        kept = squares > NEW * max(squares[-1], NEW)
        kept[: max(0, len(kept) - MOST + begun.shape[1])] = False
        found = found @ (turned[:, kept] / np.sqrt(squares[kept]))
    return np.column_stack([begun, found[:, ::-1]])


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
