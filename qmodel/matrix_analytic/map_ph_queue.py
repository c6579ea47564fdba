"""The queue of a flow in phases at servers in phases, first come, first served.

The levels are the numbers of customers, a quasi-birth-and-death process. Above m, where all servers
are busy, the levels' probabilities are pi_m R^j, and the way down from a level to the next has the
chances G, by logarithmic reduction [1]; that holds for rational arrival processes also [2].

The wait of an arrival who finds m + j customers is that for j + 1 of them to leave. With U the mean
times in the phases where all are busy, F the ends of services and N_i = U^(i+1) F, the sums

    Z_0 = C + R Z_0 N_0,    Z_i = R Z_i N_0 + R (Z_0 N_i + ... + Z_(i-1) N_1),

C taking the phases of the arrivals out, give E W^i / i! = pi_m (Z_0 N_i + ... + Z_i N_0) 1.

References
----------
.. [1] G. Latouche and V. Ramaswami, "Introduction to Matrix Analytic Methods in Stochastic
   Modeling," SIAM, 1999: chapter 8.
.. [2] N. G. Bean and B. F. Nielsen, "Quasi-birth-and-death processes with rational arrival process
   components," Stochastic Models 26(3), 2010, pp. 309-334.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.rational_arrival_process import ArrivalsInPhases, balanced

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.matrix_analytic.server_phases_mixed import BusyServers

    Array = NDArray[np.floating[Any]]

#: Doublings at most, and what is left when they are enough.
DOUBLINGS, LEFT = 60, 1e-14
#: Powers of R beyond which they do not fall any more.
GROWN = 1e12
#: How far probabilities and rates may be from what they are to be, of 1.
NEAR = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class QueueInPhases:
    """A solved queue.

    Parameters
    ----------
    flow : ArrivalsInPhases
        What arrives.
    busy : BusyServers
        Those who serve.
    levels : tuple of array, n = 0 to m
        Probabilities of n customers with each phase of arrivals and services.
    grows : array
        R, from a level above m - 1 to the next.
    wait : tuple of float
        Probability of waiting, and three moments of the wait of all. [1, s, s^2, s^3]
    """

    flow: ArrivalsInPhases
    busy: BusyServers
    levels: tuple[Array, ...]
    grows: Array
    wait: tuple[float, float, float, float]


def queue_in_phases(flow: ArrivalsInPhases, busy: BusyServers) -> QueueInPhases | None:
    """The queue, or None where the numbers do not make one.

    Examples
    --------
    >>> from qmodel.matrix_analytic.rational_arrival_process import renewals
    >>> from qmodel.matrix_analytic.server_phases_mixed import busy_servers
    >>> from qmodel.numerics.phase_type import fit_phase_type
    >>> service = busy_servers([(1.0, fit_phase_type(0.5, 4.0))], 1)
    >>> found = queue_in_phases(renewals(1.0, 1.0), service)
    >>> [round(value, 9) for value in found.wait[:2]]  # M/G/1, Pollaczek and Khinchin
    [0.5, 1.25]
    """
    import numpy as np

    try:
        up, inside, down = above(flow, busy)
        falls = ways_down(up, inside, down)
        grows = np.linalg.solve(-(inside + up @ falls).T, up.T).T
        levels = _levels(flow, busy, grows)
        wait = _wait(flow, busy, levels[-1], grows)
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(wait).all() or not -NEAR <= wait[0] <= 1.0 + NEAR or min(wait) < -NEAR:
        return None
    return QueueInPhases(flow, busy, levels, grows, wait)


def above(flow: ArrivalsInPhases, busy: BusyServers) -> tuple[Array, Array, Array]:
    """Rates where all are busy: to one customer more, as many, and one less."""
    import numpy as np

    phases, sets = np.eye(flow.size), np.eye(len(busy.within[-1]))
    return (
        np.kron(flow.arrival, sets),
        np.kron(flow.without, sets) + np.kron(phases, busy.within[-1]),
        np.kron(phases, busy.follows),
    )


def ways_down(up: Array, inside: Array, down: Array) -> Array:
    """Chances of the phases in which a level is left for the one below, G."""
    import numpy as np

    one = np.eye(len(inside))
    first = np.linalg.inv(-inside)
    rises, found = first @ up, first @ down
    falls, reached = found.copy(), rises.copy()
    for _ in range(DOUBLINGS):
        stays = np.linalg.inv(one - rises @ falls - falls @ rises)
        rises, falls = stays @ rises @ rises, stays @ falls @ falls
        found = found + reached @ falls
        reached = reached @ rises
        if abs(reached).max() < LEFT or abs(falls).max() < LEFT:
            break
    return found


def low_levels(flow: ArrivalsInPhases, busy: BusyServers) -> tuple[Array, list[int]]:
    """Rates among the levels 0 to m, what leaves them included, and where each begins."""
    import numpy as np

    phases = np.eye(flow.size)
    begin = [0]
    for inside in busy.within:
        begin.append(begin[-1] + flow.size * len(inside))
    found = np.zeros((begin[-1], begin[-1]))
    parts = [slice(a, b) for a, b in pairwise(begin)]
    for n, (at, inside) in enumerate(zip(parts, busy.within, strict=True)):
        found[at, at] = np.kron(flow.without, np.eye(len(inside))) + np.kron(phases, inside)
        if n < busy.servers:
            found[at, parts[n + 1]] = np.kron(flow.arrival, busy.starts[n])
            found[parts[n + 1], at] = np.kron(phases, busy.ends[n])
    return found, begin


def _levels(flow: ArrivalsInPhases, busy: BusyServers, grows: Array) -> tuple[Array, ...]:
    import numpy as np

    rates, begin = low_levels(flow, busy)
    last = slice(begin[-2], begin[-1])
    rates[last, last] += grows @ np.kron(np.eye(flow.size), busy.follows)
    counted = np.ones(begin[-1])
    counted[last] = np.linalg.solve(np.eye(len(grows)) - grows, counted[last])
    rates[:, 0] = counted
    wanted = np.zeros(begin[-1])
    wanted[0] = 1.0
    found = np.linalg.solve(rates.T, wanted)
    return tuple(found[a:b] for a, b in pairwise(begin))


def _wait(
    flow: ArrivalsInPhases, busy: BusyServers, level: Array, grows: Array
) -> tuple[float, float, float, float]:
    import numpy as np

    sets = len(busy.within[-1])
    arrives = flow.arrival.sum(axis=1)
    mean = np.linalg.inv(-busy.within[-1])
    leaves = [mean @ busy.follows]
    for _ in range(3):
        leaves.append(mean @ leaves[-1])
    doubled = [(grows, leaves[0])]
    while len(doubled) < DOUBLINGS and abs(doubled[-1][0]).max() > LEFT:
        if abs(doubled[-1][0]).max() > GROWN:
            raise np.linalg.LinAlgError("the levels' probabilities grow")
        doubled.append((doubled[-1][0] @ doubled[-1][0], doubled[-1][1] @ doubled[-1][1]))

    def summed(first: Array) -> Array:
        """Sum of R^j X N^j."""
        for left, right in doubled:
            first = first + left @ first @ right
        return first

    sums = [summed(np.kron(arrives[:, None], np.eye(sets)))]
    for i in (1, 2, 3):
        new = sums[0] @ leaves[i]
        for j in range(1, i):
            new = new + sums[j] @ leaves[i - j]
        sums.append(summed(grows @ new))
    rate = float(balanced(flow.without + flow.arrival) @ arrives)
    terms = [
        float(sum((level @ sums[j] @ leaves[i - j]).sum() for j in range(i + 1))) / rate
        for i in range(4)
    ]
    return terms[0], terms[1], 2.0 * terms[2], 6.0 * terms[3]
