"""A fork-join station as a part of a network, by the chain of it that takes few enough states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qmodel.errors import NotApplicable
from qmodel.network import Network
from qmodel.product_form import EQUAL
from qmodel.solvers.parts.chains.ordered import OrderedChain
from qmodel.solvers.parts.forks import in_order, two_branches
from qmodel.solvers.parts.forks.corrected_pairs import CorrectedPairs
from qmodel.solvers.parts.forks.groups import one_branch, taken_together
from qmodel.solvers.parts.forks.in_order import ForkedClasses
from qmodel.solvers.parts.forks.joins import joined
from qmodel.solvers.parts.forks.speeds import forked_speeds
from qmodel.solvers.parts.isolated.parts import LARGEST, mean_numbers
from qmodel.solvers.parts.isolated.population_weights import product_form_weights
from qmodel.stations import ForkJoinStation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Probability of more visits of a class that is left out where there are too many states, and
#: visits that are not.
RARE, FEW = 1e-4, 2


class ForkedPart:
    """A fork-join station: a queue whose speed depends on how visits arrive.

    Where classes take equal times it is one of product form, otherwise a chain of its own: of all
    branches in order, of two branches, or of one branch and what joins add, the first of these that
    takes few enough states. What the last of them finds hardly ever is left out of that of two
    branches, if that is few enough then; if not, classes are taken together.
    """

    stations: tuple[int, ...]

    def __init__(
        self,
        network: Network,
        classes: Sequence[int],
        population: Sequence[int],
        k: int,
        unit: Sequence[float],
    ) -> None:
        station = network.stations[k]
        assert isinstance(station, ForkJoinStation)
        self.stations = (k,)
        self.branches = station.branches
        self.demand = [network.demand[c][k] for c in classes]
        self.work = [d / u for d, u in zip(self.demand, unit, strict=True)]
        self.population = population
        self.visits = [network.visits_at(c, k) for c in classes]
        self.times = [network.service_time_at(c, k) or 1.0 for c in classes]
        self.chain: ForkedClasses | CorrectedPairs | None = None
        self.equal = not _times_differ(network, classes, k)
        there = self.there = [n if d else 0 for n, d in zip(population, self.demand, strict=True)]
        if not self.equal and in_order.is_in_order(there, self.branches):
            self.chain = ForkedClasses(self.times, there, self.branches)
        elif not self.equal and two_branches.size(there) <= two_branches.LARGEST:
            self.chain = CorrectedPairs(self.times, there, self.branches)
        self.settles = self.chain is not None
        self._found: Array | None = None
        #: Arrivals when the chain was last solved, and its answer.
        self._before: tuple[Array, Array] | None = None

    def solve(self, arrivals: Array, elsewhere: Array) -> tuple[Array, Array]:
        """See `Part`; the mix of classes present is that of the last solution.

        Raises
        ------
        NotApplicable
            If what the branches find at each other does not settle, and there are too many states
            for one branch.
        """
        import numpy as np

        if self.equal:
            speeds = self._speeds(arrivals, elsewhere)
            found = product_form_weights(self.population, self.work, speeds) * elsewhere
        else:
            if self._before is None or not np.array_equal(arrivals, self._before[0]):
                self._before = arrivals, self._inside(arrivals, elsewhere)
            found = self._before[1]
        found = found / found.sum()
        self._found = found
        return found, mean_numbers(found)[:, None]

    def _inside(self, arrivals: Array, elsewhere: Array) -> Array:
        """Probabilities of the numbers there, classes taking different times."""
        import numpy as np

        chain = self.chain
        rates = arrivals * np.reshape(self.visits, (-1, *(1,) * elsewhere.ndim))
        inside = None if chain is None else chain.solve(_within(rates, chain.population))
        if inside is None:
            inside = self._by_one_branch(arrivals, _within(rates, self.there), elsewhere)
        found = np.zeros(elsewhere.shape)
        found[_numbers(inside)] = inside
        return found

    def _by_one_branch(self, arrivals: Array, rates: Array, elsewhere: Array) -> Array:
        """Those of one branch and what joins add, and by these of fewer visits or classes."""
        import numpy as np

        branch = one_branch(self.times)
        if branch.size(self.there) > LARGEST:
            raise NotApplicable("isolation: the branches of a fork do not settle with each other")
        alone = OrderedChain(branch, self.there).solve(rates)
        inside = alone
        for _ in range(2 if self._found is None else 1):  # the speeds follow from the mix
            inside = joined(alone, self.times, self._speeds(arrivals, elsewhere))
            self._found = np.zeros(elsewhere.shape)
            self._found[_numbers(inside)] = inside
        if self.chain is not None:
            return inside
        most = _often(inside)
        if two_branches.size(most) <= two_branches.LARGEST:
            settled = CorrectedPairs(self.times, most, self.branches).solve(_within(rates, most))
            return inside if settled is None else settled
        more = taken_together(self.times, most, self.branches, rates, inside)
        return inside if more is None else np.asarray(alone * more)

    def _speeds(self, arrivals: Array, elsewhere: Array) -> tuple[float, ...]:
        """Speeds of the fork if all visits took the time of their mix when it was last solved."""
        import numpy as np

        total = np.indices(elsewhere.shape).sum(axis=0)
        often = self._found
        if often is None:  # before anything is known: as a queue of product form
            often = product_form_weights(self.population, self.work, (1.0,)) * elsewhere
        # Work that arrives per unit of time, by how many visits of any class are there.
        work = often * np.tensordot(np.array(self.demand), arrivals, axes=1)
        weight = np.bincount(total.ravel(), often.ravel())
        amount = np.bincount(total.ravel(), work.ravel())
        load = np.divide(amount, weight, out=np.zeros_like(amount), where=weight > 0.0)
        return forked_speeds(self.branches, load)


def fork_size(network: Network, classes: Sequence[int], k: int, there: Sequence[int]) -> float:
    """About how many states the chain of a fork has, LARGEST where it is one of more."""
    station = network.stations[k]
    assert isinstance(station, ForkJoinStation)
    if not _times_differ(network, classes, k):
        return 0.0
    if in_order.is_in_order(there, station.branches):
        return in_order.size(there, station.branches)
    if two_branches.size(there) <= two_branches.LARGEST:
        return min(LARGEST, two_branches.size(there))
    times = [network.service_time_at(c, k) or 1.0 for c in classes]
    return one_branch(times).size(there)


def _times_differ(network: Network, classes: Sequence[int], k: int) -> bool:
    """Whether some class takes longer at a station than another."""
    times = [network.service_time_at(c, k) for c in classes if network.demand[c][k]]
    return max(times) - min(times) > EQUAL * max(times)


def _within(rates: Array, population: Sequence[int]) -> Array:
    """Rates of arrival where no more than a chain knows are there."""
    return rates[(slice(None), *(slice(0, n + 1) for n in population))]


def _numbers(probability: Array) -> tuple[slice, ...]:
    """Where an array of fewer numbers is in one of more."""
    return tuple(slice(0, n) for n in probability.shape)


def _often(probability: Array) -> tuple[int, ...]:
    """Most customers of each class that are there not hardly ever."""
    import numpy as np

    found = []
    for c, most in enumerate(probability.shape):
        others = tuple(i for i in range(probability.ndim) if i != c)
        within = np.cumsum(probability.sum(axis=others))
        rare = int(np.searchsorted(within, 1.0 - RARE))
        found.append(min(most - 1, max(FEW, rare)))
    return tuple(found)
