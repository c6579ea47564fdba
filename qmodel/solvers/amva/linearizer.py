"""Linearizer: approximate mean value analysis with first differences between populations.

F_jkc, what a customer less of class c does to shares of queues, is the same at N and N - e_c:
Chandy and Neuse, CACM 25(2), 1982. Theory: `qmodel/solvers/THEORY.md`, amva/linearizer.
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
