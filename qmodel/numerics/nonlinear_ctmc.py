"""Stationary distribution of a Markov chain whose rates depend on it; see THEORY.md."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qmodel.numerics.arrays import Array
from qmodel.numerics.ctmc import UNPIVOTED, stationary, transposed_generator

#: States up to which factors are complete.
COMPLETE = 3_000
#: L1 norm of a correction at which to stop, and corrections at most.
SETTLED, STEPS = 1e-7, 60
#: L1 norm that is accepted after the last correction.
ROUGHLY = 1e-4
#: Ratio of corrections above which factors are recomputed, and how many times at most.
SLOW, FACTORS = 0.9, 8
#: Relative residual of the first solution with incomplete factors, and of a correction.
SOLVED, CORRECTED = 1e-11, 1e-3
#: Drop tolerance of incomplete factors and fill over the entries of the matrix: at first, and where
#: that fails.
INCOMPLETE = (0.1, 5.0), (1e-5, 100.0)
#: Gauss-Jacobi sweeps.
SWEEPS = 10


def nonlinear_stationary(
    states: int, moves: NDArray[Any], rates: Callable[[Array | None], Array], *, once: bool = False
) -> Array | None:
    """The distribution p with p Q(p) = 0; None if the iteration does not converge.

    The states are one recurrent class, and perhaps transient states; ``moves`` are source and
    target of each transition, shape (moves, 2), ``rates`` their rates [1/s] from the distribution,
    None at first; ``once`` if they are constants.
    """
    source, target = moves[:, 0], moves[:, 1]
    rate = rates(None)
    large = states > COMPLETE
    p = (_incomplete if large else stationary)(states, source, target, rate)
    if p is None:
        return None
    if not once:
        p, rate = _corrected(states, source, target, rates, p)
        if p is None or not large:
            return p if p is None else stationary(states, source, target, rate)
    return _swept(states, source, target, rate, p) if large else p


def _corrected(
    states: int, source: Any, target: Any, rates: Callable[[Array], Array], p: Array
) -> tuple[Array | None, Array]:
    """The fixed point, None without convergence, and its rates."""
    correction, before, change, made = None, 0.0, 1.0, 0
    rate = rates(p)
    for _ in range(STEPS):
        if correction is None and made < FACTORS:
            made += 1
            others = np.delete(np.arange(states), int(np.argmax(p)))
            balance = transposed_generator(states, source, target, rate)[others][:, others]
            try:
                correction = _inverse(balance, None if states <= COMPLETE else INCOMPLETE[0])
            except RuntimeError:  # singular: some states have next to no probability
                break
        if correction is None:
            break
        flux = p[source] * rate
        net = np.bincount(target, flux, states) - np.bincount(source, flux, states)
        step = correction(np.asarray(net[others], float), CORRECTED)
        p[others] -= step
        p = np.maximum(p, 0.0)
        p /= p.sum()
        change = float(np.abs(step).sum())
        if change <= SETTLED:
            break
        if change > SLOW * before:  # the rates have moved away from those of the factors
            correction = None
        before = change
        rate = rates(p)
    return (p if change <= ROUGHLY else None), rate


def _incomplete(states: int, source: Any, target: Any, rates: Array) -> Array | None:
    """The distribution by incomplete factors; None without convergence.

    One probability is fixed. Relative to a very small one the others have no digits; the largest of
    them in magnitude is then fixed in its place.
    """
    balance = transposed_generator(states, source, target, rates)
    fixed = 0
    for drop in (INCOMPLETE[0], *INCOMPLETE):
        others = np.delete(np.arange(states), fixed)
        into = -np.asarray(balance[others][:, [fixed]].todense()).ravel()
        p = np.ones(states)
        try:
            p[others] = _inverse(balance[others][:, others], drop)(into, SOLVED)
        except RuntimeError:  # singular
            return None
        fixed = int(np.argmax(np.abs(p)))
        p = np.maximum(p, 0.0)
        p /= p.sum()
        flux = np.abs(balance.diagonal()) * p
        if np.abs(balance @ p).max() <= 1e-9 * flux.max():
            return p
    return None


def _swept(states: int, source: Any, target: Any, rates: Array, p: Array) -> Array:
    """Gauss-Jacobi: p_j = (sum of p_i q_ij) / -q_jj, without subtraction."""
    out = np.bincount(source, rates, states)
    for _ in range(SWEEPS):
        into = np.bincount(target, p[source] * rates, states)
        p = np.divide(into, out, out=p.copy(), where=out > 0.0)
        p /= p.sum()
    return np.asarray(p)


def _inverse(balance: Any, drop: tuple[float, float] | None) -> Callable[[Array, float], Array]:
    """A solver for a right-hand side and a relative residual; complete factors if ``drop`` is None.

    ``balance`` is the transposed generator without one state, ``drop`` drop tolerance and fill.
    """
    from scipy.sparse.linalg import LinearOperator, gmres, spilu, splu

    columns: Any = balance.tocsc()
    if drop is None:
        factors = splu(columns, **UNPIVOTED)
        return lambda right, _: np.asarray(factors.solve(right))
    factors = spilu(columns, drop_tol=drop[0], fill_factor=drop[1], **UNPIVOTED)
    preconditioner = LinearOperator(balance.shape, factors.solve)
    name = "rtol" if "rtol" in signature(gmres).parameters else "tol"  # as it was before scipy 1.12

    def solve(right: Array, error: float) -> Array:
        at_most: Any = {name: error, "atol": 0.0}
        solution, _ = gmres(balance, right, M=preconditioner, restart=60, maxiter=3, **at_most)
        return np.asarray(solution)

    return solve
