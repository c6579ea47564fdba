"""Truncation correction: the exact chain of few visits corrects the chain of two branches.

Original. Theory: `qmodel/solvers/THEORY.md`, fork_join/truncation_correction.
"""

from collections.abc import Sequence
from math import comb

import numpy as np

from qmodel.numerics.arrays import Array
from qmodel.solvers.fork_join.branch_pair_ctmc import BranchPairCTMC
from qmodel.solvers.markov.station_ctmc import StationCTMC
from qmodel.solvers.markov.station_states import ForkJoinStates

#: States of the exact chain at most.
LARGEST = 12_000
#: Probabilities below that have no ratio.
RARE = 1e-10


class TruncationCorrection:
    """The two truncated chains of a fork-join station. Parameters as of `BranchPairCTMC`."""

    def __init__(self, times: Sequence[float], population: Sequence[int], branches: int) -> None:
        classes, states, most = sum(n > 0 for n in population), 1, 0
        while most < sum(population):  # so many visits in any order, and what branches completed
            states += classes ** (most + 1) * comb(most + branches, branches - 1)
            if states > LARGEST:
                break
            most += 1
        self.most = most
        self.exact = StationCTMC(ForkJoinStates(times, branches), population, most)
        self.pair = BranchPairCTMC(times, population, branches, most)

    def apply(self, marginal: Array, rates: Array) -> Array:
        """Marginal probabilities of the chain of two branches, corrected.

        ``marginal`` is that with all visits, shape (N_1 + 1, ... N_C + 1), and ``rates`` are those
        at which visits begin, shape (C, N_1 + 1, ... N_C + 1). [1/s]
        """
        exact, pair = (chain.marginal(chain.stationary(rates)) for chain in (self.exact, self.pair))
        known = (exact > RARE) & (pair > RARE)
        ratio = np.divide(exact, pair, out=np.ones_like(pair), where=known)
        corrected = marginal * np.exp(continued(np.where(known, np.log(ratio), np.nan)))
        return np.asarray(corrected / corrected.sum())


def continued(known: Array) -> Array:
    """Values by n; where they are not known (nan), the mean over n - 1_c with weights n_c / |n|.

    Examples
    --------
    >>> import numpy as np
    >>> continued(np.array([[0.0, 1.0], [4.0, np.nan], [np.nan, np.nan]])).tolist()
    [[0.0, 1.0], [4.0, 2.5], [4.0, 3.0]]
    """
    total = np.indices(known.shape).sum(axis=0)
    values = np.nan_to_num(known)
    unknown = np.isnan(known)
    for visits in range(1, int(total.max()) + 1):
        at = np.nonzero(unknown & (total == visits))
        mean = np.zeros(len(at[0]))
        for c, n in enumerate(at):
            less = tuple(i - (axis == c) for axis, i in enumerate(at))
            mean += n / visits * np.where(n > 0, values[less], 0.0)
        values[at] = mean
    return values
