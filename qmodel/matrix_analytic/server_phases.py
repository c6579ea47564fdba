"""Servers that work side by side, each class with its own services, by the phases that go on.

The services that n of m servers give are told apart by how many of them are in each phase of each
class; who is served where makes no difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.numerics.phase_type import Phases

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
    """

    within: tuple[Array, ...]
    ends: tuple[tuple[Array, ...], ...]
    starts: tuple[tuple[Array, ...], ...]

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.ends)


def servers_of(services: Mapping[int, Phases], classes: int, number: int) -> Servers:
    """The rates for services of classes.

    Parameters
    ----------
    services : mapping of int to Phases
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

    kind = [c for c, service in services.items() for _ in service.start]
    start = [p for service in services.values() for p in service.start]
    rate = [r for service in services.values() for r in service.rate]
    end = [e for service in services.values() for e in service.ends]
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
                inside[i, i] -= rate[phase]
                if end[phase]:
                    fewer[kind[phase]][i, place[n - 1][rest]] += rate[phase]
                else:
                    inside[i, place[n][tuple(sorted((*rest, phase + 1)))]] += rate[phase]
            for phase in every:
                grown = more[kind[phase]]
                if grown is not None:
                    grown[i, place[n + 1][tuple(sorted((*one, phase)))]] += start[phase]
        within.append(inside)
        if n:
            ends.append(tuple(fewer))
        if n < number:
            starts.append(tuple(each for each in more if each is not None))
    return Servers(tuple(within), tuple(ends), tuple(starts))
