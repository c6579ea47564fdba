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
from qmodel.solvers.parts.forks.groups import groups, one_branch, taken_together
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

#: Probabilities of more visits of a class that are left out where there are too many states, the
#: first that is enough, and visits that are not.
RARE, FEW = (1e-4, 3e-4, 1e-3), 2


class ForkedPart:
    """A fork-join station: a queue whose speed depends on how visits arrive.

    Where one class comes it is one of product form, otherwise a chain of its own: of all branches
    in order, or of two branches, the first of these that takes few enough states. Where both take
    too many it is one branch and what joins add, corrected by chains of fewer visits; or product
    form again, where even one branch has too many states and classes take equal times. (That they
    do is not enough: who comes back at once finds the branches close together still, and at eight
    of them what others find takes up to 5 % longer.)
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
        there = self.there = _there(network, classes, k, population)
        self.as_one = _as_one(self.times, there)
        self.chain: ForkedClasses | None = None
        self.pairs: CorrectedPairs | None = None
        self._rest: dict[tuple[int, ...], CorrectedPairs] = {}
        if not self.as_one and in_order.is_in_order(there, self.branches):
            self.chain = ForkedClasses(self.times, there, self.branches)
        elif not self.as_one and two_branches.size(there) <= two_branches.LARGEST:
            self.pairs = CorrectedPairs(self.times, there, self.branches)
        self.settles = self.chain is not None or self.pairs is not None
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

        if self.as_one:
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
        """Probabilities of the numbers there, of several classes."""
        import numpy as np

        rates = arrivals * np.reshape(self.visits, (-1, *(1,) * elsewhere.ndim))
        rates = _within(rates, self.there)
        inside: Array | None = None
        if self.chain is not None:
            inside = self.chain.solve(rates)
        elif self.pairs is not None:
            inside = self.pairs.solve(rates)
        if inside is None:
            inside = self._by_one_branch(arrivals, rates, elsewhere)
        found = np.zeros(elsewhere.shape)
        found[_numbers(inside)] = inside
        return found

    def _by_one_branch(self, arrivals: Array, rates: Array, elsewhere: Array) -> Array:
        """Those of one branch and what joins add; of fewer visits, two branches correct them."""
        import numpy as np

        branch = one_branch(self.times)
        if branch.size(self.there) > LARGEST:
            raise NotApplicable("isolation: the branches of a fork do not settle with each other")
        alone = OrderedChain(branch, self.there).solve(rates)
        inside = alone
        for _ in range(2 if self._found is None else 1):  # the speeds follow from the mix
            speeds = self._speeds(arrivals, elsewhere)
            inside = joined(alone, self.times, speeds)
            self._found = np.zeros(elsewhere.shape)
            self._found[_numbers(inside)] = inside
        if self.pairs is not None:
            return inside

        most = _few_enough(inside)
        if two_branches.size(most) <= two_branches.LARGEST:
            settled = self._corrected(most).solve(_within(rates, most))
            return inside if settled is None else settled
        together = groups(self.times, most)
        ends = [sum(most[c] for c in group) for group in together]
        apart = two_branches.size_apart(ends, sum(ends)) <= two_branches.LARGEST

        def roughly(rates: Array) -> Array | None:
            there = [n - 1 for n in rates.shape[1:]]
            alone = OrderedChain(branch, there).solve(rates)
            often = joined(alone, self.times, speeds)
            few = [min(n, m) for n, m in zip(there, most, strict=True)]
            more = taken_together(
                self.times, together, few, self.branches, rates, often, apart=apart
            )
            return None if more is None else alone * more / (alone * more).sum()

        settled = self._corrected(tuple(self.there)).solve(rates, roughly)
        return inside if settled is None else settled

    def _corrected(self, most: tuple[int, ...]) -> CorrectedPairs:
        """Two branches with so many visits at most, made once."""
        if most not in self._rest:
            self._rest[most] = CorrectedPairs(self.times, most, self.branches)
        return self._rest[most]

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
    times = [network.service_time_at(c, k) or 1.0 for c in classes]
    if _as_one(times, there):
        return 0.0
    if in_order.is_in_order(there, station.branches):
        return in_order.size(there, station.branches)
    if two_branches.size(there) <= two_branches.LARGEST:
        return min(LARGEST, two_branches.size(there))
    return one_branch(times).size(there)


def _there(
    network: Network, classes: Sequence[int], k: int, population: Sequence[int]
) -> list[int]:
    """Most visits of each class."""
    return [n if network.demand[c][k] else 0 for c, n in zip(classes, population, strict=True)]


def _as_one(times: Sequence[float], there: Sequence[int]) -> bool:
    """Whether classes are told apart by nothing but their numbers."""
    here = [time for time, n in zip(times, there, strict=True) if n]
    if len(here) < 2:
        return True
    alike = max(here) - min(here) <= EQUAL * max(here)
    return alike and one_branch(times).size(there) > LARGEST


def _within(rates: Array, population: Sequence[int]) -> Array:
    """Rates of arrival where no more than a chain knows are there."""
    return rates[(slice(None), *(slice(0, n + 1) for n in population))]


def _numbers(probability: Array) -> tuple[slice, ...]:
    """Where an array of fewer numbers is in one of more."""
    return tuple(slice(0, n) for n in probability.shape)


def _few_enough(probability: Array) -> tuple[int, ...]:
    """Most customers of each class that are there not hardly ever, few enough for two branches."""
    every = [_often(probability, rare) for rare in RARE]
    return next(
        (most for most in every if two_branches.size(most) <= two_branches.LARGEST), every[0]
    )


def _often(probability: Array, rare: float) -> tuple[int, ...]:
    """Most customers of each class of which more are rarer than that."""
    import numpy as np

    found = []
    for c, most in enumerate(probability.shape):
        others = tuple(i for i in range(probability.ndim) if i != c)
        within = np.cumsum(probability.sum(axis=others))
        found.append(min(most - 1, max(FEW, int(np.searchsorted(within, 1.0 - rare)))))
    return tuple(found)
