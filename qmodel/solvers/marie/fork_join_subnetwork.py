"""A fork-join station as a subnetwork: load-dependent for one class, a chain of two branches else.
Theory and sources: `qmodel/solvers/THEORY.md`, marie/fork_join_subnetwork.
"""

from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from qmodel.errors import NotApplicable
from qmodel.model.network import Network
from qmodel.model.stations import ForkJoinStation
from qmodel.numerics.arrays import Array
from qmodel.solvers.fork_join.branch_pair_ctmc import RARE, SELDOM, BranchPairCTMC, largest_total
from qmodel.solvers.fork_join.fork_speeds import forked_speeds
from qmodel.solvers.fork_join.truncation_correction import TruncationCorrection
from qmodel.solvers.marie.subnetworks import mean_numbers, padded, visit_rates

#: Mean number of visits of a class below which its arrivals are scaled up.
FEWEST = 1e-4


class ForkJoinSubnetwork:
    """A fork-join station."""

    def __init__(
        self, network: Network, classes: Sequence[int], population: Sequence[int], k: int
    ) -> None:
        station = network.stations[k]
        assert isinstance(station, ForkJoinStation)
        self.stations: tuple[int, ...] = (k,)
        self.branches = station.branches
        self.shape = tuple(n + 1 for n in population)
        self.visits = [network.visits_at(c, k) for c in classes]
        self.times = [network.service_time_at(c, k) or 1.0 for c in classes]
        self.population = [
            n if network.demand[c][k] else 0 for c, n in zip(classes, population, strict=True)
        ]
        self._chain = cache(self._new_chain)
        self._correction = cache(
            partial(TruncationCorrection, self.times, self.population, self.branches)
        )

    def solve(self, arrivals: Array) -> tuple[Array, Array]:
        """See `Subnetwork`.

        Raises `NotApplicable` if the nonlinear equations of the chain do not converge, or more
        visits are in progress than it holds.
        """
        rates = visit_rates(arrivals, self.visits, self.population)
        visiting = [c for c, n in enumerate(self.population) if n]
        marginal = self._one_class(rates, *visiting) if len(visiting) == 1 else self._scaled(rates)
        marginal = padded(marginal, self.shape)
        return marginal, mean_numbers(marginal)[:, None]

    def _one_class(self, rates: Array, c: int) -> Array:
        """P(n), proportional to the product of a(i - 1) / r(i), i = 1 ... n: see `fork_speeds`."""
        load = rates[c].ravel() * self.times[c]
        speeds = np.array(forked_speeds(self.branches, load))
        with np.errstate(divide="ignore"):  # of rates that underflow
            logarithm = np.concatenate([[0.0], np.cumsum(np.log(load[:-1] / speeds))])
        weights = np.exp(logarithm - logarithm.max())
        return np.asarray(weights / weights.sum()).reshape(rates[c].shape)

    def _scaled(self, rates: Array) -> Array:
        """P(n) with more arrivals of classes that hardly ever come, and scaled back.

        To first order P(n) is proportional to their rates; and nonlinear chains of very unlike
        probabilities have no digits of the small ones.
        """
        marginal = self._by_chain(rates)
        mean = mean_numbers(marginal)
        rare = (mean > 0.0) & (mean < FEWEST)
        if not rare.any():
            return marginal
        more = np.where(rare, FEWEST / np.where(rare, mean, 1.0), 1.0)
        marginal = self._by_chain(rates * np.reshape(more, (-1, *(1,) * marginal.ndim)))
        powers = np.tensordot(np.log(more), np.indices(marginal.shape), axes=1)
        marginal = marginal * np.exp(-powers)
        return np.asarray(marginal / marginal.sum())

    def _by_chain(self, rates: Array) -> Array:
        """P(n) by the first of the two chains that holds nearly all visits."""
        for apart, rare in ((True, RARE), (False, SELDOM)):
            chain, most = self._chain(apart)
            marginal = chain.marginal(chain.stationary(rates))
            total = np.indices(marginal.shape).sum(axis=0)
            if most >= sum(self.population) or marginal[total == most].sum() <= rare:
                return self._correction().apply(marginal, rates)
        raise NotApplicable(
            f"marie: more than {most} visits are often in progress at a fork of "
            f"{np.count_nonzero(self.population)} classes, its chain holds no more"
        )

    def _new_chain(self, apart: bool) -> tuple[BranchPairCTMC, int]:
        """The chain, and the most visits it holds."""
        most = largest_total(self.population, apart=apart)
        chain = BranchPairCTMC(self.times, self.population, self.branches, most, apart=apart)
        return chain, most
