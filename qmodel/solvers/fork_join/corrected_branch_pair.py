"""A fork followed by two branches, corrected by chains that know more of fewer visits.

The chain of two branches takes few states because it forgets: who is where in the line; which other
branches are at the last visit; and where it still takes too many, which visits the other branch has
done. Each of these is told of few visits (`few_visits`). Where it takes too many states even so, it
is itself told of few visits, and corrects what is known of one branch and joins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from qmodel.solvers.fork_join import branch_pair_ctmc as two_branches
from qmodel.solvers.fork_join import exact_fork_ctmc as in_order
from qmodel.solvers.fork_join.branch_pair_ctmc import ForkedPairs
from qmodel.solvers.fork_join.exact_fork_ctmc import ForkedClasses
from qmodel.solvers.fork_join.truncation_correction import corrected, few, within

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: States of a chain in order, and about those of one that tells what the other branch has done.
IN_ORDER, APART = 12_000, 12_000


class CorrectedPairs:
    """Two branches of a fork, corrected where few visits are in progress.

    Parameters
    ----------
    service : sequence of float
        Mean service time of a part of each class. [s]
    population : sequence of int
        Most visits of each class in progress.
    branches : int
        At least 2; of two branches the order is not corrected.
    """

    def __init__(self, service: Sequence[float], population: Sequence[int], branches: int) -> None:
        self.population = tuple(population)
        self.most_apart = self.most_in_order = 0

        def chain(most: int, *, apart: bool) -> ForkedPairs:
            there = [min(n, most) for n in population]
            return ForkedPairs(service, there, branches, most, apart=apart)

        self.pairs: ForkedPairs | None = None
        if two_branches.size(population) <= two_branches.LARGEST:
            self.pairs = ForkedPairs(service, population, branches)
        if self.pairs is None or not self.pairs.apart:
            most = self.most_apart = few(population, two_branches.size_apart, APART)
            self.few_apart = chain(most, apart=True)
            self.few_together = chain(most, apart=False) if self.pairs else None
        if branches > 2:
            most = few(population, lambda n, m: in_order.size(n, branches, m), IN_ORDER)
            there = [min(n, most) for n in population]
            self.most_in_order, self.few_pairs = most, chain(most, apart=True)
            self.few_in_order = ForkedClasses(service, there, branches, most)

    def solve(
        self, arrivals: Array, one_branch: Callable[[Array], Array | None] | None = None
    ) -> Array | None:
        """Probabilities of the visits in progress, shape (N_1 + 1, ... N_C + 1).

        None if what the branches find at each other does not settle.

        Parameters
        ----------
        arrivals : array, shape (C, N_1 + 1, ... N_C + 1)
            Rate at which visits of each class start, by those in progress. [1/s]
        one_branch : callable, optional
            Turns rates, these or those of fewer visits, to what is found without pairs; needed
            where there are too many states for them.

        Examples
        --------
        >>> import numpy as np
        >>> fork = CorrectedPairs([1.0], [1], 3)  # one visit alone takes 1 + 1/2 + 1/3
        >>> fork.solve(np.array([[1.0, 0.0]])).round(6).tolist()
        [0.352941, 0.647059]
        """
        roughly = self.pairs.solve if self.pairs else one_branch
        assert roughly is not None
        found = roughly(arrivals)
        if found is None:
            return None
        if self.most_apart:
            rates = within(arrivals, self.most_apart)
            roughly = self.few_together.solve if self.few_together else one_branch
            assert roughly is not None
            better, same = self.few_apart.solve(rates), roughly(rates)
            if better is None or same is None:
                return None
            found = corrected(found, better, same)
        if self.most_in_order:
            rates = within(arrivals, self.most_in_order)
            same = self.few_pairs.solve(rates)
            if same is None:
                return None
            found = corrected(found, self.few_in_order.solve(rates), same)
        return found
