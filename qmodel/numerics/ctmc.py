"""Stationary probabilities of a Markov chain with thousands of states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qmodel.errors import InternalError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def stationary(
    states: int, source: NDArray[Any], target: NDArray[Any], rate: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The probabilities p with p Q = 0 and sum 1; rounding below 0 is taken for 0.

    Parameters
    ----------
    states : int
        Number of states; all are reached from each other, but those that are left for good.
    source, target : array of int
        Each move's states.
    rate : array
        Their rates, some perhaps 0. [1/s]

    Examples
    --------
    >>> import numpy as np
    >>> stationary(2, np.array([0, 1]), np.array([1, 0]), np.array([1.0, 3.0])).tolist()
    [0.75, 0.25]
    """
    import numpy as np

    if states == 1:
        return np.ones(1)
    flow = flow_matrix(states, source, target, rate)
    found = _relative_to(flow, 0)
    if found is None or found[0] < 1e-3 * found.max():
        # Beside a state that hardly ever is, others cannot be told: take one that often is.
        often = _normalised(flow) if found is None else found
        found = _relative_to(flow, int(np.argmax(often)))
    if found is None:
        raise InternalError(f"a Markov chain of {states} states has no stationary probabilities")
    return found


def flow_matrix(
    states: int, source: NDArray[Any], target: NDArray[Any], rate: NDArray[np.float64]
) -> Any:
    """The matrix by which the probabilities of the states change."""
    import numpy as np
    from scipy.sparse import coo_matrix

    return coo_matrix(
        (
            np.concatenate([rate, -rate]),
            (np.concatenate([target, source]), np.concatenate([source, source])),
        ),
        shape=(states, states),
    ).tocsc()


def _relative_to(flow: Any, fixed: int) -> NDArray[np.float64] | None:
    """Probabilities from those relative to one state; None if they do not balance."""
    import numpy as np
    from scipy.sparse.linalg import splu

    others = np.delete(np.arange(flow.shape[0]), fixed)
    right = -np.asarray(flow[others][:, [fixed]].todense()).ravel()
    found = np.ones(flow.shape[0])
    try:
        with np.errstate(all="ignore"):
            # Without pivots nothing is subtracted but on the diagonal, so that even the smallest
            # probabilities have their digits; a step of refinement would take them away.
            factors = splu(
                flow[others][:, others].tocsc(),
                permc_spec="MMD_AT_PLUS_A",
                diag_pivot_thresh=0.0,
                options={"SymmetricMode": True},
            )
            found[others] = factors.solve(right)
            found /= found.sum()
            passing = np.abs(flow.diagonal()) * np.abs(found)
            off = np.abs(flow @ found)
    except RuntimeError:  # singular
        return None
    if not np.isfinite(found).all() or found.min() < -1e-12 or off.max() > 1e-9 * passing.max():
        return None
    return np.maximum(found, 0.0)


def _normalised(flow: Any) -> NDArray[np.float64]:
    """Probabilities with the sum in place of one equation: all right but the smallest."""
    import numpy as np
    from scipy.sparse import csc_matrix, vstack
    from scipy.sparse.linalg import spsolve

    states = flow.shape[0]
    scale = np.abs(flow.diagonal()).max()
    ones = csc_matrix(np.full((1, states), scale))
    right = np.zeros(states)
    right[-1] = scale
    with np.errstate(all="ignore"):
        return np.asarray(spsolve(vstack([flow[:-1], ones]).tocsc(), right))
