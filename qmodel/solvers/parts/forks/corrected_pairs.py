"""A fork followed by two branches, corrected by chains that know more of fewer visits.

The chain of two branches takes few states because it forgets: who is where in the line; which other
branches are at the last visit; and where it still takes too many, which visits the other branch has
done. A chain that does not forget one of these is small enough if no more than some visits may be
in progress, those that would come then being lost. Both are solved so, and the ratio of what they
find, by the numbers of each class in progress, corrects the chain of all visits. Where more are in
progress it is the mean over as many visits drawn from these, each with the same probability:

    g(n) = sum over c of n_c / |n| g(n - 1_c),    g the logarithm of the ratio.

Both sides lose the same visits, so that where a fork is busy what is wrong about that cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from qmodel.solvers.parts.forks import in_order, two_branches
from qmodel.solvers.parts.forks.in_order import ForkedClasses
from qmodel.solvers.parts.forks.two_branches import ForkedPairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: States of a chain in order, and about those of one that tells what the other branch has done.
IN_ORDER, APART = 4_000, 12_000
#: Probabilities below that tell no ratio.
RARE = 1e-10


class Correction(NamedTuple):
    """Chains of few visits.

    Attributes
    ----------
    better : ForkedClasses or ForkedPairs
        One that knows more.
    same : ForkedPairs
        One that forgets what is to be corrected.
    """

    better: ForkedClasses | ForkedPairs
    same: ForkedPairs


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
        self.pairs = ForkedPairs(service, population, branches)
        self.corrections: list[Correction] = []

        def chains(most: int) -> tuple[list[int], ForkedPairs]:
            there = [min(n, most) for n in population]
            return there, ForkedPairs(service, there, branches, most)

        if not self.pairs.apart:
            most = few(population, two_branches.size_apart, APART)
            there, apart = chains(most)
            together = ForkedPairs(service, there, branches, most, apart=False)
            self.corrections.append(Correction(apart, together))
        if branches > 2:
            most = few(population, lambda n, m: in_order.size(n, branches, m), IN_ORDER)
            there, pairs = chains(most)
            ordered = ForkedClasses(service, there, branches, most)
            self.corrections.append(Correction(ordered, pairs))

    def solve(self, arrivals: Array) -> Array | None:
        """Probabilities of the visits in progress, shape (N_1 + 1, ... N_C + 1).

        None if what the branches find at each other does not settle.

        Parameters
        ----------
        arrivals : array, shape (C, N_1 + 1, ... N_C + 1)
            Rate at which visits of each class start, by those in progress. [1/s]

        Examples
        --------
        >>> import numpy as np
        >>> fork = CorrectedPairs([1.0], [1], 3)  # one visit alone takes 1 + 1/2 + 1/3
        >>> fork.solve(np.array([[1.0, 0.0]])).round(6).tolist()
        [0.352941, 0.647059]
        """
        import numpy as np

        found = self.pairs.solve(arrivals)
        for correction in self.corrections if found is not None else ():
            found = found * np.exp(drawn(_ratio(correction, arrivals)))
            found = found / found.sum()
        return found


def few(
    population: Sequence[int], size: Callable[[Sequence[int], int], float], largest: float
) -> int:
    """How many visits in progress a chain has few enough states for.

    Examples
    --------
    >>> few([8, 16, 4], lambda n, most: in_order.size(n, 8, most), IN_ORDER)
    3
    >>> few([2, 2], lambda n, most: in_order.size(n, 3, most), IN_ORDER)  # all
    4
    """
    most = 1
    while most < sum(population) and size(population, most + 1) <= largest:
        most += 1
    return most


def drawn(known: Array) -> Array:
    """Numbers by how many there are; where they are not known, the mean with one less at random.

    Examples
    --------
    >>> import numpy as np
    >>> drawn(np.array([[0.0, 1.0], [4.0, np.nan], [np.nan, np.nan]])).tolist()
    [[0.0, 1.0], [4.0, 2.5], [4.0, 3.0]]
    """
    import numpy as np

    there = np.indices(known.shape)
    total = there.sum(axis=0)
    found = np.nan_to_num(known)
    asked = np.isnan(known)
    for visits in range(1, int(total.max()) + 1):
        here = np.nonzero(asked & (total == visits))
        mean = np.zeros(len(here[0]))
        for c, axis in enumerate(here):
            less = tuple(at - (i == c) for i, at in enumerate(here))
            mean += axis / visits * np.where(axis > 0, found[less], 0.0)
        found[here] = mean
    return found


def _ratio(chains: Correction, arrivals: Array) -> Array:
    """Logarithm of what the better chain finds over what the other does; or not a number."""
    import numpy as np

    ratio = np.full(arrivals.shape[1:], np.nan)
    within = tuple(slice(0, n + 1) for n in chains.same.population)
    rates = arrivals[(slice(None), *within)]
    better, same = chains.better.solve(rates), chains.same.solve(rates)
    if better is not None and same is not None:
        told = (better > RARE) & (same > RARE)
        ratio[within] = np.log(np.divide(better, same, out=np.full(same.shape, np.nan), where=told))
    return ratio
