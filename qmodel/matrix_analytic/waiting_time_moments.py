"""How long the classes wait in a queue of `ticks`, and whether those who waited before wait longer.

A customer who begins r ticks after his arrival has waited for a time that is not known but for
those: given the wait W, ticks are Poisson with the mean nu W, so r (r - 1) ... (r - k + 1) has the
mean nu^k W^k.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.waiting_time import WaitMoments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.matrix_analytic.age_process import Ticks
    from qmodel.matrix_analytic.state_vector import Values

    Array = NDArray[np.floating[Any]]


def waits(ticks: Ticks, often: Values) -> tuple[WaitMoments | None, ...]:
    """The waits of the classes; None for those who do not come.

    Parameters
    ----------
    ticks : Ticks
        The queue.
    often : Values
        Its `stationary` probabilities.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import phases
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewals
    >>> from qmodel.matrix_analytic.server_phases import servers_of
    >>> from qmodel.matrix_analytic.stationary_distribution import stationary
    >>> from qmodel.matrix_analytic.age_process import Ticks
    >>> queue = Ticks(renewals(1.0, 1.0, 0, 1), servers_of({0: phases(0.5, 4.0)}, 1, 1))
    >>> found = waits(queue, stationary(queue))[0]
    >>> round(found.probability, 6), round(found.first, 5)  # Pollaczek and Khinchin
    (0.5, 1.25)
    """
    looked_at = _rates_of_ticks(ticks, often)
    phase = ticks.flow.phase
    found: list[WaitMoments | None] = []
    for arrival in ticks.flow.arrivals:
        rates = arrival.sum(axis=1)
        flow = float(phase @ rates)
        found.append(WaitMoments(*_moments(ticks, looked_at, rates / flow)) if flow > 0.0 else None)
    return tuple(found)


def covariances(ticks: Ticks, often: Values) -> dict[tuple[int, int], float]:
    """Covariance of the wait with the time at an earlier station, by class and station. [s^2]"""
    looked_at, flow = _rates_of_ticks(ticks, often), ticks.flow
    mean = [float(flow.phase @ arrival.sum(axis=1)) for arrival in flow.arrivals]
    return {
        (c, k): _moments(ticks, looked_at, rates)[1] / mean[c]
        for (c, k), rates in flow.carried.items()
    }


def _rates_of_ticks(ticks: Ticks, often: Values) -> Array:
    """By level and phase of the arrivals: how often ticks are looked at, (N, n). [1/s]"""
    import numpy as np

    sets = ticks.sets[-2]
    found = np.empty((len(often.high), ticks.flow.size))
    here = np.zeros(len(ticks.nothing))
    ends = sum(ticks.ends)
    for level in range(len(found) - 1, -1, -1):
        here = often.high[level, :, 0] @ ends + here @ ticks.nothing
        found[level] = here.reshape(-1, sets).sum(axis=1)
    return found


def _moments(ticks: Ticks, looked_at: Array, rates: Array) -> tuple[float, float, float, float]:
    import numpy as np

    nu = ticks.rate
    begin = looked_at[1:] @ rates / nu
    r = np.arange(len(begin), dtype=float)
    return (
        float(begin.sum()),
        float(begin @ r) / nu,
        float(begin @ (r * (r - 1.0))) / nu**2,
        float(begin @ (r * (r - 1.0) * (r - 2.0))) / nu**3,
    )
