"""One caller's view of what others use as well: a processor, or a pool of threads.
Theory and sources: `qmodel/solvers/THEORY.md`, layered/shared.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from qmodel.numerics.arrays import Array
from qmodel.solvers.limits.population_shares import convolved


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
    crowd = sum(other.customers for other in others)
    rows = np.atleast_2d(rates)
    index = np.minimum(np.arange(most + crowd), rows.shape[1] - 1)
    slower = np.insert(np.cumsum(np.log(rows[:, index]), axis=1), 0, 0.0, axis=1)
    n, more = np.arange(most + 1)[:, None], np.arange(crowd + 1)[None, :]
    row = np.minimum(n, len(rows) - 1)
    weights = gammaln(n + more + 1) - gammaln(n + 1) - slower[row, n + more] + slower[row, n]
    weights = weights + _crowd(others, most, crowd)
    peak = weights.max(axis=1)
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
        rows = np.full((most + 1 if other.inside else 1, crowd + 1), -np.inf)
        for n in range(len(rows)):
            m = min(other.customers, most - n) if other.inside else other.customers
            some = size[: m + 1]
            chosen = -gammaln(some + 1)
            if not other.endless:
                all_ = most - n if other.inside else m
                chosen = chosen + gammaln(all_ + 1) - gammaln(all_ - some + 1)
            rows[n, : m + 1] = chosen + some * np.log(other.work / other.away)
        made.append(rows)
    return np.broadcast_to(convolved(made, crowd + 1), (most + 1, crowd + 1))
