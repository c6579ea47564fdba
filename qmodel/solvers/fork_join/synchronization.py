"""Synchronization closure: how likely it is that one branch only is left at a fork's last visit.

After the heavy-traffic limit of Varma and Makowski (1994).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, fork_join/synchronization.
"""

from functools import cache
from math import comb, log2

import numpy as np

from qmodel.numerics.arrays import Array

#: By branches: the share of the time that they fall behind together.
COUPLING = {3: 0.355, 4: 0.368, 6: 0.387, 8: 0.400, 16: 0.431, 32: 0.461, 64: 0.492}
#: Points of the table that is interpolated, on either side of x = 1.
POINTS = 400


def coupling(branches: int) -> float:
    """The share of the time that branches fall behind together, interpolated in log B."""
    return float(np.interp(log2(branches), [log2(b) for b in COUPLING], list(COUPLING.values())))


def one_branch_left(branches: int, mean: Array) -> Array:
    """P(j = 1), given the mean of j.

    The mean is that at the last visit, 1 to ``branches``.
    """
    if branches == 2:
        return np.asarray(2.0 - mean)
    return np.asarray(np.interp(mean, *_table(branches)))


@cache
def _table(branches: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Means of j from 1 to B, and the P(j = 1) that go with them."""
    means, alone = [], []

    def add(weights: list[float]) -> None:
        total = sum(weights)
        means.append(sum(j * w for j, w in enumerate(weights, 1)) / total)
        alone.append(weights[0] / total)

    others, beta = branches - 1, coupling(branches)
    for x in np.linspace(0.0, 1.0, POINTS).tolist():
        starts = [
            (1.0 - beta) * comb(others, i) * x**i * (1.0 - x) ** (others - i)
            for i in range(branches)
        ]
        starts[0] += beta * (1.0 - x)
        starts[-1] += beta * x
        add([sum(starts[j - 1 :]) / j for j in range(1, branches + 1)])
    for cut in np.geomspace(1e-3, 1e6, POINTS).tolist():
        weights = [1.0] * branches
        for j in range(others, 0, -1):
            weights[j - 1] = weights[j] * (j + 1) / (j + cut)
        add(weights)
    means.append(float(branches))
    alone.append(0.0)
    return tuple(means), tuple(alone)
