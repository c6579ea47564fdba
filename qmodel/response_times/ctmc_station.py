"""A station that was solved as a chain of its own, as an arriving customer meets it.

`solvers.marie` gives such a station weights w(n), by the numbers n of each class there,
as if it stood in a network of product form, and the probability of each state of its chain: who is
served in which phase. So an arrival finds n as in product form with the weights w(n), and given n
each state as often as the chain has it, since arrivals there depend on nothing but n. From a state
the wait is that until those before have gone: the chain goes on without arrivals until a server is
free for the last in the queue. Phases only go on and customers only leave, so no state comes again
and the transforms of the waits follow from one another.

Exact for one such station with nothing but think times around it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from qmodel.errors import InternalError
from qmodel.solvers.marie.fixed_point import fixed_point
from qmodel.solvers.marie.subnetworks import QueueSubnetwork
from qmodel.solvers.markov.station_states import NO_CLASS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from qmodel.model.network import Network
    from qmodel.numerics.service_time import Complex, Series, ServiceTime
    from qmodel.solvers.marie.fixed_point import FixedPoint
    from qmodel.solvers.markov.ordered_queue import QueueCTMC

    Array = NDArray[np.float64]
    Steps = list[tuple[NDArray[np.intp], Any, Array]]

#: Numbers held at once.
HELD = 2_000_000


class Waits(NamedTuple):
    """How long the last in the queue waits, by the state of a station.

    Attributes
    ----------
    chain : QueueCTMC
        The states.
    often : array
        Probability of each.
    steps : list of (array of int, sparse matrix, array)
        See `in_steps`: some states, rates of their moves by state, and the sums of these. [1/s]
    """

    chain: QueueCTMC
    often: Array
    steps: Steps

    @classmethod
    def of(cls, chain: QueueCTMC, often: Array) -> Waits:
        """Those of a chain whose states are so probable."""
        import numpy as np

        space, model = chain.space, chain.model
        phase = np.array([i - model.first[c] for i, c in enumerate(model.owner)])
        busy = np.array([state[1] for state in space.states]).reshape(len(space.states), -1)
        # Every move makes this less: a customer's has more than all that its phases take off.
        left = chain.counts.sum(axis=1) * (phase.max() + 1) - busy @ phase
        waiting = busy.sum(axis=1) == model.station.servers
        counted = waiting[space.source] & (space.label == NO_CLASS)
        source, target, rates = (x[counted] for x in (space.source, space.target, space.rate))
        steps = in_steps(left, waiting, source, target, rates, 0.0 * often)
        return cls(chain, often, steps)

    def by_number(self, s: Complex) -> Complex:
        """Transform of the wait by the numbers of each class found, (N_1 + 1, ... N_C + 1, B)."""
        import numpy as np
        from scipy.sparse import coo_matrix

        waits = np.ones((len(self.often), len(s)), complex)
        for group, moves, total in self.steps:
            waits[group] = (moves @ waits) / (s[None, :] + total[:, None])
        shape = tuple(n + 1 for n in self.chain.population)
        place: Any = np.ravel_multi_index(tuple(self.chain.counts.T), shape)
        weight = np.bincount(place, self.often, prod(shape))
        part = self.often / np.maximum(weight[place], 1e-300)
        mixed: Any = coo_matrix((part, (place, np.arange(len(place)))), (len(weight), len(place)))
        return np.asarray(mixed.tocsr() @ waits).reshape(*shape, len(s))


def in_steps(
    left: NDArray[Any],
    wanted: NDArray[np.bool_],
    source: NDArray[Any],
    target: NDArray[Any],
    rates: Array,
    leave: Array,
) -> Steps:
    """States in an order in which what they lead to comes before them.

    They are taken together where as much is left, which every move makes less.

    Parameters
    ----------
    left : array of int
        By state.
    wanted : array of bool
        The states that are meant.
    source, target, rates : array
        The moves. [1/s]
    leave : array
        What else ends each state. [1/s]
    """
    import numpy as np
    from scipy.sparse import coo_matrix

    size = len(left)
    moves: Any = coo_matrix((rates, (source, target)), shape=(size, size)).tocsr()
    total = np.asarray(moves.sum(axis=1)).ravel() + leave
    steps = []
    for value in np.unique(left[wanted]):
        group = np.flatnonzero(wanted & (left == value))
        steps.append((group, moves[group], total[group]))
    return steps


@dataclass(frozen=True, slots=True, eq=False)
class Isolated:
    """First come, first served, with a chain of its own.

    Parameters
    ----------
    own : ServiceTime
        One's own service. [s]
    weights : array, shape (N_1 + 1, ... N_G + 1)
        Of the numbers found of each closed group.
    waits : Waits
        How long they make one wait.
    kept : tuple of slice or int
        Which of the numbers of the chain's classes may be found.
    """

    own: ServiceTime
    weights: Array
    waits: Waits
    kept: tuple[slice | int, ...]
    ratio: float = 0.0
    plain: bool = False
    times: int = 1

    def repeated(self, times: int) -> Isolated:
        """So many visits that find the same number."""
        return replace(self, own=replace(self.own, times=times), times=times)

    def series(self, s: Complex) -> Series:
        """Not by the number of all that are found: see `lattice`."""
        raise InternalError(f"no series at {len(s)} points: a chain tells the classes apart")

    def lattice(self, s: Complex) -> Complex:
        """Weights times transforms by the numbers found, shape (N_1 + 1, ... N_G + 1, B)."""
        import numpy as np

        weights = self.weights[..., None]
        if not s.any():
            return np.asarray(weights + np.zeros(len(s), complex))
        size = max(1, HELD // len(self.waits.often))
        parts = [self.waits.by_number(s[i : i + size]) for i in range(0, len(s), size)]
        found: Complex = weights * np.concatenate(parts, axis=-1)[self.kept] ** self.times
        return found * self.own.transform(s)


def isolated(
    network: Network, others: Sequence[int], flows: Sequence[float]
) -> dict[int, tuple[Array, Waits, tuple[slice | int, ...]]]:
    """Weights, waits and ways to look them up of the stations that ``isolation`` takes apart.

    Parameters
    ----------
    network : Network
        Solved by ``isolation``, its closed classes each a group.
    others : sequence of int
        Others of each class, those that are found.
    flows : sequence of float
        Of each class, as an arrival finds them: what all weights are told in. [1/s]
    """
    import numpy as np

    found = _fixed_point(network)
    kept = tuple(slice(0, others[c] + 1) if others[c] else 0 for c in found.classes)
    there = {}
    for k, (weights, waits) in _parts(network).items():
        scaled = weights[kept]
        groups = [(c, u) for c, u in zip(found.classes, found.unit, strict=True) if others[c]]
        for axis, (c, u) in enumerate(groups):
            powers = (flows[c] * u) ** np.arange(others[c] + 1)
            scaled = scaled * powers.reshape([-1 if a == axis else 1 for a in range(len(groups))])
        if not groups:
            scaled = scaled.reshape(1)
        there[k] = (scaled / scaled.max(), waits, kept)
    return there


@lru_cache(maxsize=4)
def _fixed_point(network: Network) -> FixedPoint:
    return fixed_point(network)


@lru_cache(maxsize=4)
def _parts(network: Network) -> dict[int, tuple[Array, Waits]]:
    found = _fixed_point(network)
    return {
        part.stations[0]: (weights, Waits.of(part.chain, part.stationary))
        for part, weights in zip(found.subnetworks, found.weights, strict=True)
        if isinstance(part, QueueSubnetwork)
    }
