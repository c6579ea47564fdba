"""Covariance of the sojourn times at two stations with others in between.

Original. Theory: `qmodel/solvers/THEORY.md`, decomposition/sojourn_covariance.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
from qmodel.matrix_analytic.mmap_ph_queue import MMAPQueue, waits_and_covariances
from qmodel.solvers.decomposition.traffic_equations import Traffic, arriving, passing, services_at


def far_apart(
    traffic: Traffic,
    stations: Sequence[MMAPQueue | None],
    left: Sequence[MarkedArrivalProcess | None],
) -> Sequence[Mapping[tuple[int, int], float]]:
    """By station: for classes and stations before it, not the last one, the covariance. [s^2]

    ``left`` are the departure processes of the stations, and of those without waiting. Raises
    `numpy.linalg.LinAlgError` if a matrix is singular.
    """
    return [
        {
            (c, first): covariance
            for first in range(k - 1)
            for c, covariance in _together(traffic, stations, first, k, left).items()
        }
        for k in range(len(stations))
    ]


def _together(
    traffic: Traffic, stations: Sequence[MMAPQueue | None], first: int, k: int,
    left: Sequence[MarkedArrivalProcess | None],
) -> dict[int, float]:  # fmt: skip
    """The covariances of the times at two stations, by class."""
    begin, here = stations[first], stations[k]
    if begin is None or here is None or not traffic.routing[:, first, first + 1 : k].any():
        return {}
    short = passing(traffic, first, k)
    if (flow := arriving(short, k, left[: first + 1])) is None:
        return {}
    known = waits_and_covariances(flow, services_at(traffic, k), int(traffic.servers[k]))
    if known is None:
        return {}
    waits, covariances = known
    by_class = {}
    for (c, station), covariance in covariances.items():
        if station == first:
            between = [
                forgetting(traffic, stations, j) for j in range(first + 1, k) if traffic.flow[c, j]
            ]
            slow = sqrt(forgetting(traffic, stations, first) * forgetting(traffic, stations, k))
            direct = float(traffic.routing[c, first, k] / short.routing[c, first, k])
            kept = direct + (1.0 - direct) * left_of(slow, between)
            own = float(traffic.scv[c, k] * traffic.time[c, k] ** 2)
            true, less = (
                own + (max(0.0, wait.second - wait.first**2) if wait else 0.0)
                for wait in (here.waits[c], waits[c])
            )
            by_class[c] = covariance * kept * sqrt(true / less) if less else 0.0
    return by_class


#: How much a station smooths what is as slow as itself.
SMOOTHS = 0.36


def left_of(slow: float, between: Iterable[float]) -> float:
    """The part that is left after stations that take so long to forget."""
    part = 1.0
    for time in between:
        part /= 1.0 + SMOOTHS * time / slow
    return part


def forgetting(traffic: Traffic, stations: Sequence[MMAPQueue | None], k: int) -> float:
    """About how long a station or a delay takes to forget. [s]"""
    if (station := stations[k]) is None:
        flow = traffic.flow[:, k]
        whole = float(flow.sum())
        return sqrt(float(flow @ (traffic.scv[:, k] * traffic.time[:, k] ** 2)) / whole)
    whole = station.pooled.flow * station.pooled.mean / station.utilization  # servers
    return station.pooled.mean / whole / (1.0 - station.utilization) ** 2
