"""Linearizer: approximate mean value analysis with first differences between populations.

What an arrival of class c sees is the network with one customer less of its class. Linearizer [1]
takes the share of class j at station k to change, with that customer, by a difference that is the
same at N and at the populations N - e_c,

    Q_jk(N - e_c) / (N - e_c)_j = Q_jk(N) / N_j + F_jkc,

and finds it by solving all C + 1 populations: with F = 0, which is Bard-Schweitzer, and then twice
with the F of the time before. After these three passes N alone is solved once more, which is the
variant that LINE has too; in [1] two passes come before that, as with 2 `Passes`. The sums of
[2] make a pass cost C^2 K. All populations of a pass are solved at once by `fixed_point`.

What stations of several servers need beside the mean number
(`qmodel.solvers.amva.multiserver`) differs between the populations too, and this
difference is kept from pass to pass in the same way. Differences may lead a saturated station a
little beyond its capacity; the answer is then projected to the bounds (`feasible_region`).

Accuracy of ``linearizer`` on ``single-servers``: R median 0.08 %, worst 3.7 %.

References
----------
.. [1] K. M. Chandy and D. Neuse, "Linearizer: a heuristic algorithm for queueing network models of
   computing systems," Communications of the ACM 25(2), 1982, pp. 126-134.
.. [2] E. de Souza e Silva and R. R. Muntz, "A note on the computational cost of the Linearizer
   algorithm for queueing networks," IEEE Transactions on Computers 39(6), 1990, pp. 840-842.
"""

import numpy as np

from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.numerics.arrays import Array
from qmodel.solvers.amva import closed_model
from qmodel.solvers.amva.linearizer_core import USUAL, solved
from qmodel.solvers.amva.multiserver import DEFAULT
from qmodel.solvers.method import Passes

NAME = "linearizer"


def solve(network: Network, law: str = DEFAULT, passes: Passes = USUAL) -> Solution:
    """Approximate throughput and residence times; ``law`` is one of `amva.multiserver`.

    Raises `NotConverged`, with the last iterate, if a pass stops with an estimated error of a queue
    length above the tolerance.
    """
    return solved(NAME, shares, network, law, passes)


def shares(population: Array, queue: Array | None) -> tuple[float, Array, Array | None]:
    """What an arrival sees by Linearizer; see `linearizer_core.View`."""
    own = np.divide(1.0, population, out=np.zeros_like(population), where=population > 0.0)
    if queue is None:
        return 1.0, own, None
    share = queue * own[:, None]
    # F[j, k, c]: with one customer less of class c, the change of class j's share.
    change = share[:, :, 1:] - share[:, :, :1]
    each = np.arange(len(population))
    # A class of one customer has no share where that one is missing, and needs none.
    alone = population[:, 0] <= 1.0
    change[each, :, each] = np.where(alone[:, None], 0.0, change[each, :, each])
    at_all = np.einsum("jp,jkcp->ckp", population[:, 0], change)
    at_all -= change[each, :, each]
    # With class b short of one customer already, its share counts once less.
    less = at_all[:, :, None] - change.transpose(2, 1, 0, 3)
    return 1.0, own, np.concatenate([at_all[:, :, None], less], axis=2)


METHOD = closed_model.method(NAME, solve)
