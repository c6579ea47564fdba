"""A station of an open network as a queue in phases: what arrives, and how it is served.

Classes that all come from outside are the processes that they are. Any other flow is taken for the
renewal process whose counts vary as its own do. Services are those of the classes where the sets of
phases at the servers are few, else one of their mean and SCV.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, prod
from typing import TYPE_CHECKING

from qmodel.matrix_analytic.map_g1_workload import class_waits
from qmodel.matrix_analytic.map_ph_queue import QueueInPhases, queue_in_phases
from qmodel.matrix_analytic.rational_arrival_process import (
    ArrivalsInPhases,
    counted_alike,
    renewals,
    together,
)
from qmodel.matrix_analytic.server_phases_mixed import BusyServers, busy_servers, sets_of
from qmodel.matrix_analytic.waiting_time import WaitMoments
from qmodel.numerics.phase_type import MOST, fit_phase_type
from qmodel.solvers.decomposition.traffic_equations import Traffic, busy_time

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: PhaseType of arrivals that are told apart where all come from outside, and the SCVs below which
#: times between them are taken for that, until they are so few.
MOST_OUTSIDE, LOWEST = 64, (0.0, 1.0 / 16.0, 1.0 / 8.0)
#: Sets of phases where all servers are busy; with the phases of the arrivals; and up to there.
MOST_SETS, MOST_ABOVE, MOST_BELOW = 60, 128, 900
#: Part of the servers' time that is to be free, and an index that is 1.
FREE, NEAR = 1e-4, 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class StationQueue:
    """A station's queue with phases, its times in mean times between arrivals.

    Parameters
    ----------
    queue : QueueInPhases
        The queue.
    outside : bool
        Whether its arrivals are processes that come from outside, else only counted alike.
    """

    queue: QueueInPhases
    outside: bool


def station_queue(traffic: Traffic, k: int, index: Array, times: Array) -> StationQueue | None:
    """The queue at station k.

    Parameters
    ----------
    traffic : Traffic
        What flows where.
    k : int
        The station.
    index : array
        Index of dispersion of all that arrives there.
    times : array
        Lengths of time that it is known for. [s]

    Returns
    -------
    StationQueue or None
        None where it has too many phases or none that would tell more than formulas do: Poisson
        arrivals and exponential service, or hardly a moment when it is idle.
    """
    mean, scv = busy_time(traffic, k)
    whole = float(traffic.flow[:, k].sum())
    servers = traffic.servers[k]
    if servers == inf or mean == 0.0 or whole * mean > (1.0 - FREE) * servers:
        return None
    if scv == 1.0 and abs(index - 1.0).max() < NEAR:
        return None
    flows = _from_outside(traffic, k, whole)
    for outside in (True, False) if flows else (False,):
        flow = together(flows) if outside and flows else counted_alike(whole * times, index)
        busy = _busy(traffic, k, whole, flow.size)
        queue = None if busy is None else queue_in_phases(flow, busy)
        if queue is not None:
            return StationQueue(queue, outside)
    return None


def waits_from_outside(traffic: Traffic, k: int) -> tuple[WaitMoments, ...] | None:
    """Waits of the classes that are there, where several come from outside to one server. [s]

    None where that is not so, where services vary less than phases do, or where there are too many
    phases.
    """
    here = [c for c, flow in enumerate(traffic.flow[:, k]) if flow]
    if len(here) < 2 or traffic.servers[k] != 1.0:
        return None
    flows = _from_outside(traffic, k, 1.0)
    used = float((traffic.flow[:, k] * traffic.time[:, k]).sum())
    varied = min(float(traffic.scv[c, k]) for c in here) >= 1.0 / MOST
    if flows is None or not varied or used > 1.0 - FREE:
        return None
    services = [fit_phase_type(float(traffic.time[c, k]), float(traffic.scv[c, k])) for c in here]
    return class_waits(list(zip(flows, services, strict=True)))


def _from_outside(traffic: Traffic, k: int, whole: float) -> list[ArrivalsInPhases] | None:
    """The flows of the classes that are there, or None where they are no such flows or too many."""
    here = [c for c, flow in enumerate(traffic.flow[:, k]) if flow]
    if traffic.ways[:, :, k].any() or (traffic.entry[here, k] != 1.0).any():
        return None
    for lowest in LOWEST:
        flows = [
            renewals(float(traffic.flow[c, k]) / whole, max(lowest, float(traffic.arrival_scv[c])))
            for c in here
        ]
        if prod(flow.size for flow in flows) <= MOST_OUTSIDE:
            return flows
    return None


def _busy(traffic: Traffic, k: int, whole: float, size: int) -> BusyServers | None:
    """The servers with as many phases as can be told apart, or None."""
    servers = int(traffic.servers[k])
    here = [c for c, flow in enumerate(traffic.flow[:, k]) if flow]
    mean, scv = busy_time(traffic, k)
    for services in (
        [(traffic.flow[c, k] / whole, traffic.time[c, k], traffic.scv[c, k]) for c in here],
        [(1.0, mean, scv)],
    ):
        if min(own for _, _, own in services) < 1.0 / MOST:
            continue
        told = [(float(p), fit_phase_type(float(t) * whole, float(own))) for p, t, own in services]
        number = sum(len(service.rate) for _, service in told)
        sets, below = sets_of(number, servers), size * sets_of(number + 1, servers)
        if sets <= MOST_SETS and size * sets <= MOST_ABOVE and below <= MOST_BELOW:
            return busy_servers(told, servers)
    return None
