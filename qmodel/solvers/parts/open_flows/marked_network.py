"""An open network whose flows are told apart by class: each station in turn.

What comes from outside, and what leaves other stations, is taken to be independent.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from qmodel.solvers.parts.marked_flows.flow import MarkedFlow, renewals, thinned
from qmodel.solvers.parts.marked_flows.merged import merged
from qmodel.solvers.parts.marked_flows.station import (
    MarkedStation,
    Service,
    forgets,
    marked_station,
)
from qmodel.solvers.parts.open_flows.felt_arrivals import StationLoad, as_one
from qmodel.solvers.parts.open_flows.traffic import Traffic, outside_alone
from qmodel.solvers.parts.phase_queues.wait_moments import WaitMoments


def marked_network(traffic: Traffic) -> tuple[MarkedStation | None, ...] | None:
    """Each station; None for those that nobody visits or where nobody waits.

    None instead of all of them where there are too many phases, or numbers make no sense.

    Examples
    --------
    >>> from qmodel import Network, OpenClass, QueueingStation
    >>> from qmodel.solvers.parts.open_flows.traffic import traffic_of
    >>> line = Network([QueueingStation("a", discipline="fcfs"), QueueingStation("b")],
    ...                [OpenClass("parts", 1.0)], [[0.5, 0.8]])
    >>> found = marked_network(traffic_of(line))
    >>> [round(one.waits[0].first, 3) for one in found]  # M/M/1 in turn
    [0.5, 3.2]
    """
    import numpy as np

    found: list[MarkedStation | None] = []
    left: list[MarkedFlow | None] = []
    for k in range(len(traffic.servers)):
        flows = _arriving(traffic, k, left)
        try:
            one, leaves = _station(traffic, k, flows) if flows else (None, None)
        except np.linalg.LinAlgError:
            return None
        if flows and leaves is None and one is None:
            return None
        found.append(one)
        left.append(leaves)
    return tuple(found)


def _arriving(traffic: Traffic, k: int, left: list[MarkedFlow | None]) -> list[MarkedFlow]:
    """The flows to a station."""
    classes = len(traffic.rate)
    found = []
    for c, (rate, scv) in enumerate(zip(traffic.rate, traffic.arrival_scv, strict=True)):
        part = float(traffic.entry[c, k])
        if rate and part:
            parts = [part if i == c else 0.0 for i in range(classes)]
            found.append(thinned(renewals(float(rate), float(scv), c, classes), parts))
    for i, flow in enumerate(left):
        parts = [float(q) for q in traffic.ways[:, i, k]]
        if flow is not None and any(parts):
            found.append(thinned(flow, parts))
    return found


def _station(
    traffic: Traffic, k: int, flows: list[MarkedFlow]
) -> tuple[MarkedStation | None, MarkedFlow | None]:
    """The station, and what leaves it."""
    number = traffic.servers[k]
    services = {
        c: Service(float(flow), float(traffic.time[c, k]), float(traffic.scv[c, k]))
        for c, flow in enumerate(traffic.flow[:, k])
        if flow
    }
    goes_on = bool(traffic.ways[:, k].any())
    flow = merged(flows, forgets(services, 1 if number == inf else int(number)))
    if flow is None or number == inf:
        return None, flow
    found = marked_station(flow, services, int(number), k if goes_on else None)
    if found is None:
        return None, None
    exact = _exact_wait(traffic, k, found)
    if exact is not None:
        waits = tuple(exact if wait else None for wait in found.waits)
        return replace(found, waits=waits), found.flow
    return found, found.flow


def _exact_wait(traffic: Traffic, k: int, found: MarkedStation) -> WaitMoments | None:
    """The wait at a single server whose arrivals are Poisson, or one class from outside."""
    scv = 1.0 if found.poisson else outside_alone(traffic, k)
    if scv is None or traffic.servers[k] != 1.0:
        return None
    flow, mean, varied = found.whole
    load = StationLoad(1, mean, varied, found.utilization, 1.0 - found.utilization, flow)
    wait = as_one(load, traffic, k, scv)
    return None if wait is None else WaitMoments.by_cumulants(wait)
