"""A flow in a few coordinates whose numbers do not grow without end.

With the mean of products as the inner product what is seen forgets, as the flow itself does. The
inner product that is known of what was seen through few functions before is not quite that mean.
Where it leads to something that grows, that is taken out, which changes neither how often the
phases are nor how much arrives; where that does not do, fewer functions are taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from qmodel.matrix_analytic.galerkin_projection import MOST
from qmodel.matrix_analytic.marked_arrival_process import MarkedFlow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]

#: Functions of the state that are tried in turn; one is a flow without memory.
FUNCTIONS = (MOST, 24, 20, 18, 16, 14, 12, 10, 8, 6, 5, 4, 3, 2, 1)
#: An eigenvalue that is 0, over the rate of arrivals.
NEAR = 1e-6


class Seen(NamedTuple):
    """A flow in coordinates of orthogonal functions: 1, then those that tell more before others.

    Attributes
    ----------
    change : array, shape (n, n)
        Rates, arrivals or not. [1/s]
    arrivals : sequence of array, shape (n, n)
        Of each class. [1/s]
    carried : mapping of (int, int) to array, shape (n,)
        As that of a `MarkedFlow`.
    """

    change: Array
    arrivals: Sequence[Array]
    carried: Mapping[tuple[int, int], Array]


def first_possible(seen: Seen) -> MarkedFlow:
    """The first flow that is possible, of those seen through so many of the functions.

    Examples
    --------
    >>> import numpy as np
    >>> grows = Seen(np.diag([0.0, 1.0, -1.0]), [np.diag([1.0, 1.0, 0.5])], {})
    >>> first_possible(grows).size
    2
    """
    for most in FUNCTIONS:
        first = Seen(
            seen.change[:most, :most],
            [each[:most, :most] for each in seen.arrivals],
            {at: each[:most] for at, each in seen.carried.items()},
        )
        found = _flow(_shrinking(first))
        if _possible(found):
            break
    return found


def _shrinking(seen: Seen) -> Seen:
    """Without what grows."""
    import numpy as np

    rates, modes = np.linalg.eig(seen.change)
    size = NEAR * abs(rates).max()
    kept = rates.real < size
    if kept.all():
        return seen
    onto = np.real(modes[:, kept] @ np.linalg.inv(modes)[kept])
    others = onto.copy()
    others[0] = 0.0
    left = np.linalg.svd(others)[0][:, : kept.sum() - 1]
    basis = np.column_stack([np.eye(len(onto))[:, :1], left])
    into = basis.T @ onto
    return Seen(
        into @ seen.change @ basis,
        [into @ each @ basis for each in seen.arrivals],
        {at: into @ each for at, each in seen.carried.items()},
    )


def _flow(seen: Seen) -> MarkedFlow:
    """In coordinates in which the function 1 is a one for each."""
    import numpy as np

    size = len(seen.change)
    into, back = np.eye(size), np.eye(size)
    into[1:, 0], back[1:, 0] = 1.0, -1.0
    arrivals = tuple(into @ each @ back for each in seen.arrivals)
    return MarkedFlow(
        into @ seen.change @ back - sum(arrivals),
        arrivals,
        back.T @ back,
        {at: into @ each for at, each in seen.carried.items()},
    )


def _possible(flow: MarkedFlow) -> bool:
    """Whether it forgets, and goes on forever."""
    import numpy as np

    size = NEAR * flow.rate
    change, without = (np.linalg.eigvals(each).real for each in (flow.change, flow.without))
    return bool((without < -size).all() and (change < size).all() and (change > -size).sum() == 1)
