"""One caller's view of what others use as well: a processor, or a pool of threads.
Theory and sources: `qmodel/solvers/THEORY.md`, layered/shared.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from qmodel.numerics.arrays import Array
from qmodel.solvers.limits.population_shares import convolved

#: How many others are looked for at first; logarithm of a share of the likeliest number that is as
#: good as none.
SOME, NEVER = 64, 60.0


class Other(NamedTuple):
    """Another caller: M customers, their work there, the rest of their cycle; or a stream."""

    #: M_o; of a stream, as many as are followed.
    customers: int
    #: D_o, in the unit of this caller's.
    work: float
    #: Z_o. [s]
    away: float
    #: Whether customers of this caller wait for it.
    inside: bool = False
    endless: bool = False


def shared(work: float, most: int, rates: Array, others: Sequence[Other]) -> tuple[Array, Array]:
    """Logarithms of the constants with 0, 1 ... ``most`` of this caller, and P(l others | n).

    ``rates`` are c with 1, 2 ... there, the last going on; ``work`` is D.
    """
    every, crowd = sum(other.customers for other in others), SOME
    rows, n = np.atleast_2d(rates), np.arange(most + 1)[:, None]
    row = np.minimum(n, len(rows) - 1)
    while True:  # weights have one peak: beyond what is next to never seen is nothing
        crowd = min(crowd, every)
        index = np.minimum(np.arange(most + crowd), rows.shape[1] - 1)
        slower = np.insert(np.cumsum(np.log(rows[:, index]), axis=1), 0, 0.0, axis=1)
        more = np.arange(crowd + 1)[None, :]
        weights = gammaln(n + more + 1) - gammaln(n + 1) - slower[row, n + more] + slower[row, n]
        weights = weights + _crowd(others, most, crowd)
        peak = weights.max(axis=1)
        if crowd == every or (weights[:, -1] < peak - NEVER).all():
            break
        crowd *= 2
    chance = np.exp(weights - peak[:, None])
    chance /= chance.sum(axis=1)[:, None]
    speeds = rows[row, np.minimum(n + more - 1, rows.shape[1] - 1)] * n / np.maximum(n + more, 1)
    return np.append(0.0, -np.cumsum(np.log((chance * speeds)[1:].sum(axis=1) / work))), chance


def all_together(number: Array, crowd: Array) -> Array:
    """Probabilities of all who are there, from those of one caller and the others' given its."""
    there = np.zeros(crowd.shape[0] + crowd.shape[1] - 1)
    for n, chance in enumerate(number):
        there[n : n + crowd.shape[1]] += chance * crowd[n]
    return there


def _crowd(others: Sequence[Other], most: int, crowd: int) -> Array:
    """Logarithms of A, one row for each number of this caller where that matters."""
    size = np.arange(crowd + 1)
    made = []
    for other in others:
        left = np.arange(most, -1, -1)[:, None] if other.inside else np.array([[other.customers]])
        logs = size * np.log(other.work / other.away) - gammaln(size + 1)
        if not other.endless:
            logs = logs + gammaln(left + 1) - gammaln(np.maximum(left - size, 0) + 1)
        made.append(np.where(size <= np.minimum(left, other.customers), logs, -np.inf))
    return np.broadcast_to(convolved(made, crowd + 1), (most + 1, crowd + 1))
