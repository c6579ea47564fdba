"""How long customers wait at a station of an open network, by its flow.

Where classes come from outside the wait is that of the station with phases; where the flow has come
through other stations it is between that of the renewal process that is felt and that of the one
whose counts vary as the flow's do. By simulation the truth is mostly between them: neither knows
how the times between arrivals depend on one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from qmodel.matrix_analytic.waiting_time import WaitMoments
from qmodel.solvers.decomposition.equivalent_renewal import (
    StationLoad,
    as_one,
    felt_arrivals,
    work_index,
)
from qmodel.solvers.decomposition.station_map_queue import (
    StationQueue,
    station_queue,
    waits_from_outside,
)
from qmodel.solvers.decomposition.traffic_equations import Traffic, busy_time, outside_alone

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.solvers.open_load import OpenLoad

    Array = NDArray[np.float64]

#: How far towards the queue with phases the probability and mean, and two more moments, are taken;
#: chosen by simulations of 70 networks. All the way where all come from outside.
PARTS, WHOLE = (0.4, 0.24, 0.144), (1.0, 1.0, 1.0)
#: Indices that differ by less are the same.
ALIKE = 1e-6


@dataclass(frozen=True, slots=True)
class StationWait:
    """How long customers wait at a station.

    Parameters
    ----------
    arrival_scv : float
        Of the renewal process that stands for the arrivals. [1]
    service_time, scv : float
        Of all classes together. [s]
    utilization : float
        Of one server. [1]
    probability : float
        Of waiting. [1]
    wait : float
        Mean wait of a visit, of all customers. [s]
    waits : tuple of float, length C
        The same of the customers of each class. [s]
    spread : float
        SCV of the wait of those who wait. [1]
    shape : tuple of (float, float), optional
        Parts and means of two exponential times with three moments of the wait of those who wait,
        its mean taken as 1. None where two do not make it.
    """

    arrival_scv: float
    service_time: float
    scv: float
    utilization: float
    probability: float
    wait: float
    waits: tuple[float, ...]
    spread: float
    shape: tuple[tuple[float, float], ...] | None = None


def at_station(
    traffic: Traffic,
    k: int,
    load: OpenLoad,
    flows: Array,
    times: Array,
    queue: StationQueue | None,
) -> StationWait:
    """What a station makes of its flow."""
    import numpy as np

    whole = float(traffic.flow[:, k].sum())
    classes = len(traffic.rate)
    if whole == 0.0 or traffic.servers[k] == inf:
        return StationWait(1.0, 0.0, 1.0, 0.0, 0.0, 0.0, (0.0,) * classes, 1.0)
    servers = int(traffic.servers[k])
    mean, scv = busy_time(traffic, k)
    station = StationLoad(servers, mean, scv, load.load / servers, load.spare, whole)
    alone = outside_alone(traffic, k)
    arrival_scv, waited, weights = felt_arrivals(station, traffic, k, flows, times, alone)
    one = as_one(station, traffic, k, arrival_scv)
    felt = WaitMoments.of(*waited, one.of_those_who_wait if one is not None else None)
    index = work_index(traffic, k, flows)
    # With Poisson arrivals, or one class from outside, the single server is exact by now.
    known = servers == 1 and (alone is not None or abs(index - 1.0).max() < ALIKE)
    by_class = None if known else waits_from_outside(traffic, k)
    if by_class is not None:
        here = traffic.flow[:, k] > 0.0
        felt = WaitMoments.mixed((traffic.flow[here, k] / whole).tolist(), by_class)
        waits = np.zeros(classes)
        waits[here] = [each.first for each in by_class]
    else:
        unlike = abs(index - flows.sum(axis=(0, 1)) / whole).max() > ALIKE
        if not known and (queue is None or (unlike and not queue.outside)):
            queue = station_queue(traffic, k, index, times)
        if queue is not None and not known:
            p, *moments = queue.queue.wait
            chain = WaitMoments(p, *(m / whole**i for i, m in enumerate(moments, start=1)))
            felt = felt.towards(chain, WHOLE if queue.outside else PARTS)
        waits = _by_class(station, traffic, k, flows, weights, alone, felt)
    return StationWait(
        arrival_scv,
        mean,
        scv,
        station.used,
        felt.probability,
        felt.first,
        tuple(float(w) for w in waits),
        felt.spread,
        felt.wait.of_those_who_wait,
    )


def _by_class(
    station: StationLoad,
    traffic: Traffic,
    k: int,
    flows: Array,
    weights: Array,
    alone: float | None,
    felt: WaitMoments,
) -> Array:
    """Mean waits of the classes. [s]"""
    import numpy as np

    excess = np.zeros(len(traffic.rate))
    for c, flow in enumerate(traffic.flow[:, k]):
        if flow and alone is None:
            index = float((flows[c, c] * weights).sum()) / flow
            part = 1.0 if station.servers == 1 else felt.probability
            excess[c] = 0.5 * traffic.time[c, k] / station.servers * part * (index - 1.0)
    excess -= float((excess * traffic.flow[:, k]).sum()) / station.flow
    return np.maximum(felt.first + excess, 0.0)
