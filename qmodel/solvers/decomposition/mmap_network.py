"""An open network whose flows are told apart by class: each station in turn.

What comes from outside is independent, and what leaves other stations unless it comes of the same
flow: then it is followed as `joint_flows` beside, and corrects what is found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

from qmodel.matrix_analytic.infinite_server_departures import infinite_server_departures
from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
from qmodel.matrix_analytic.mmap_ph_queue import MMAPQueue, solve_mmap_queue
from qmodel.matrix_analytic.waiting_time import WaitMoments
from qmodel.solvers.decomposition.correlated_merge import Meeting, meeting, met_again
from qmodel.solvers.decomposition.equivalent_renewal import StationLoad, as_one
from qmodel.solvers.decomposition.joint_streams import Joint, behind, outside
from qmodel.solvers.decomposition.sojourn_covariance import far_apart
from qmodel.solvers.decomposition.station_arrivals import arriving, services_at
from qmodel.solvers.decomposition.traffic_equations import Traffic, outside_alone

Covariances = tuple[Mapping[tuple[int, int], float], ...]


class MarkedNetwork(NamedTuple):
    """What was found, by station.

    Attributes
    ----------
    stations : tuple of MMAPQueue or None
        None for those that nobody visits or where nobody waits.
    left : tuple of MarkedArrivalProcess or None
        What leaves them, if anybody goes on from there.
    """

    stations: tuple[MMAPQueue | None, ...]
    left: tuple[MarkedArrivalProcess | None, ...]


def marked_network(traffic: Traffic) -> MarkedNetwork | None:
    """Each station; None where there are too many phases, or numbers make no sense.

    Examples
    --------
    >>> from qmodel import Network, OpenClass, QueueingStation
    >>> from qmodel.solvers.decomposition.traffic_equations import traffic_of
    >>> line = Network([QueueingStation("a", discipline="fcfs"), QueueingStation("b")],
    ...                [OpenClass("parts", 1.0)], [[0.5, 0.8]])
    >>> found = marked_network(traffic_of(line))
    >>> [round(one.waits[0].first, 3) for one in found.stations]  # M/M/1 in turn
    [0.5, 3.2]
    """
    import numpy as np

    found: list[MMAPQueue | None] = []
    left: list[MarkedArrivalProcess | None] = []
    joints = outside(traffic)
    # Numbers that make no sense, near saturation, are found out.
    with np.errstate(all="ignore"):
        for k, servers in enumerate(traffic.servers):
            try:
                flow = arriving(traffic, k, left)
                flows = _meeting(traffic, joints, k)
                if flow is None:
                    one = None
                elif servers == inf:
                    one, flow = None, _delayed(traffic, k, flow, flows)
                else:
                    one = _station(traffic, k, flow, flows)
            except np.linalg.LinAlgError:
                return None
            if one is None and (servers != inf or flow is None) and traffic.flow[:, k].any():
                return None
            found.append(one)
            left.append(one.departures if one else flow)
            joints = behind(traffic, joints, k, found[-1], left[-1])
    return MarkedNetwork(tuple(found), tuple(left))


def covariances(traffic: Traffic, found: MarkedNetwork) -> Covariances:
    """By station: for classes and stations before it, of the times there and here. [s^2]

    Those of stations that are not neighbours are left out where numbers make no sense.
    """
    import numpy as np

    with np.errstate(all="ignore"):
        try:
            far = far_apart(traffic, found.stations, found.left)
        except np.linalg.LinAlgError:
            far = [{} for _ in found.stations]
    return tuple(
        {**one.covariances, **more} if one else {}
        for one, more in zip(found.stations, far, strict=True)
    )


def _meeting(traffic: Traffic, joints: Sequence[Joint], k: int) -> Meeting | None:
    """Flows that are not independent, where that is found."""
    import numpy as np

    try:
        return meeting(traffic, joints, k)
    except np.linalg.LinAlgError:
        return None


def _delayed(
    traffic: Traffic, k: int, flow: MarkedArrivalProcess, flows: Meeting | None
) -> MarkedArrivalProcess:
    """What leaves a delay, if anybody goes on from there."""
    if not traffic.ways[:, k].any():
        return flow
    come = flows.together if flows and flows.close else flow
    return infinite_server_departures(come, services_at(traffic, k))


def _station(
    traffic: Traffic, k: int, flow: MarkedArrivalProcess, flows: Meeting | None
) -> MMAPQueue | None:
    """The station, if it has not too many phases."""
    goes_on = bool(traffic.ways[:, k].any())
    close = flows is not None and flows.close
    one = _alone(traffic, k, flow, goes_on and not close)
    if one is None or flows is None:
        return one
    met = _met(traffic, k, one, flows, goes_on and close)
    if goes_on and close and met is None:
        return _alone(traffic, k, flow, goes_on)
    return met or one


def _alone(traffic: Traffic, k: int, flow: MarkedArrivalProcess, goes_on: bool) -> MMAPQueue | None:
    """The station as if what comes from different ones were independent."""
    services = services_at(traffic, k)
    found = solve_mmap_queue(flow, services, int(traffic.servers[k]), k if goes_on else None)
    exact = None if found is None else _exact_wait(traffic, k, found)
    if found is None or exact is None:
        return found
    return replace(found, waits=(exact,) * len(found.waits))


def _met(
    traffic: Traffic, k: int, station: MMAPQueue, flows: Meeting, goes_on: bool
) -> MMAPQueue | None:
    """The station with flows that are not independent, where that is found."""
    import numpy as np

    try:
        found = met_again(traffic, k, station, flows, goes_on)
    except np.linalg.LinAlgError:
        return None
    if found is None or not all(wait.possible for wait in found.waits):
        return None
    return found


def _exact_wait(traffic: Traffic, k: int, found: MMAPQueue) -> WaitMoments | None:
    """The wait at a single server whose arrivals are Poisson, or one class from outside."""
    scv = 1.0 if found.poisson else outside_alone(traffic, k)
    if scv is None or traffic.servers[k] != 1.0:
        return None
    flow, mean, varied = found.pooled
    load = StationLoad(1, mean, varied, found.utilization, 1.0 - found.utilization, flow)
    wait = as_one(load, traffic, k, scv)
    return None if wait is None else WaitMoments.by_cumulants(wait)
