"""How unevenly the customers of a queue in phases leave.

With D the rates of the process and L those at which customers leave, the rate of departures a time
u after one is h(u) = pi L exp(D u) L 1 / rate. Its transform is found at some s > 0 [1]: the
solution y of (s - D) y = L 1 is, above level m,

    y* + G(s)^j (y_m - y*),    (s - D') y* = the rates of departures,

D' being the rates among phases, G(s) the chances of the way down before an exponential time of rate
s ends, and a set of linear equations up to m. Then

    h(u) - rate = sum of a_i exp(-b_i u)

is fitted to it for fixed b_i, and to what it is for s = 0, where as many leave as arrive: half the
index of the arrivals in the end less a half. The variance of the counts follows for all times.

References
----------
.. [1] G. Latouche and V. Ramaswami, "Introduction to Matrix Analytic Methods in Stochastic
   Modeling," SIAM, 1999: chapters 6 and 8.
"""

from __future__ import annotations

from math import ceil, log10
from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.map_ph_queue import (
    DOUBLINGS,
    LEFT,
    QueueInPhases,
    above,
    low_levels,
    ways_down,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]

#: Fastest point where the transform is found, and of the b_i; how many for each power of ten.
POINTS, MODES = (20.0, 4.0), (15.0, 3.2)
#: Slowest of both, and how much slower the points are than the b_i.
SLOWEST, SLOWER = 1e-6, 1.5
#: Weight against large coefficients, which cancel.
SMALL = 1e-4


def departures_in_phases(
    queue: QueueInPhases, times: Array, end: float, slowest: float
) -> Array | None:
    """Index of dispersion for counts of the departures, of a queue whose flow has the rate 1.

    Parameters
    ----------
    queue : QueueInPhases
        Its times in mean times between arrivals.
    times : array
        Lengths of time, likewise. [1]
    end : float
        The index in the end, which is that of the arrivals. [1]
    slowest : float
        Slowest rate at which departures forget. [1]

    Returns
    -------
    array or None
        None where the numbers make no sense.

    Examples
    --------
    >>> import numpy as np
    >>> from qmodel.matrix_analytic.rational_arrival_process import renewals
    >>> from qmodel.matrix_analytic.server_phases_mixed import busy_servers
    >>> from qmodel.numerics.phase_type import fit_phase_type
    >>> from qmodel.matrix_analytic.map_ph_queue import queue_in_phases
    >>> service = busy_servers([(1.0, fit_phase_type(0.4, 0.25))], 1)
    >>> queue = queue_in_phases(renewals(1.0, 4.0), service)
    >>> departures_in_phases(queue, np.array([1.0, 10.0, 100.0]), 4.0, 0.01).round(2).tolist()
    [1.14, 3.12, 3.91]
    """
    import numpy as np

    slow = max(SLOWEST, slowest)
    points = np.geomspace(slow, POINTS[0], ceil(POINTS[1] * log10(POINTS[0] / slow)))
    slow *= SLOWER
    rates = np.geomspace(slow, MODES[0], ceil(MODES[1] * log10(MODES[0] / slow)))
    try:
        found = np.array([_transform(queue, float(s)) for s in points]) - 1.0 / points
    except np.linalg.LinAlgError:
        return None
    wanted = np.concatenate([found, [0.5 * (end - 1.0)], np.zeros(len(rates))])
    if not np.isfinite(wanted).all():
        return None
    known = np.vstack([1.0 / (points[:, None] + rates), 1.0 / rates, SMALL * np.eye(len(rates))])
    weights = np.linalg.lstsq(known, wanted, rcond=None)[0]
    x = rates * times[:, None]
    index: Array = 1.0 + (1.0 + np.expm1(-x) / x) @ (2.0 * weights / rates)
    return np.maximum(index, 0.0)


def _transform(queue: QueueInPhases, s: float) -> float:
    """Integral of exp(-s u) h(u)."""
    import numpy as np

    flow, busy, grows = queue.flow, queue.busy, queue.grows
    up, inside, down = above(flow, busy)
    one = np.eye(len(inside))
    falls = ways_down(up, inside - s * one, down)
    far = np.linalg.solve(s * one - up - inside - down, down.sum(axis=1))
    rates, begin = low_levels(flow, busy)
    rates -= s * np.eye(begin[-1])
    last = slice(begin[-2], begin[-1])
    rates[last, last] += up @ falls
    wanted = np.zeros(begin[-1])
    phases = np.eye(flow.size)
    leave = [np.kron(phases, ends) for ends in busy.ends]
    for n, ends in enumerate(leave):
        wanted[begin[n + 1] : begin[n + 2]] = -ends.sum(axis=1)
    wanted[last] -= up @ (far - falls @ far)
    near = np.linalg.solve(rates, wanted)
    found = 0.0
    for n, ends in enumerate(leave):
        found += float(queue.levels[n + 1] @ ends @ near[begin[n] : begin[n + 1]])
    level = queue.levels[-1]
    found += float(level @ grows @ np.linalg.solve(one - grows, down @ far))
    # And what is above m as long as the way down lasts: the sum of R^(j+1) A G^j.
    summed, left, right = grows @ down, grows, falls
    for _ in range(DOUBLINGS):
        summed = summed + left @ summed @ right
        left, right = left @ left, right @ right
        if abs(left).max() * abs(right).max() < LEFT:
            break
    found += float(level @ summed @ (near[last] - far))
    return found
