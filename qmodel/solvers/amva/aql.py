"""Aggregate queue length (AQL) approximation of mean value analysis.

What an arrival of class c sees is the network with one customer less of its class. AQL [1] takes
the mean number at station k, as a share of all customers, to change by a difference that is the
same at N and at the populations N - e_c, |N| being all customers,

    Q_k(N - e_c) / (|N| - 1) = Q_k(N) / |N| + g_kc,

where Linearizer keeps a difference for each class j as well, and so has C times as many to keep.
All populations are solved with g = 0 and then with the g of the time before, until no queue changes
by more than 1e-9 of the customers (200 times at most), and N once more. All populations of a pass
are solved at once by `fixed_point`.

Accuracy of ``aql`` on ``single-servers``: R median 0.11 %, worst 5.3 %.

References
----------
.. [1] J. Zahorjan, D. L. Eager and H. M. Sweillam, "Accuracy, speed, and convergence of
   approximate mean value analysis," Performance Evaluation 8(4), 1988, pp. 255-270.
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
