"""Stationary distribution of a Markov chain with a sparse generator; see THEORY.md."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qmodel.errors import InternalError
from qmodel.numerics.arrays import Array

#: Options of a factorization without pivoting, and so without cancellation.
UNPIVOTED: Any = {
    "permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True},
}  # fmt: skip


def stationary(states: int, source: NDArray[Any], target: NDArray[Any], rate: Array) -> Array:
    """The stationary distribution p; rounding below 0 is set to 0.

    The states are one recurrent class, and perhaps transient states; ``rate`` [1/s] is that of each
    transition from ``source`` to ``target``, perhaps 0.
    """
    if states == 1:
        return np.ones(1)
    balance = transposed_generator(states, source, target, rate)
    solution = _relative_to(balance, 0)
    if solution is None or solution[0] < 1e-3 * solution.max():
        # Relative to a state of small probability the others lose digits: fix a likely one.
        likely = _normalised(balance) if solution is None else solution
        solution = _relative_to(balance, int(np.argmax(likely)))
    if solution is None:
        raise InternalError(f"a Markov chain of {states} states has no stationary probabilities")
    return solution


def transposed_generator(
    states: int, source: NDArray[Any], target: NDArray[Any], rate: Array
) -> Any:
    """Q transposed, a sparse matrix in columns: dp/dt is this times p. [1/s]"""
    from scipy.sparse import coo_matrix

    return coo_matrix(
        (
            np.concatenate([rate, -rate]),
            (np.concatenate([target, source]), np.concatenate([source, source])),
        ),
        shape=(states, states),
    ).tocsc()


def _relative_to(balance: Any, fixed: int) -> Array | None:
    """The distribution with one state fixed while the others are solved; None if inaccurate."""
    from scipy.sparse.linalg import splu

    others = np.delete(np.arange(balance.shape[0]), fixed)
    right = -np.asarray(balance[others][:, [fixed]].todense()).ravel()
    solution = np.ones(balance.shape[0])
    try:
        with np.errstate(all="ignore"):
            # A step of refinement would bring cancellation back.
            solution[others] = splu(balance[others][:, others].tocsc(), **UNPIVOTED).solve(right)
            solution /= solution.sum()
            flux = np.abs(balance.diagonal()) * np.abs(solution)
            residual = np.abs(balance @ solution)
    except RuntimeError:  # singular
        return None
    if not np.isfinite(solution).all() or solution.min() < -1e-12:
        return None
    return None if residual.max() > 1e-9 * flux.max() else np.maximum(solution, 0.0)


def _normalised(balance: Any) -> Array:
    """The distribution with p 1 = 1 in place of one equation: accurate but for small entries."""
    from scipy.sparse import csc_matrix, vstack
    from scipy.sparse.linalg import spsolve

    states = balance.shape[0]
    scale = np.abs(balance.diagonal()).max()
    ones = csc_matrix(np.full((1, states), scale))
    right = np.zeros(states)
    right[-1] = scale
    with np.errstate(all="ignore"):
        return np.asarray(spsolve(vstack([balance[:-1], ones]).tocsc(), right))
