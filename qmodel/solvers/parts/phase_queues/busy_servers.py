"""Servers that work side by side, by the phases of the services that go on.

The services that n of m servers give are told apart by how many of them are in each phase; who is
served where makes no difference. A customer who begins takes a phase by the parts of the classes
in the flow, as if classes came in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.solvers.parts.chains.phases import Phases

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BusyServers:
    """Rates between the sets of phases at n busy servers.

    Parameters
    ----------
    within : tuple of array, n = 0 to m
        One phase follows another; what leaves a set is on the diagonal. [1/s]
    ends : tuple of array, n = 1 to m
        A service ends and nobody waits: from n to n - 1. [1/s]
    starts : tuple of array, n = 0 to m - 1
        Chances of the sets that an arrival makes: from n to n + 1. [1]
    """

    within: tuple[Array, ...]
    ends: tuple[Array, ...]
    starts: tuple[Array, ...]

    @property
    def servers(self) -> int:
        """How many there are."""
        return len(self.ends)

    @property
    def follows(self) -> Array:
        """A service ends and the next one begins, where all are busy. [1/s]"""
        found: Array = self.ends[-1] @ self.starts[-1]
        return found


def sets_of(phases: int, servers: int) -> int:
    """How many sets of phases there are where all servers are busy."""
    return comb(servers + phases - 1, servers)


def busy_servers(services: Sequence[tuple[float, Phases]], servers: int) -> BusyServers:
    """The rates for a mixture of services.

    Parameters
    ----------
    services : sequence of (float, Phases)
        Parts of the customers, adding up to 1, and their services.
    servers : int
        At least 1.

    Examples
    --------
    >>> from qmodel.solvers.parts.chains.phases import phases
    >>> two = busy_servers([(1.0, phases(0.5, 1.0))], 2)
    >>> [float(rate[0, 0]) for rate in two.ends]
    [2.0, 4.0]
    """
    import numpy as np

    start = [part * p for part, service in services for p in service.start]
    rate = [r for _, service in services for r in service.rate]
    end = [e for _, service in services for e in service.ends]
    every = range(len(start))
    busy = [list(combinations_with_replacement(every, n)) for n in range(servers + 1)]
    number = [{one: i for i, one in enumerate(these)} for these in busy]
    within, ends, starts = [], [], []
    for n, these in enumerate(busy):
        inside = np.zeros((len(these), len(these)))
        fewer = np.zeros((len(these), len(busy[n - 1]))) if n else None
        for i, one in enumerate(these):
            for at, phase in enumerate(one):
                rest = one[:at] + one[at + 1 :]
                inside[i, i] -= rate[phase]
                if not end[phase]:
                    inside[i, number[n][tuple(sorted((*rest, phase + 1)))]] += rate[phase]
                elif fewer is not None:
                    fewer[i, number[n - 1][rest]] += rate[phase]
        within.append(inside)
        if fewer is not None:
            ends.append(fewer)
        if n < servers:
            more = np.zeros((len(these), len(busy[n + 1])))
            for i, one in enumerate(these):
                for phase in every:
                    more[i, number[n + 1][tuple(sorted((*one, phase)))]] += start[phase]
            starts.append(more)
    return BusyServers(tuple(within), tuple(ends), tuple(starts))
