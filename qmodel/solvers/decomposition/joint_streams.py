"""Flows between stations that are not independent, as they go from station to station.

Who leaves a station goes to different ones; where those meet again they are not independent. So
all that still will meet is kept as one flow, told apart by class and by the station it left last:
at each station some of it comes and leaves later, and others pass by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from qmodel.matrix_analytic.infinite_server_departures import infinite_server_departures
from qmodel.matrix_analytic.joint_departure_process import joint_departure_process
from qmodel.matrix_analytic.marked_arrival_process import (
    MarkedArrivalProcess,
    remark,
    renewal_process,
)
from qmodel.matrix_analytic.mmap_ph_queue import MMAPQueue, relaxation_rate
from qmodel.matrix_analytic.service_simplification import Service, all_as_one
from qmodel.matrix_analytic.superposition import superpose
from qmodel.numerics.phase_type import fit_phase_type
from qmodel.solvers.decomposition.station_arrivals import services_at

if TYPE_CHECKING:
    from qmodel.matrix_analytic.waiting_time import WaitMoments
    from qmodel.solvers.decomposition.traffic_equations import Traffic

#: Times beside which others pass by are taken to vary at least so much. [1]
LEAST = 1.0 / 3.0
#: Left last: no station.
OUTSIDE = -1


class Mark(NamedTuple):
    """Who is told apart: the class, and the station left last."""

    kind: int
    at: int


class Joint(NamedTuple):
    """A flow.

    Attributes
    ----------
    flow : MarkedArrivalProcess
        Told apart by marks.
    marks : tuple of Mark
        What they are.
    close : bool
        Whether it is as close as what leaves a station for itself.
    """

    flow: MarkedArrivalProcess
    marks: tuple[Mark, ...]
    close: bool = True


def outside(traffic: Traffic) -> tuple[Joint, ...]:
    """The flows from outside, independent of one another."""
    return tuple(
        Joint(renewal_process(float(rate), float(scv), 0, 1), (Mark(c, OUTSIDE),))
        for c, (rate, scv) in enumerate(zip(traffic.rate, traffic.arrival_scv, strict=True))
        if rate
    )


def chance(traffic: Traffic, mark: Mark, k: int) -> float:
    """That one who passed all stations before k by comes to k."""
    ways = traffic.entry[mark.kind] if mark.at == OUTSIDE else traffic.ways[mark.kind, mark.at]
    rest = 1.0 - float(ways[:k].sum())
    return min(1.0, float(ways[k]) / rest) if ways[k] else 0.0


def behind(
    traffic: Traffic,
    joints: Sequence[Joint],
    k: int,
    station: MMAPQueue | None,
    left: MarkedArrivalProcess | None,
) -> tuple[Joint, ...]:
    """The flows behind a station.

    Parameters
    ----------
    traffic : Traffic
        What flows where.
    joints : sequence of Joint
        The flows before it.
    k : int
        The station.
    station : MMAPQueue or None
        What was found of it, unless it is a delay.
    left : MarkedArrivalProcess or None
        What leaves it, by class, for itself.
    """
    classes = [c for c, flow in enumerate(traffic.flow[:, k]) if flow]
    future = {j for c in classes for j in _later(traffic, Mark(c, k), k)}
    found, come = [], []
    by: list[Mark] = []
    for joint in joints:
        coming = [chance(traffic, mark, k) for mark in joint.marks]
        stays = [
            mark
            for mark, part in zip(joint.marks, coming, strict=True)
            if part < 1.0 and _later(traffic, mark, k)
        ]
        meets = [mark for mark in stays if _later(traffic, mark, k) & future]
        if any(coming):
            come.append(joint)
            if joint.flow.size > 1:
                by += [mark for mark in meets if mark not in by]
                stays = [mark for mark in stays if mark not in meets]
        if stays:
            found.append(_passing(traffic, joint, stays, k))
    together = _together(traffic, come, classes, by, k, station) if by and future else None
    if together is not None:
        return (*found, together)
    for joint in come:
        stays = [mark for mark in joint.marks if mark in by]
        if stays:
            found.append(_passing(traffic, joint, stays, k))
    if left is not None and future:
        found.append(Joint(left, tuple(Mark(c, k) for c in range(len(traffic.rate)))))
    return tuple(found)


def _later(traffic: Traffic, mark: Mark, k: int) -> set[int]:
    """Stations after k where one who has passed k by may come."""
    ways = traffic.entry[mark.kind] if mark.at == OUTSIDE else traffic.ways[mark.kind, mark.at]
    found: set[int] = set()
    for j in range(k + 1, len(ways)):
        if ways[j]:
            found |= {j} | _later(traffic, Mark(mark.kind, j), j)
    return found


def _passing(traffic: Traffic, joint: Joint, stays: Sequence[Mark], k: int) -> Joint:
    """Those of a flow who do not come to a station."""
    parts = [
        [1.0 - chance(traffic, mark, k) if mark == each else 0.0 for mark in joint.marks]
        for each in stays
    ]
    return Joint(remark(joint.flow, parts), tuple(stays), joint.close)


def _together(
    traffic: Traffic,
    come: Sequence[Joint],
    classes: Sequence[int],
    by: Sequence[Mark],
    k: int,
    station: MMAPQueue | None,
) -> Joint | None:
    """Those who leave and those who pass by, as one flow; None where there are too many phases."""
    import numpy as np

    services = services_at(traffic, k)
    servers = traffic.servers[k]
    slowest = relaxation_rate(services, 1 if servers == inf else int(servers))
    flows = []
    for joint in come:
        coming = {mark: chance(traffic, mark, k) for mark in joint.marks}
        parts = [
            [part if mark.kind == c else 0.0 for mark, part in coming.items()] for c in classes
        ]
        parts += [
            [1.0 - part if mark == each else 0.0 for mark, part in coming.items()] for each in by
        ]
        flows.append(remark(joint.flow, parts))
    try:
        flow = superpose(flows, slowest)
        if flow is None:
            return None
        here = {i: services[c] for i, c in enumerate(classes)}
        if servers == inf:
            found = infinite_server_departures(flow, here)
            close = all(service.scv >= LEAST for service in here.values())
        else:
            queued = _queued(flow, here, int(servers), slowest)
            close = queued is not None and len(classes) == 1
            if queued is None and station is not None:
                here = {i: _stay(services[c], station.waits[c]) for i, c in enumerate(classes)}
            found = queued or infinite_server_departures(flow, here)
    except np.linalg.LinAlgError:
        return None
    close = close and all(joint.close for joint in come)
    return Joint(found, (*(Mark(c, k) for c in classes), *by), close)


def _queued(
    flow: MarkedArrivalProcess, services: Mapping[int, Service], servers: int, slowest: float
) -> MarkedArrivalProcess | None:
    """Behind a queue, with services that vary at least so much, or exponential ones."""
    whole = all_as_one(services)
    for scv in (max(LEAST, whole.scv), 1.0):
        found = joint_departure_process(
            flow, list(services), fit_phase_type(whole.mean, scv), servers, slowest
        )
        if found is not None:
            return found
    return None


def _stay(service: Service, wait: WaitMoments) -> Service:
    """How long a class is at a station: its wait and its service."""
    mean = wait.first + service.mean
    variance = wait.second - wait.first**2 + service.scv * service.mean**2
    return Service(service.flow, mean, variance / mean**2)
