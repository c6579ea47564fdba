"""A pool of places in a closed network: who is inside, and who waits while all places are taken.

Original; Chandy, Herzog and Woo (1975) where places are held for exponential times.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, limits/pool_queue.
"""

from collections.abc import Sequence

import numpy as np

from qmodel.errors import Unstable
from qmodel.matrix_analytic.concentrated_distribution import as_matrices
from qmodel.numerics.arrays import Array
from qmodel.numerics.phase_type import fit_phase_type

#: The least SCV followed: more phases change the wait by little.
LEAST_SCV = 0.125


def closed_pool(
    feed: Array, rates: Array, scv: float, populations: Sequence[int], places: int | None = None
) -> Array:
    """Logarithms of the probabilities of 0, 1 ... customers, one row for each population N.

    ``feed``, of shape (N + 1,), (1, N + 1) or (rows, N + 1), is Y with 0, 1 ... customers elsewhere
    [1/s]; ``rates``, of shape (L,), is x with 1 ... L customers inside, or (rows, N) for each row
    with 1 ... N there [1/s], and then ``places`` is L. ``scv`` is that of the time a place is held,
    ``populations`` are N of each row, rising.
    """
    most, places = max(populations), places or len(rates)
    rows, sizes = np.arange(len(populations)), np.array(populations)
    start, generator, _ = as_matrices(fit_phase_type(1.0, max(scv, LEAST_SCV)))
    back = np.eye(len(start)) - np.outer(np.ones(len(start)), start)
    steps, left = np.ones((len(rows), most + 1)), sizes[:, None] - np.arange(most + 1)
    own = feed.ndim > 1 and len(feed) > 1
    given = feed[rows[:, None], np.maximum(left, 0)] if own else np.ravel(feed)[np.maximum(left, 0)]
    own |= rates.ndim > 1
    if not own:
        feed = np.ravel(feed)[: max(most - places + 1, 0), None, None]
        inverses = np.linalg.inv(feed * back - rates[-1] * generator)
    state = np.broadcast_to(start, (len(rows), 1, len(start)))
    for n in range(1, most + 1):
        first = int(np.searchsorted(sizes, n))
        entered = given[first:, n - 1]
        rate = rates[first:, n - 1] if rates.ndim > 1 else rates[min(n, places) - 1 :][:1]
        if n < places:
            steps[first:, n] = entered / rate
            continue
        state = state[first - len(sizes) :]
        if own:
            matrices = given[first:, n, None, None] * back - rate[:, None, None] * generator
            state = np.linalg.solve(matrices.transpose(0, 2, 1), state.transpose(0, 2, 1))
            state = state.transpose(0, 2, 1)
        else:
            state = state @ inverses[sizes[first:] - n]
        state = entered[:, None, None] * state
        steps[first:, n] = total = state.sum(axis=(1, 2))
        state = state / total[:, None, None]
    logs = np.where(
        np.arange(most + 1) <= sizes[:, None], np.cumsum(np.log(steps), axis=1), -np.inf
    )
    logs -= logs.max(axis=1)[:, None]
    logs -= np.log(np.exp(logs).sum(axis=1))[:, None]
    return logs


def open_pool(arrivals: float, rates: Array, scv: float) -> tuple[Array, float]:
    """Probabilities of 0 ... L inside a pool of Poisson arrivals, and the mean number who wait.

    Raises `Unstable` if the arrivals exceed the rate of the full pool.
    """
    if not arrivals < rates[-1]:
        raise Unstable(f"{arrivals:g} /s arrive, with all places taken {rates[-1]:g} /s leave")
    start, generator, _ = as_matrices(fit_phase_type(1.0, max(scv, LEAST_SCV)))
    eye, one = np.eye(len(start)), np.ones(len(start))
    below = np.cumprod([1.0, *(arrivals / rates[:-1])])
    matrix = arrivals * (eye - np.outer(one, start)) - rates[-1] * generator
    ratio = arrivals * np.linalg.inv(matrix)
    full = np.linalg.solve((eye - ratio).T, below[-1] * start @ ratio)
    waiting = np.linalg.solve((eye - ratio).T, full @ ratio).sum()
    inside = np.append(below, full.sum())
    return inside / inside.sum(), float(waiting / inside.sum())
