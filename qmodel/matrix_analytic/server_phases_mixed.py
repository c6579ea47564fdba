"""Servers that work side by side, where classes come in any order.

A customer who begins is of a class by its part in the flow: the `servers` of the classes mixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.server_phases import server_phases

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.numerics.phase_type import PhaseType

    Array = NDArray[np.floating[Any]]


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


def busy_servers(services: Sequence[tuple[float, PhaseType]], servers: int) -> BusyServers:
    """The rates for a mixture of services.

    Parameters
    ----------
    services : sequence of (float, PhaseType)
        Parts of the customers, adding up to 1, and their services.
    servers : int
        At least 1.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import fit_phase_type
    >>> two = busy_servers([(1.0, fit_phase_type(0.5, 1.0))], 2)
    >>> [float(rate[0, 0]) for rate in two.ends]
    [2.0, 4.0]
    """
    every = server_phases(
        dict(enumerate(service for _, service in services)), len(services), servers
    )
    parts = [part for part, _ in services]
    return BusyServers(
        every.phase_changes,
        tuple(_mixed([1.0] * len(parts), ends) for ends in every.completions),
        tuple(_mixed(parts, starts) for starts in every.starts),
    )


def _mixed(parts: Sequence[float], rates: Sequence[Array]) -> Array:
    import numpy as np

    found: Array = np.add.reduce([part * each for part, each in zip(parts, rates, strict=True)])
    return found
