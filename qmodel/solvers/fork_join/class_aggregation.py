"""A fork of too many classes: those that take nearly the same time are taken together.

Joins make the visits in progress more likely than at one branch, by a factor that depends on how
many there are of each class. Where the chain of two branches has too many states for all classes,
that factor is taken from the chain of fewer, in each of which a visit takes the mean time of those
that are taken together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from qmodel.numerics.phase_type import fit_phase_type
from qmodel.solvers.fork_join.branch_pair_ctmc import LARGEST, ForkedPairs, size
from qmodel.solvers.markov.ordered_queue import OrderedChain, OrderedStation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def taken_together(
    service: Sequence[float],
    together: Sequence[list[int]],
    most: Sequence[int],
    branches: int,
    rates: Array,
    often: Array,
    *,
    apart: bool,
) -> Array | None:
    """How much more likely visits in progress are than at one branch; None if that is not known.

    Parameters
    ----------
    service : sequence of float
        Mean service time of a part of each class. [s]
    together : sequence of list of int
        Positions of the classes that are taken together.
    most : sequence of int
        Visits of each class beyond which there hardly ever are more.
    branches : int
        At least 2.
    rates : array, shape (C, N_1 + 1, ... N_C + 1)
        Rate at which visits of each class start, by those in progress. [1/s]
    often : array, shape (N_1 + 1, ... N_C + 1)
        About how likely these are; who is taken together comes in these proportions.
    apart : bool
        Whether the two branches tell what the other one has done, as in `ForkedPairs`.
    """
    import numpy as np

    ends = [sum(most[c] for c in group) for group in together]
    there = np.indices(often.shape)
    numbers = [
        np.minimum(there[group].sum(axis=0), end) for group, end in zip(together, ends, strict=True)
    ]
    shape = tuple(end + 1 for end in ends)
    at = np.ravel_multi_index(numbers, shape).ravel()
    weight = np.bincount(at, often.ravel(), int(np.prod(shape)))
    flow = (rates * often).reshape(len(rates), -1)
    arrivals, times = np.zeros((len(together), len(weight))), []
    for i, group in enumerate(together):
        start = np.bincount(at, flow[group].sum(axis=0), len(weight))
        np.divide(start, weight, out=arrivals[i], where=weight > 0.0)
        each = flow[group].sum(axis=1)
        times.append(float(each @ np.array(service)[group] / each.sum()))
    arrivals = arrivals.reshape(-1, *shape)
    two = ForkedPairs(times, ends, branches, apart=apart).solve(arrivals)
    if two is None:
        return None
    one = OrderedChain(one_branch(times), ends).solve(arrivals)
    found = np.divide(two, one, out=np.zeros(shape), where=one > 0.0)
    return np.asarray(found.ravel()[at].reshape(often.shape))


def groups(service: Sequence[float], most: Sequence[int]) -> list[list[int]]:
    """Classes to take together: as few as leave a chain of two branches that is small enough.

    Examples
    --------
    >>> groups([1.0, 0.1, 0.9], [8, 16, 8])
    [[1], [2, 0]]
    """
    found = [[c] for c in sorted(range(len(service)), key=lambda c: service[c]) if most[c]]
    while len(found) > 1 and size([sum(most[c] for c in group) for group in found]) > LARGEST:
        apart = [service[b[0]] / service[a[-1]] for a, b in pairwise(found)]
        i = apart.index(min(apart))
        found[i : i + 2] = [found[i] + found[i + 1]]
    return found


def one_branch(times: Sequence[float]) -> OrderedStation:
    """A branch of a fork as the chain of a station takes it."""
    return OrderedStation(
        1, "fcfs", (0,) * len(times), tuple(fit_phase_type(t, 1.0) for t in times)
    )
