"""Aggregate queue length (AQL) approximation of mean value analysis.

Q_k(N - e_c) / (|N| - 1) = Q_k(N) / |N| + g_kc: Zahorjan, Eager and Sweillam (1988).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, amva/aql.
"""

import numpy as np

from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.numerics.arrays import Array
from qmodel.solvers.amva import closed_model
from qmodel.solvers.amva.linearizer_core import MOST_PASSES, solved
from qmodel.solvers.amva.multiserver import DEFAULT
from qmodel.solvers.method import Passes

NAME = "aql"
#: As many passes as the fixed point takes, and no error where they do not reach it.
USUAL = Passes(MOST_PASSES, 1e-9)


def solve(network: Network, law: str = DEFAULT, passes: Passes = USUAL) -> Solution:
    """Approximate throughput and residence times, as of `linearizer.solve`."""
    return solved(NAME, aggregates, network, law, passes)


def aggregates(population: Array, queue: Array | None) -> tuple[Array, float, Array | None]:
    """What an arrival sees by AQL; see `linearizer_core.View`."""
    total = population.sum(axis=0)
    others = np.maximum(total - 1.0, 0.0)
    weight = others / np.maximum(total, 1.0)
    if queue is None:
        return weight, 0.0, None
    share = queue.sum(axis=0) / np.maximum(total, 1.0)
    # g[k, c]: with one customer less of class c, the change of the share.
    change = share[:, 1:] - share[:, :1]
    extra = change.transpose(1, 0, 2)[:, :, None] * others
    return weight, 0.0, extra


METHOD = closed_model.method(NAME, solve)
