"""A station with a Markov chain, in order of arrival: the wait by its states; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, NamedTuple, Self

import numpy as np

from qmodel.errors import InternalError
from qmodel.model.solution import Solution
from qmodel.numerics.arrays import Array, Complex, Index
from qmodel.numerics.phase_type import ServiceTime
from qmodel.response_times.station_passage import Series
from qmodel.solvers.marie.fixed_point import StationStates
from qmodel.solvers.markov.ordered_queue import QueueCTMC
from qmodel.solvers.markov.station_states import NO_CLASS

#: Numbers held at once.
HELD = 2_000_000

#: Levels of an acyclic chain, each after those it leads to: states, rates of their transitions by
#: state as a sparse matrix, and the rates of leaving them. [1/s]
Levels = list[tuple[Index, Any, Array]]


class StateWaits(NamedTuple):
    """The wait of the last in the queue, by the state of a station."""

    chain: QueueCTMC
    #: Stationary probability of each.
    stationary: Array
    #: Of the chain without arrivals.
    levels: Levels

    @classmethod
    def of(cls, chain: QueueCTMC, stationary: Array) -> Self:
        """The waits at a chain with its stationary distribution."""
        space, model = chain.space, chain.model
        phase = np.array([i - model.first[c] for i, c in enumerate(model.owner)])
        busy = np.array([state[1] for state in space.states]).reshape(len(space.states), -1)
        # Every transition lowers the rank: a customer counts more than all its phases take off.
        rank = chain.counts.sum(axis=1) * (phase.max() + 1) - busy @ phase
        waiting = busy.sum(axis=1) == model.station.servers
        used = waiting[space.source] & (space.label == NO_CLASS)
        source, target, rates = (x[used] for x in (space.source, space.target, space.rate))
        return cls(chain, stationary, levels_of(rank, waiting, source, target, rates))

    def by_number(self, s: Complex) -> Complex:
        """Transform of the wait by the numbers of each class there, (N_1 + 1, ... N_C + 1, B)."""
        from scipy.sparse import coo_matrix

        waits = np.ones((len(self.stationary), len(s)), complex)
        for states, moves, exit_rate in self.levels:
            waits[states] = (moves @ waits) / (s[None, :] + exit_rate[:, None])
        shape = tuple(n + 1 for n in self.chain.population)
        cell: Any = np.ravel_multi_index(tuple(self.chain.counts.T), shape)
        weight = np.bincount(cell, self.stationary, prod(shape))
        given = self.stationary / np.maximum(weight[cell], 1e-300)
        mixing: Any = coo_matrix((given, (cell, np.arange(len(cell)))), (len(weight), len(cell)))
        return np.asarray(mixing.tocsr() @ waits).reshape(*shape, len(s))


def levels_of(rank: Any, included: Any, source: Any, target: Any, rates: Array) -> Levels:
    """Levels of the ``included`` states of an acyclic chain, by a rank that transitions lower."""
    from scipy.sparse import coo_matrix

    moves: Any = coo_matrix((rates, (source, target)), shape=(len(rank), len(rank))).tocsr()
    exit_rate = np.asarray(moves.sum(axis=1)).ravel()
    levels = []
    for value in np.unique(rank[included]):
        states = np.flatnonzero(included & (rank == value))
        levels.append((states, moves[states], exit_rate[states]))
    return levels


@dataclass(frozen=True, slots=True, eq=False)
class CtmcPassage:
    """First come, first served, with a chain of its own."""

    #: Of the arriving customer. [s]
    service: ServiceTime
    #: Of the numbers of each closed group, shape (N_1 + 1, ... N_G + 1).
    weights: Array
    #: The wait by state.
    waits: StateWaits
    #: Which of the numbers of the chain's classes an arrival may find.
    kept: tuple[slice | int, ...]
    exponential_phases: bool = False
    #: Visits that find the same state.
    visits: int = 1

    def repeated(self, visits: int) -> Self:
        """Several visits that find the same state."""
        return replace(self, service=replace(self.service, times=visits), visits=visits)

    def weighted_transforms(self, s: Complex) -> Series:
        """Not by the number of all customers: see `transforms_by_group`."""
        raise InternalError(f"no series at {len(s)} points: a chain tells the classes apart")

    def transforms_by_group(self, s: Complex) -> Complex:
        """The products w(n) phi(n, s) by the numbers of each group, (N_1 + 1, ... N_G + 1, B)."""
        weights = self.weights[..., None]
        if not s.any():
            return np.asarray(weights + np.zeros(len(s), complex))
        size = max(1, HELD // len(self.waits.stationary))
        parts = [self.waits.by_number(s[i : i + size]) for i in range(0, len(s), size)]
        waits: Complex = weights * np.concatenate(parts, axis=-1)[self.kept] ** self.visits
        return waits * self.service.transform(s)


class CtmcStations(NamedTuple):
    """All stations of a solution that have a chain of their own."""

    #: What Marie's method knows of them.
    states: StationStates
    #: By station.
    waits: dict[int, StateWaits]

    @classmethod
    def of(cls, solution: Solution, states: StationStates) -> Self:
        """The stations, with the waits of each."""
        waits = {
            k: StateWaits.of(states.chain(solution, k), stationary)
            for k, (_, stationary) in states.stations.items()
        }
        return cls(states, waits)

    def passage(
        self, k: int, service: ServiceTime, others: Sequence[int], flows: Sequence[float]
    ) -> CtmcPassage:
        """Station ``k`` for an arriving customer among ``others`` of each class, a group each.

        All weights are expressed in the ``flows`` at the instants of arrivals. [1/s]
        """
        classes, unit, stations = self.states
        kept = tuple(slice(0, others[c] + 1) if others[c] else 0 for c in classes)
        weights = stations[k][0][kept]
        groups = [(c, u) for c, u in zip(classes, unit, strict=True) if others[c]]
        for axis, (c, u) in enumerate(groups):
            powers = (flows[c] * u) ** np.arange(others[c] + 1)
            weights = weights * powers.reshape([-1 if a == axis else 1 for a in range(len(groups))])
        if not groups:
            weights = weights.reshape(1)
        return CtmcPassage(service, weights / weights.max(), self.waits[k], kept)
