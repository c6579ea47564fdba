"""The wait at a station of an open network, from what the decomposition methods know of it."""

from __future__ import annotations

from qmodel.laws.erlang import erlang_c
from qmodel.matrix_analytic.mmap_ph_queue import MarkedStation
from qmodel.numerics.service_time import ServiceTime
from qmodel.single_station.two_moments import waiting_probability, waiting_spread
from qmodel.single_station.waiting_mixture import OpenQueue
from qmodel.solvers.decomposition.qna import Flow

#: Arrivals whose SCV is this near to 1 are Poisson.
NEAR = 1e-9


def by_qna(own: ServiceTime, flow: Flow, servers: int) -> OpenQueue:
    """The station as the network analyzer sees it.

    Parameters
    ----------
    own : ServiceTime
        Service of the class that passes. [s]
    flow : Flow
        All that arrives there.
    servers : int
        Number of servers.
    """
    used, arrival_scv, scv = flow.utilization, flow.arrival_scv, flow.scv
    ahead = ServiceTime(flow.service_time, scv)
    if servers == 1 and abs(arrival_scv - 1.0) < NEAR:
        return OpenQueue(own, ahead, used, 0.0, 1.0, poisson=True)
    busy = erlang_c(servers, used * servers, servers - used * servers)
    waits = waiting_probability(busy, used, servers, arrival_scv, scv)
    return OpenQueue(own, ahead, waits, flow.wait, waiting_spread(used, scv))


def by_mmap(own: ServiceTime, found: MarkedStation | None, c: int) -> OpenQueue:
    """The station by three moments of the wait of class ``c``; None where nobody is.

    Parameters
    ----------
    own : ServiceTime
        Service of the class. [s]
    found : MarkedStation or None
        The waits there.
    c : int
        The class.
    """
    if found is None:
        return OpenQueue(own, own, 0.0, 0.0, 1.0)
    wait = found.waits[c]
    ahead = ServiceTime(found.whole.mean, found.whole.scv)
    if found.poisson:
        return OpenQueue(own, ahead, found.utilization, 0.0, 1.0, poisson=True)
    shape = wait.wait.of_those_who_wait
    return OpenQueue(own, ahead, wait.probability, wait.first, wait.spread, shape=shape)
