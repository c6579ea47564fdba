"""An open network by decomposition into MMAP/PH/c queues: each station in turn.

Arrivals from outside and departures of different stations are superposed as if independent, also
where they come of the same flow that has parted before.

Theory: `qmodel/matrix_analytic/THEORY.md`, section 6.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import NamedTuple

import numpy as np

from qmodel.matrix_analytic.infinite_server_departures import infinite_server_departures
from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
from qmodel.matrix_analytic.mmap_ph_queue import MMAPQueue, solve_mmap_queue
from qmodel.numerics.phase_type import ServiceTime
from qmodel.single_station.pollaczek import wait
from qmodel.single_station.wait_moments import WaitMoments
from qmodel.solvers.decomposition.sojourn_covariance import far_apart
from qmodel.solvers.decomposition.traffic_equations import (
    Traffic,
    arriving,
    outside_alone,
    services_at,
)

Covariances = tuple[Mapping[tuple[int, int], float], ...]


class MarkedNetwork(NamedTuple):
    """The stations, and the departure processes."""

    #: None for those without customers or without waiting.
    stations: tuple[MMAPQueue | None, ...]
    #: Departure processes, of stations that customers go on from.
    left: tuple[MarkedArrivalProcess | None, ...]


def marked_network(traffic: Traffic) -> MarkedNetwork | None:
    """Each station; None where there are too many phases, or a reduced process is not stable."""
    stations: list[MMAPQueue | None] = []
    left: list[MarkedArrivalProcess | None] = []
    # Overflows near saturation are caught as numbers that are no probabilities.
    with np.errstate(all="ignore"):
        for k, servers in enumerate(traffic.servers):
            goes_on = bool(traffic.routing[:, k].any())
            station = None
            try:
                flow = arriving(traffic, k, left)
                if flow is not None and servers == inf and goes_on:
                    flow = infinite_server_departures(flow, services_at(traffic, k))
                elif flow is not None and servers != inf:
                    station = _station(traffic, k, flow, goes_on)
            except np.linalg.LinAlgError:
                return None
            if station is None and (servers != inf or flow is None) and traffic.flow[:, k].any():
                return None
            stations.append(station)
            left.append(station.departures if station else flow)
    return MarkedNetwork(tuple(stations), tuple(left))


def covariances(traffic: Traffic, network: MarkedNetwork) -> Covariances:
    """By station: for classes and stations before it, of the sojourn times at both. [s^2]

    Those of stations that are not neighbours are left out where their linear systems are singular.
    """
    with np.errstate(all="ignore"):
        try:
            far = far_apart(traffic, network.stations, network.left)
        except np.linalg.LinAlgError:
            far = [{} for _ in network.stations]
    return tuple(
        {**station.covariances, **more} if station else {}
        for station, more in zip(network.stations, far, strict=True)
    )


def _station(
    traffic: Traffic, k: int, flow: MarkedArrivalProcess, goes_on: bool
) -> MMAPQueue | None:
    """The station, if it has not too many phases."""
    services = services_at(traffic, k)
    station = solve_mmap_queue(flow, services, int(traffic.servers[k]), k if goes_on else None)
    exact = None if station is None else _exact_wait(traffic, k, station)
    if station is None or exact is None:
        return station
    return replace(station, waits=(exact,) * len(station.waits))


def _exact_wait(traffic: Traffic, k: int, station: MMAPQueue) -> WaitMoments | None:
    """The wait at GI/G/1: a single server with Poisson arrivals, or one class from outside."""
    scv = 1.0 if station.poisson else outside_alone(traffic, k)
    if scv is None or traffic.servers[k] != 1.0:
        return None
    flow = station.pooled.flow
    services = [
        (float(rate) / flow, ServiceTime(float(time), float(own)))
        for rate, time, own in zip(
            traffic.flow[:, k], traffic.time[:, k], traffic.scv[:, k], strict=True
        )
        if rate
    ]
    return wait(ServiceTime(1.0 / flow, scv), services)
