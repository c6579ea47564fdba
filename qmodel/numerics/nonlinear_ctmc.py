"""A Markov chain whose rates depend on its own probabilities, and large ones that do not.

The chain is solved for some rates; then the probabilities are corrected with the same factors
until they are those of their own rates. From some thousand states on the factors are incomplete
ones, which take a tenth of the time and memory of complete ones; the corrections need only be
right in the end.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, Any

from qmodel.numerics.ctmc import flow_matrix, stationary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: States up to which factors are complete.
COMPLETE = 3_000
#: Sum of the changes of all probabilities at which to stop, and steps at most.
SETTLED, STEPS = 1e-7, 60
#: What is settled well enough when the steps are used up.
ROUGHLY = 1e-4
#: Share of the change before beyond which factors are made anew, and how often at most.
SLOW, FACTORS = 0.9, 8
#: Relative error of the solution with incomplete factors, and of a correction.
SOLVED, CORRECTED = 1e-11, 1e-3
#: Smallest entries of incomplete factors that are kept, relatively, and how many at most over those
#: of the matrix: at first, and where that does not do.
INCOMPLETE = (0.1, 5.0), (1e-5, 100.0)
#: Sweeps that give small probabilities their digits.
SWEEPS = 10


def settling(
    states: int,
    moves: NDArray[Any],
    rates: Callable[[Array | None], Array],
    *,
    once: bool = False,
) -> Array | None:
    """Probabilities p with p Q(p) = 0 and sum 1; None if they do not settle.

    Parameters
    ----------
    states : int
        Number of states; all are reached from each other, but those that are left for good.
    moves : array of int, shape (moves, 2)
        The states of each move.
    rates : callable
        Probabilities to the rates of the moves; it is told None to begin with. [1/s]
    once : bool
        Whether the rates depend on nothing.

    Examples
    --------
    >>> import numpy as np
    >>> moves = np.array([[0, 1], [1, 0]])
    >>> def rates(p):  # p[1] (1 + p[1]) = p[0]
    ...     return np.array([1.0, 1.0 if p is None else 1.0 + p[1]])
    >>> settling(2, moves, rates).round(7).tolist()  # 1 - (sqrt 2 - 1), sqrt 2 - 1
    [0.5857864, 0.4142136]
    """
    source, target = moves[:, 0], moves[:, 1]
    now = rates(None)
    large = states > COMPLETE
    found = (_nearly if large else stationary)(states, source, target, now)
    if found is None:
        return None
    if not once:
        found, now = _corrected(states, source, target, rates, found)
        if found is None or not large:
            return found if found is None else stationary(states, source, target, now)
    return _swept(states, source, target, now, found) if large else found


def _corrected(
    states: int, source: Any, target: Any, rates: Callable[[Array], Array], found: Array
) -> tuple[Array | None, Array]:
    """Probabilities of their own rates, or None if they do not settle, and those rates."""
    import numpy as np

    correction, before, change, made = None, 0.0, 1.0, 0
    now = rates(found)
    for _ in range(STEPS):
        if correction is None and made < FACTORS:
            made += 1
            fixed = int(np.argmax(found))
            others = np.delete(np.arange(states), fixed)
            flow = flow_matrix(states, source, target, now)[others][:, others]
            try:
                correction = _inverse(flow, None if states <= COMPLETE else INCOMPLETE[0])
            except RuntimeError:  # singular: some states are as good as never
                break
        if correction is None:
            break
        passing = found[source] * now
        net = np.bincount(target, passing, states) - np.bincount(source, passing, states)
        step = correction(np.asarray(net[others], float), CORRECTED)
        found[others] -= step
        found = np.maximum(found, 0.0)
        found /= found.sum()
        change = float(np.abs(step).sum())
        if change <= SETTLED:
            break
        if change > SLOW * before:  # the rates have left those of the factors
            correction = None
        before = change
        now = rates(found)
    return (found if change <= ROUGHLY else None), now


def _nearly(states: int, source: Any, target: Any, rates: Array) -> Array | None:
    """Probabilities by incomplete factors; None if that does not lead there.

    The probability of one state is fixed. If it is one that hardly ever is, others have no digits;
    but the largest of them, whatever its sign, is one to be fixed in its place.
    """
    import numpy as np

    flow = flow_matrix(states, source, target, rates)
    fixed = 0
    for kept in (INCOMPLETE[0], *INCOMPLETE):
        others = np.delete(np.arange(states), fixed)
        into = -np.asarray(flow[others][:, [fixed]].todense()).ravel()
        found = np.ones(states)
        try:
            found[others] = _inverse(flow[others][:, others], kept)(into, SOLVED)
        except RuntimeError:  # singular
            return None
        fixed = int(np.argmax(np.abs(found)))
        found = np.maximum(found, 0.0)
        found /= found.sum()
        passing = np.abs(flow.diagonal()) * found
        if np.abs(flow @ found).max() <= 1e-9 * passing.max():
            return found
    return None


def _swept(states: int, source: Any, target: Any, rates: Array, found: Array) -> Array:
    """Each probability anew from those of the states before it: sums of positive numbers only."""
    import numpy as np

    out = np.bincount(source, rates, states)
    for _ in range(SWEEPS):
        into = np.bincount(target, found[source] * rates, states)
        found = np.divide(into, out, out=found.copy(), where=out > 0.0)
        found /= found.sum()
    return np.asarray(found)


def _inverse(flow: Any, kept: tuple[float, float] | None) -> Callable[[Array, float], Array]:
    """A function that solves for a right side to some error; factors are complete if None."""
    import numpy as np
    from scipy.sparse.linalg import LinearOperator, gmres, spilu, splu

    columns: Any = flow.tocsc()
    if kept is None:
        factors = splu(
            columns,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
        return lambda right, _: np.asarray(factors.solve(right))
    factors = spilu(
        columns,
        drop_tol=kept[0],
        fill_factor=kept[1],
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    nearly = LinearOperator(flow.shape, factors.solve)
    name = "rtol" if "rtol" in signature(gmres).parameters else "tol"  # as it was before scipy 1.12

    def solve(right: Array, error: float) -> Array:
        at_most: Any = {name: error, "atol": 0.0}
        found, _ = gmres(flow, right, M=nearly, restart=60, maxiter=3, **at_most)
        return np.asarray(found)

    return solve
