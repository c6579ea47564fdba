"""Servers that work side by side, each class with its own services, by the phases that go on.

The services that n of m servers give are told apart by how many of them are in each phase of each
class; who is served where makes no difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.concentrated_distribution import MatrixExponential, as_matrices
from qmodel.numerics.phase_type import Phases

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Servers:
    """Rates between the sets of phases at n busy servers.

    Parameters
    ----------
    within : tuple of array, n = 0 to m
        One phase follows another; what leaves a set is on the diagonal. [1/s]
    ends : tuple of tuple of array, n = 1 to m, then by class
        A service ends and nobody waits: from n to n - 1. [1/s]
    starts : tuple of tuple of array, n = 0 to m - 1, then by class
        Chances of the sets that an arrival of the class makes: from n to n + 1. [1]
    weights : tuple of array, n = 0 to m, optional
        Where coordinates are no phases: of the sets in an inner product, adding up to 1.
    """

    within: tuple[Array, ...]
    ends: tuple[tuple[Array, ...], ...]
    starts: tuple[tuple[Array, ...], ...]
    weights: tuple[Array, ...] | None = None

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.ends)


def servers_of(
    services: Mapping[int, Phases | MatrixExponential], classes: int, number: int
) -> Servers:
    """The rates for services of classes.

    Parameters
    ----------
    services : mapping of int to Phases or MatrixExponential
        Of the classes that come here.
    classes, number : int
        All the classes there are; servers.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import phases
    >>> two = servers_of({0: phases(0.5, 1.0), 1: phases(0.25, 1.0)}, 2, 2)
    >>> [ends.tolist() for ends in two.ends[0]]
    [[[2.0], [0.0]], [[0.0], [4.0]]]
    """
    import numpy as np

    times = {
        c: as_matrices(service) if isinstance(service, Phases) else service
        for c, service in services.items()
    }
    kind = [c for c, service in times.items() for _ in service.start]
    start = np.concatenate([service.start for service in times.values()])
    end = np.concatenate([-service.generator.sum(axis=1) for service in times.values()])
    firsts = accumulate((len(service.start) for service in times.values()), initial=0)
    following = [
        [(first + j, rate) for j, rate in enumerate(row) if rate]
        for first, service in zip(firsts, times.values(), strict=False)
        for row in service.generator
    ]
    every = range(len(kind))
    busy = [list(combinations_with_replacement(every, n)) for n in range(number + 1)]
    place = [{one: i for i, one in enumerate(these)} for these in busy]
    within, ends, starts = [], [], []
    for n, these in enumerate(busy):
        inside = np.zeros((len(these), len(these)))
        fewer = [np.zeros((len(these), len(busy[n - 1]))) for _ in range(classes) if n]
        more = [
            np.zeros((len(these), len(busy[n + 1]))) if n < number else None for _ in range(classes)
        ]
        for i, one in enumerate(these):
            for at, phase in enumerate(one):
                rest = one[:at] + one[at + 1 :]
                fewer[kind[phase]][i, place[n - 1][rest]] += end[phase]
                for other, rate in following[phase]:
                    inside[i, place[n][tuple(sorted((*rest, other)))]] += rate
            for phase in every:
                grown = more[kind[phase]]
                if grown is not None:
                    grown[i, place[n + 1][tuple(sorted((*one, phase)))]] += start[phase]
        within.append(inside)
        if n:
            ends.append(tuple(fewer))
        if n < number:
            starts.append(tuple(each for each in more if each is not None))
    weights = None
    if not all(service.phases for service in times.values()):
        weights = tuple(
            np.array([_orders(one) / len(kind) ** n for one in these])
            for n, these in enumerate(busy)
        )
    return Servers(tuple(within), tuple(ends), tuple(starts), weights)


def _orders(one: tuple[int, ...]) -> float:
    """In how many orders a set can be written."""
    return factorial(len(one)) / prod(factorial(one.count(each)) for each in set(one))
