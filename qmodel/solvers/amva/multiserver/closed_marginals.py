"""Marginal probabilities at a closed station: fewer arrive, the more customers are there. Original.

p(i | n) = p(0 | n) (g L)^i s^(i (i - 1) / 2) / (r(1) ... r(i)).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, amva/multiserver/closed_marginals.
"""

import numpy as np

from qmodel.numerics.arrays import Array

#: Rounds for g; it stays as it is after four.
ROUNDS = 8
#: The most that p(0) is taken to grow with one customer less, the most that the load falls to.
MOST, LEAST = 50.0, 1e-3


def idle_term(
    load: Array, below: Array, mean: Array, rates: Array, customers: float
) -> tuple[Array, Array]:
    """The idle servers that arrivals see: sum of (i + 1) (r(M) / r(i + 1) - 1) p(i) over i < M.

    ``load`` are the loads at the populations of n = ``customers``, shape (C,), ``below`` those with
    one customer less, of class d, shape (C, D), and ``mean`` of those the mean over the classes as
    they come to the station; ``rates`` the relative rates, shape (M,), the last and highest going
    on. The answer is for the populations of ``load``, (C,), and of ``below``, (C, D).
    """
    full = rates[-1]
    steps = np.arange(len(rates))
    before = full - np.concatenate([[0.0], rates[:-1]])
    lost = (steps + 1.0) * (full / rates - 1.0)
    past = np.concatenate([[0.0], np.cumsum(np.log(rates[:-1]))])
    load, below, mean = (
        np.clip(v, 1e-12 * full, full * (1.0 - 1e-12)) for v in (load, below, mean)
    )
    falls = np.clip(mean / load, LEAST, 1.0)
    grows = np.ones_like(load)

    def weights(at: Array, grows: Array, falls: Array, most: float) -> tuple[Array, Array]:
        """The p(i) but for p(0), in units of the largest, (M, ...), and its logarithm."""
        i = steps.reshape(-1, *(1,) * at.ndim)
        logs = i * np.log(at * grows) + 0.5 * i * (i - 1) * np.log(falls)
        logs = np.where(i <= most, logs - past.reshape(i.shape), -np.inf)
        largest = logs.max(axis=0)
        return np.exp(logs - largest), largest

    def empty(at: Array, grows: Array, most: float) -> Array:
        """The logarithm of p(0)."""
        each, largest = weights(at, grows, falls, most)
        logarithm: Array = np.log(full - at) - largest - np.log(np.tensordot(before, each, 1))
        return logarithm

    for _ in range(ROUNDS):
        change = empty(mean, grows, customers - 1.0) - empty(load, grows, customers)
        grows = np.exp(np.clip(change, 0.0, np.log(MOST)))

    def idle_share(at: Array, grows: Array, falls: Array, most: float) -> Array:
        each, _ = weights(at, grows, falls, most)
        part: Array = np.tensordot(lost, each, 1) / np.tensordot(before, each, 1) * (full - at)
        return part

    return (
        idle_share(load, grows, falls, customers),
        idle_share(below, grows[:, None], falls[:, None], customers - 1.0),
    )
