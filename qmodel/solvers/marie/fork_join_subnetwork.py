"""A fork-join station as a part of a network, by the chain of it that takes few enough states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qmodel.errors import NotApplicable
from qmodel.model.network import Network
from qmodel.model.product_form import EQUAL
from qmodel.model.stations import ForkJoinStation
from qmodel.solvers.fork_join import branch_pair_ctmc as two_branches
from qmodel.solvers.fork_join import exact_fork_ctmc as in_order
from qmodel.solvers.fork_join.class_aggregation import one_branch
from qmodel.solvers.fork_join.corrected_branch_pair import CorrectedPairs
from qmodel.solvers.fork_join.exact_fork_ctmc import ForkedClasses
from qmodel.solvers.fork_join.fork_speeds import forked_speeds
from qmodel.solvers.fork_join.large_fork import LargeFork, one_and_joined
from qmodel.solvers.marie.marginal_weights import product_form_weights
from qmodel.solvers.marie.subnetworks import LARGEST, mean_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


#: Mean number of visits below which a class hardly ever comes.
SELDOM = 1e-4


class ForkedPart:
    """A fork-join station: a queue whose speed depends on how visits arrive.

    Where one class comes it is one of product form, otherwise a chain of its own: of all branches
    in order, of two branches, or of one branch and what joins add, the first of these that takes
    few enough states; or product form again, where even one branch has too many states and classes
    take equal times. (That they do is not enough: who comes back at once finds the branches close
    together still, and at eight of them what others find takes up to 5 % longer.)
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
        there = self.there = [n if d else 0 for n, d in zip(population, self.demand, strict=True)]
        self.chain: ForkedClasses | CorrectedPairs | LargeFork | None = None
        if _as_one(self.times, there):
            pass
        elif in_order.is_in_order(there, self.branches):
            self.chain = ForkedClasses(self.times, there, self.branches)
        elif two_branches.size(there) <= two_branches.LARGEST:
            self.chain = CorrectedPairs(self.times, there, self.branches)
        else:
            self.chain = LargeFork(self.times, there, self.branches)
        self.settles = self.chain is not None
        self._found: Array | None = None
        #: Arrivals when the chain was last solved, and its answer.
        self._before: tuple[Array, Array] | None = None

    def solve(self, arrivals: Array, elsewhere: Array) -> tuple[Array, Array]:
        """See `Part`; of equal classes the mix present is that of the last solution.

        Raises
        ------
        NotApplicable
            If what the branches find at each other does not settle, and there are too many states
            for one branch.
        """
        import numpy as np

        if self.chain is None:
            speeds = self._speeds(arrivals, elsewhere)
            found = product_form_weights(self.population, self.work, speeds) * elsewhere
        else:
            if self._before is None or not np.array_equal(arrivals, self._before[0]):
                self._before = arrivals, self._inside(arrivals)
            found = self._before[1]
        found = found / found.sum()
        self._found = found
        return found, mean_numbers(found)[:, None]

    def _inside(self, arrivals: Array) -> Array:
        """Probabilities of the numbers there, by the chain."""
        import numpy as np

        visits = np.reshape(self.visits, (-1, *(1,) * (arrivals.ndim - 1)))
        rates = (arrivals * visits)[(slice(None), *(slice(0, n + 1) for n in self.there))]
        inside = self._by_chain(rates)
        found = np.zeros(arrivals.shape[1:])
        found[tuple(slice(0, n) for n in inside.shape)] = inside
        return found

    def _by_chain(self, rates: Array) -> Array:
        """The same, with more arrivals of classes that hardly ever come; what is found is scaled.

        So little of them is there that it is as much less as fewer come; and chains of very unlike
        probabilities have no digits of the small ones.
        """
        import numpy as np

        inside = self._solved(rates)
        often = mean_numbers(inside)
        seldom = (often > 0.0) & (often < SELDOM)
        if not seldom.any() or isinstance(self.chain, ForkedClasses):
            return inside
        more = np.where(seldom, SELDOM / np.where(seldom, often, 1.0), 1.0)
        found = self._solved(rates * np.reshape(more, (-1, *(1,) * inside.ndim)))
        found = found * np.exp(-np.tensordot(np.log(more), np.indices(found.shape), axes=1))
        return np.asarray(found / found.sum())

    def _solved(self, rates: Array) -> Array:
        """What the chain finds, or one branch where it does not settle."""
        assert self.chain is not None
        inside = self.chain.solve(rates)
        if inside is None:
            if one_branch(self.times).size(self.there) > LARGEST:
                raise NotApplicable("isolation: branches of a fork do not settle with each other")
            _, inside = one_and_joined(self.times, self.branches, rates)
        return inside

    def _speeds(self, arrivals: Array, elsewhere: Array) -> tuple[float, ...]:
        """Speeds of the fork by the mix of visits when it was last solved."""
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
    times = [network.service_time_at(c, k) or 1.0 for c in classes]
    if _as_one(times, there):
        return 0.0
    if in_order.is_in_order(there, station.branches):
        return in_order.size(there, station.branches)
    if two_branches.size(there) <= two_branches.LARGEST:
        return min(LARGEST, two_branches.size(there))
    return one_branch(times).size(there)


def _as_one(times: Sequence[float], there: Sequence[int]) -> bool:
    """Whether classes are told apart by nothing but their numbers."""
    here = [time for time, n in zip(times, there, strict=True) if n]
    if len(here) < 2:
        return True
    alike = max(here) - min(here) <= EQUAL * max(here)
    return alike and one_branch(times).size(there) > LARGEST
