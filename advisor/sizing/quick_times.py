"""Response times of very many candidates at once, roughly; and who certainly misses a target.

Roughly: Bard and Schweitzer's approximation [1]_ with Seidmann's stations of several servers [2]_,
on arrays ``[candidate, class, station]``. It ranks candidates; none is chosen by it.

Certainly: if every class answered within its target ``T``, it would complete at least
``N / (T + Z)`` interactions a second, and each station would be that busy (the utilization law).
Where some station would have to be busier than it may be, the target is missed whatever the
queues are.

References
----------
.. [1] P. Schweitzer, "Approximate analysis of multiclass closed networks of queues," Proc. Int.
   Conf. on Stochastic Control and Optimization, Amsterdam, 1979.
.. [2] A. Seidmann, P. J. Schweitzer and S. Shalev-Oren, "Computerized closed queueing network
   models of flexible manufacturing systems," Large Scale Systems 12, 1987, pp. 91-107.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.hardware.task import Load

if TYPE_CHECKING:
    from advisor.sizing.candidates import Stations

_ITERATIONS = 200
_SETTLED = 1e-4


@dataclass(frozen=True, slots=True)
class Arrays:
    """Stations of some choices: ``count`` and ``servers`` [choice, station], ``demand`` [choice,
    class, station].
    """

    count: Any
    servers: Any
    demand: Any

    def at(self, index: Any) -> Arrays:
        """Those of some choices, repeated as the index says."""
        return Arrays(self.count[index], self.servers[index], self.demand[index])


def arrays(stations: Sequence[Stations]) -> Arrays:
    """Stations of each choice as arrays; those with fewer kinds have some that are not there."""
    import numpy as np

    width = max(len(each) for each in stations)
    classes = len(stations[0][0][2])
    count = np.zeros((len(stations), width))
    servers = np.ones((len(stations), width))
    demand = np.zeros((len(stations), classes, width))
    for i, each in enumerate(stations):
        for k, (many, m, column) in enumerate(each):
            count[i, k], servers[i, k], demand[i, :, k] = many, m, column
    return Arrays(count, servers, demand)


def together(parts: Sequence[Arrays]) -> Arrays:
    """Candidates whose stations are those of all parts."""
    import numpy as np

    return Arrays(
        np.concatenate([p.count for p in parts], axis=-1),
        np.concatenate([p.servers for p in parts], axis=-1),
        np.concatenate([p.demand for p in parts], axis=-1),
    )


def quick_times(found: Arrays, loads: Sequence[Load]) -> Any:
    """Approximate response time of each class of each candidate, infinite without steady state."""
    import numpy as np

    delay = found.servers == 0.0
    servers = np.where(delay, 1.0, found.servers)[:, None, :]
    count = found.count[:, None, :]
    waits = np.where(delay[:, None, :], 0.0, found.demand / servers)
    pure = found.demand - waits
    rate = [load.arrival_rate for load in loads]
    if any(r is not None for r in rate):
        arrivals = np.array([r or 0.0 for r in rate])[None, :, None]
        busy = (arrivals * waits).sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            residence = np.where(busy < 1.0, waits / (1.0 - busy), np.inf) + pure
        return np.where(count > 0.0, count * residence, 0.0).sum(axis=2)
    n = np.array([float(load.population) for load in loads])[None, :, None]
    think = np.array([load.think_time for load in loads])[None, :]
    stations = np.maximum(found.count.sum(axis=1), 1.0)[:, None, None]
    queue = np.where(count > 0.0, n / stations, 0.0) + 0.0 * waits
    times = None
    for _ in range(_ITERATIONS):
        seen = queue.sum(axis=1, keepdims=True) - queue / n
        residence = waits * (1.0 + seen) + pure
        new = (count * residence).sum(axis=2)
        throughput = n[:, :, 0] / np.maximum(think + new, 1e-300)
        queue = throughput[:, :, None] * (waits * (1.0 + seen))
        if times is not None and np.all(np.abs(new - times) <= _SETTLED * np.maximum(new, 1e-300)):
            return new
        times = new
    return times


def certainly_missed(
    found: Arrays, loads: Sequence[Load], target: float, utilization: float = 1.0
) -> Any:
    """Which candidates cannot meet a response time and a utilization, whatever the queues are."""
    import numpy as np

    least = (found.count[:, None, :] * found.demand).sum(axis=2)
    rates = [
        load.population / (target + load.think_time)
        if load.arrival_rate is None
        else load.arrival_rate
        for load in loads
    ]
    busy = (np.array(rates)[None, :, None] * found.demand).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        busy = np.where(found.servers > 0.0, busy / found.servers, 0.0)
    slack = 1.0 + 1e-9  # what rounding may add
    return (least > target * slack).any(axis=1) | (busy > utilization * slack).any(axis=1)


def least_times(found: Arrays, load: Load) -> Any:
    """Response times that users of one class alone cannot fall below. [s]

    Mean value analysis, exact, of two servers that are faster: one with a single station as fast
    as all servers of a station together, and one with as many servers as users.
    """
    import numpy as np

    demand = found.demand[:, 0, :]
    delay, several = found.servers == 0.0, found.servers > 1.0
    together_ = np.where(delay, 0.0, demand / np.where(delay, 1.0, found.servers))
    best = np.zeros(len(demand))
    for waits in (together_, np.where(several, 0.0, together_)):
        nobody = np.where(delay | (several & (waits == 0.0)), demand, 0.0)
        pure = load.think_time + (found.count * nobody).sum(axis=1)
        queue = np.zeros_like(demand)
        time = pure
        for n in range(1, load.population + 1):
            residence = waits * (1.0 + queue)
            time = pure + (found.count * residence).sum(axis=1)
            queue = residence * (n / np.maximum(time, 1e-300))[:, None]
        best = np.maximum(best, time - load.think_time)
    return best
