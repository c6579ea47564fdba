"""A station where flows meet again that left the same station before.

Arrivals from different stations are taken to be independent where a station is found. Where they
are not, waits are as much longer as they are with the `joint_flows`, over those with the same flows
taken apart by the station they come from; and it is the flows together that leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess, remark
from qmodel.matrix_analytic.mmap_ph_queue import MMAPQueue, relaxation_rate, solve_mmap_queue
from qmodel.matrix_analytic.superposition import superpose
from qmodel.solvers.decomposition.joint_streams import OUTSIDE, Joint, Mark, chance
from qmodel.solvers.decomposition.station_arrivals import services_at

if TYPE_CHECKING:
    from qmodel.matrix_analytic.waiting_time import WaitMoments
    from qmodel.solvers.decomposition.traffic_equations import Traffic


class Meeting(NamedTuple):
    """What comes to a station.

    Attributes
    ----------
    together, apart : MarkedArrivalProcess
        As it is, and if what comes from different stations were independent.
    close : bool
        Whether it is as close as what is found if all is independent, but for that.
    """

    together: MarkedArrivalProcess
    apart: MarkedArrivalProcess
    close: bool


def meeting(traffic: Traffic, joints: Sequence[Joint], k: int) -> Meeting | None:
    """The flows to a station; None where nothing meets again, or there are too many phases.

    Parameters
    ----------
    traffic : Traffic
        What flows where.
    joints : sequence of Joint
        The flows before the station.
    k : int
        Its number.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the numbers make no sense.
    """
    together, apart, close = [], [], True
    for joint in joints:
        coming = [chance(traffic, mark, k) for mark in joint.marks]
        origins = {_origin(mark) for mark, part in zip(joint.marks, coming, strict=True) if part}
        if origins:
            together.append(_led(traffic, joint, coming))
            close = close and joint.close
        for origin in sorted(origins):
            parts = [
                part if _origin(mark) == origin else 0.0
                for mark, part in zip(joint.marks, coming, strict=True)
            ]
            apart.append(_led(traffic, joint, parts))
    if len(apart) == len(together):
        return None
    servers = traffic.servers[k]
    slowest = relaxation_rate(services_at(traffic, k), 1 if servers == inf else int(servers))
    one, other = superpose(together, slowest), superpose(apart, slowest)
    return None if one is None or other is None else Meeting(one, other, close)


def met_again(
    traffic: Traffic, k: int, station: MMAPQueue, flows: Meeting, goes_on: bool
) -> MMAPQueue | None:
    """The station as it is by that, or None where there are too many phases.

    Parameters
    ----------
    traffic : Traffic
        What flows where.
    k : int
        The station.
    station : MMAPQueue
        As it is found if flows from different stations are independent.
    flows : Meeting
        What comes there.
    goes_on : bool
        Whether it is asked what leaves.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the numbers make no sense.
    """
    services, servers = services_at(traffic, k), int(traffic.servers[k])
    together = solve_mmap_queue(flows.together, services, servers, k if goes_on else None)
    apart = solve_mmap_queue(flows.apart, services, servers, None)
    if together is None or apart is None:
        return None
    waits = tuple(
        wait.changed_as(other, one)
        for wait, other, one in zip(station.waits, apart.waits, together.waits, strict=True)
    )
    return replace(
        station,
        waits=waits,
        covariances={
            (c, j): covariance * _wider(waits[c], station.waits[c])
            for (c, j), covariance in station.covariances.items()
        },
        departures=together.departures or station.departures,
    )


def _wider(wait: WaitMoments, before: WaitMoments) -> float:
    """How much larger the standard deviation is."""
    one, other = (each.second - each.first**2 for each in (wait, before))
    return sqrt(max(0.0, one) / other) if other > 0.0 else 1.0


def _origin(mark: Mark) -> tuple[int, int]:
    """What comes from the same is one flow: a station, or a class from outside."""
    return (mark.kind, mark.at) if mark.at == OUTSIDE else (0, mark.at)


def _led(traffic: Traffic, joint: Joint, coming: Sequence[float]) -> MarkedArrivalProcess:
    """The part of a flow that comes, by class."""
    marks = list(zip(joint.marks, coming, strict=True))
    every = range(len(traffic.rate))
    return remark(
        joint.flow, [[part if mark.kind == c else 0.0 for mark, part in marks] for c in every]
    )
