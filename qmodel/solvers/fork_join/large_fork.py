"""A fork with too many states for two branches: one of them and what joins add, corrected.

What one branch and joins find hardly ever is left out of the chain of two branches, if that is few
enough then. If not, classes of nearly the same time are taken together, and the chain of two
branches that tells them apart corrects that where few visits are in progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qmodel.solvers.fork_join import branch_pair_ctmc as two_branches
from qmodel.solvers.fork_join.class_aggregation import groups, one_branch, taken_together
from qmodel.solvers.fork_join.corrected_branch_pair import CorrectedPairs
from qmodel.solvers.fork_join.fork_speeds import forked_speeds
from qmodel.solvers.fork_join.join_correction import joined
from qmodel.solvers.markov.ordered_queue import OrderedChain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Probabilities of more visits of a class that are left out, the first that is enough, and visits
#: that are not.
RARE, FEW = (1e-4, 3e-4, 1e-3), 2
#: How often speeds and the mix of visits that they depend on are found from each other.
ROUNDS = 3


class LargeFork:
    """A fork of several classes.

    Parameters
    ----------
    service : sequence of float
        Mean service time of a part of each class. [s]
    population : sequence of int
        Most visits of each class in progress.
    branches : int
        At least 2.
    """

    def __init__(self, service: Sequence[float], population: Sequence[int], branches: int) -> None:
        self.service, self.population = tuple(service), tuple(population)
        self.branches = branches
        self._made: dict[tuple[int, ...], CorrectedPairs] = {}

    def solve(self, rates: Array) -> Array:
        """Probabilities of the visits in progress, shape (N_1 + 1, ... N_C + 1) or fewer visits.

        Parameters
        ----------
        rates : array, shape (C, N_1 + 1, ... N_C + 1)
            Rate at which visits of each class start, by those in progress. [1/s]
        """
        alone, found = one_and_joined(self.service, self.branches, rates)
        most = few_enough(found)
        if two_branches.size(most) <= two_branches.LARGEST:
            there = (slice(None), *(slice(0, n + 1) for n in most))
            settled = self._pairs(most).solve(rates[there])
            return found if settled is None else settled
        together = groups(self.service, most)
        ends = [sum(most[c] for c in group) for group in together]
        apart = two_branches.size_apart(ends, sum(ends)) <= two_branches.LARGEST

        def roughly(these: Array) -> Array | None:
            one, joint = alone, found
            if these is not rates:
                one, joint = one_and_joined(self.service, self.branches, these)
            few = [min(n, m - 1) for n, m in zip(most, these.shape[1:], strict=True)]
            more = taken_together(
                self.service, together, few, self.branches, these, joint, apart=apart
            )
            return None if more is None else one * more / (one * more).sum()

        settled = self._pairs(self.population).solve(rates, roughly)
        return found if settled is None else settled

    def _pairs(self, most: tuple[int, ...]) -> CorrectedPairs:
        """Two branches with so many visits at most, made once."""
        if most not in self._made:
            self._made[most] = CorrectedPairs(self.service, most, self.branches)
        return self._made[most]


def one_and_joined(service: Sequence[float], branches: int, rates: Array) -> tuple[Array, Array]:
    """Probabilities of the visits in progress at one branch, and with what joins add.

    Examples
    --------
    >>> import numpy as np
    >>> one, joint = one_and_joined([1.0], 3, np.array([[1.0, 0.0]]))
    >>> one.tolist(), joint.round(6).tolist()  # 1, and 1 + 1/2 + 1/3
    ([0.5, 0.5], [0.352941, 0.647059])
    """
    import numpy as np

    alone = OrderedChain(one_branch(service), [n - 1 for n in rates.shape[1:]]).solve(rates)
    total = np.indices(alone.shape).sum(axis=0).ravel()
    work = np.tensordot(np.array(service), rates, axes=1)  # that arrives per unit of time
    found = alone
    for _ in range(ROUNDS):
        weight = np.bincount(total, found.ravel())
        amount = np.bincount(total, (found * work).ravel())
        load = np.divide(amount, weight, out=np.zeros_like(amount), where=weight > 0.0)
        found = joined(alone, service, forked_speeds(branches, load))
    return alone, found


def few_enough(probability: Array) -> tuple[int, ...]:
    """Most visits of each class that are there not hardly ever, few enough for two branches."""
    every = [often(probability, rare) for rare in RARE]
    able = [most for most in every if two_branches.size(most) <= two_branches.LARGEST]
    return (able or every)[0]


def often(probability: Array, rare: float) -> tuple[int, ...]:
    """Most visits of each class of which more are rarer than that.

    Examples
    --------
    >>> import numpy as np
    >>> often(np.array([0.5, 0.3, 0.15, 0.04, 0.01]), 0.02)
    (3,)
    """
    import numpy as np

    found = []
    for c, most in enumerate(probability.shape):
        others = tuple(i for i in range(probability.ndim) if i != c)
        within = np.cumsum(probability.sum(axis=others))
        found.append(min(most - 1, max(FEW, int(np.searchsorted(within, 1.0 - rare)))))
    return tuple(found)
