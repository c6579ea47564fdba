"""The renewal process that a station feels its flow as, by the work that comes in a certain time.

A station that is hardly busy feels the rhythm of the next few customers, one that is nearly
saturated that of thousands: see `qmodel.solvers.decomposition.rqna`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmodel.laws.erlang import erlang_c
from qmodel.solvers.decomposition.renewal_dispersion import renewal_dispersion
from qmodel.solvers.decomposition.traffic_equations import Traffic, busy_time

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.single_station.pollaczek import Wait

    Array = NDArray[np.float64]

#: Part of the area that is in the exponential, chosen by simulations of 70 networks.
KEPT = 0.7
#: SCVs of arrivals between which one is found.
SCVS = (
    *(0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0),
    *(4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 40.0, 80.0, 200.0, 1000.0),
)
#: ImpliedRouting for the wait and its SCV of arrivals.
ROUNDS = 6
#: Arrivals whose SCV is this near to 1 are Poisson.
NEAR = 1e-9


@dataclass(frozen=True, slots=True)
class StationLoad:
    """What all classes together bring to a station.

    Parameters
    ----------
    servers : int
        How many there are.
    mean, scv : float
        Of their services. [s]
    used : float
        Utilization of one server. [1]
    spare : float
        Servers that are idle on the average. [1]
    flow : float
        Arrivals. [1/s]
    """

    servers: int
    mean: float
    scv: float
    used: float
    spare: float
    flow: float


def work_index(traffic: Traffic, k: int, flows: Array) -> Array:
    """Index of dispersion for counts with which customers alike would bring work as unevenly.

    Parameters
    ----------
    traffic : Traffic
        What flows where.
    k : int
        The station.
    flows : array, shape (C, C, T)
        Covariances of the counts of the classes over a time, divided by it. [1/s]
    """
    mean, scv = busy_time(traffic, k)
    time = traffic.time[:, k]
    work = (time[:, None, None] * time[None, :, None] * flows).sum(axis=(0, 1))
    work = work + float((traffic.flow[:, k] * time**2 * traffic.scv[:, k]).sum())
    found: Array = work / (float(traffic.flow[:, k].sum()) * mean**2) - scv
    return found


def felt_arrivals(
    station: StationLoad, traffic: Traffic, k: int, flows: Array, times: Array, alone: float | None
) -> tuple[float, tuple[float, float, float], Array]:
    """SCV of the arrivals, the wait of all classes, and the weights of the times."""
    import numpy as np

    index = work_index(traffic, k, flows)
    scvs = sorted({*SCVS, *(float(a) for a in traffic.arrival_scv)})
    table = np.array([renewal_dispersion(station.flow * times, a) for a in scvs])
    waited = _distribution(station, traffic, k, 1.0)
    arrival_scv, weights = 1.0, np.zeros_like(times)
    for _ in range(ROUNDS):
        ahead = waited[1] if station.servers == 1 else waited[1] / max(waited[0], 1e-300)
        left = 0.5 * station.mean * (1.0 + station.scv) / station.servers
        scale = KEPT * (left + ahead) * station.servers / station.spare
        scale = min(max(scale, times[0]), times[-1])
        weights = (times / scale) ** 2 * np.exp(-times / scale)
        weights /= weights.sum()
        rising = np.maximum.accumulate((table * weights).sum(axis=1))
        arrival_scv = float(np.interp((index * weights).sum(), rising, scvs))
        if alone is not None:
            arrival_scv = alone
        if abs(arrival_scv - 1.0) < NEAR:
            arrival_scv = 1.0
        waited = _distribution(station, traffic, k, arrival_scv)
    return arrival_scv, waited, weights


def _distribution(
    station: StationLoad, traffic: Traffic, k: int, arrival_scv: float
) -> tuple[float, float, float]:
    """Probability of waiting, mean wait of all, SCV of the wait of those who wait, at GI/G/m."""
    from qmodel.single_station.two_moments import waiting_probability, waiting_spread, whitt

    m, used, scv = station.servers, station.used, station.scv
    erlang = erlang_c(m, used * m, station.spare)
    usual = erlang * station.mean / station.spare
    probability = waiting_probability(erlang, used, m, arrival_scv, scv)
    spread = waiting_spread(used, scv)
    if m > 1:
        return probability, usual * whitt(used, m, arrival_scv, scv), spread
    rough = (probability, usual * 0.5 * (arrival_scv + scv), spread)
    if arrival_scv == 1.0:
        return rough  # that is exact but for the spread, which nobody asks for
    found = as_one(station, traffic, k, arrival_scv)
    if found is None or (found.mean == 0.0 or found.probability == 0.0):
        return rough if found is None else (0.0, 0.0, 1.0)
    square = (found.variance + found.mean**2) * found.probability
    return found.probability, found.mean, max(0.0, square / found.mean**2 - 1.0)


def as_one(station: StationLoad, traffic: Traffic, k: int, arrival_scv: float) -> Wait | None:
    """The wait at one server as fast as all together."""
    from qmodel.numerics.service_time import ServiceTime
    from qmodel.single_station.pollaczek import wait

    services = [
        (float(flow) / station.flow, ServiceTime(float(time) / station.servers, float(own)))
        for flow, time, own in zip(
            traffic.flow[:, k], traffic.time[:, k], traffic.scv[:, k], strict=True
        )
        if flow
    ]
    return wait(ServiceTime(1.0 / station.flow, arrival_scv), services)
