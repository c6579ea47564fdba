"""Response times of very many candidates at once, roughly; and which certainly miss a target.

Roughly: Bard and Schweitzer's approximation, with a station of m servers as a delay and a single
server m times as fast [1]_. It ranks candidates; none is chosen by it.

Certainly: if every class answered within its target ``T``, it would complete at least
``N / (T + Z)`` interactions a second, and each station would be that busy (the utilization law).
Where some station would have to be busier than it may be, the target is missed whatever the
queues are.

References
----------
.. [1] A. Seidmann, P. J. Schweitzer and S. Shalev-Oren, "Computerized closed queueing network
   models of flexible manufacturing systems," Large Scale Systems 12, 1987, pp. 91-107.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from calibration.hardware.task import Load

if TYPE_CHECKING:
    from advisor.sizing.candidates import Stations


def arrays(stations: Sequence[Stations]) -> Any:
    """Stations of each choice, [choice, row, station]: how many alike, servers each, and demands.

    A delay has 0 servers; choices with fewer kinds have some that are not there.
    """
    import numpy as np

    width = max(len(each) for each in stations)
    found = np.zeros((len(stations), 2 + len(stations[0][0][2]), width))
    found[:, 1] = 1.0
    for i, each in enumerate(stations):
        for k, (count, servers, demand) in enumerate(each):
            found[i, :, k] = (count, servers, *demand)
    return found


def estimated_times(found: Any, loads: Sequence[Load]) -> Any:
    """Approximate response time of each class of each candidate, infinite without steady state."""
    import numpy as np

    from qmodel.kernels import columns

    count, servers, demand = found[:, :1], found[:, 1:2], found[:, 2:]
    queued = np.where(servers > 0.0, demand / np.maximum(servers, 1.0), 0.0)
    delay = (count * (demand - queued)).sum(axis=2)
    rates = [load.arrival_rate for load in loads]
    if any(rate is not None for rate in rates):
        arrivals = np.array([rate or 0.0 for rate in rates])[None, :, None]
        busy = (arrivals * queued).sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            residence = np.where(busy < 1.0, queued / (1.0 - busy), np.inf)
        return delay + np.where(count > 0.0, count * residence, 0.0).sum(axis=2)
    return columns.bard_schweitzer(
        [load.population for load in loads],
        [load.think_time for load in loads],
        delay,
        queued,
        count[:, 0],
    )


def certainly_missed(
    found: Any, loads: Sequence[Load], target: float, utilization: float = 1.0
) -> Any:
    """Which candidates cannot meet a response time and a utilization, whatever the queues are."""
    import numpy as np

    count, servers, demand = found[:, :1], found[:, 1], found[:, 2:]
    least = (count * demand).sum(axis=2)
    rates = [
        load.population / (target + load.think_time)
        if load.arrival_rate is None
        else load.arrival_rate
        for load in loads
    ]
    busy = (np.array(rates)[None, :, None] * demand).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        busy = np.where(servers > 0.0, busy / servers, 0.0)
    slack = 1.0 + 1e-9  # what rounding may add
    return (least > target * slack).any(axis=1) | (busy > utilization * slack).any(axis=1)


def least_times(found: Any, load: Load) -> Any:
    """Response times that users of one class alone cannot fall below. [s]

    Those, exactly, of two servers that are faster: one with a single station as fast as all
    servers of a station together, and one with as many servers as users.
    """
    import numpy as np

    from qmodel.kernels import columns

    count, servers, demand = found[:, 0], found[:, 1], found[:, 2]
    best = np.zeros(len(demand))
    for speed, alone in ((np.maximum(servers, 1.0), servers == 0.0), (1.0, servers != 1.0)):
        away = load.think_time + (count * np.where(alone, demand, 0.0)).sum(axis=1)
        throughput, _ = columns.mean_values(
            np.full(len(demand), load.population),
            np.maximum(away, 1e-300),
            np.where(alone, 0.0, demand / speed).T,
            count=count.T,
        )
        best = np.maximum(best, load.population / throughput - load.think_time)
    return best
