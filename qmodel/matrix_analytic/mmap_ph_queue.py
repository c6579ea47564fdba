"""A station whose arrivals are a flow of several classes: waits, and what leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmodel.matrix_analytic.departure_process import leaving
from qmodel.matrix_analytic.service_simplification import (
    Service,
    all_as_one,
    close_to,
    corrected,
    solved_queue,
)
from qmodel.matrix_analytic.waiting_time import WaitMoments
from qmodel.matrix_analytic.waiting_time_moments import covariances, waits

if TYPE_CHECKING:
    from qmodel.matrix_analytic.marked_arrival_process import MarkedFlow

#: How slow a queue is to forget, over its rate times the square of what is idle.
SLOW = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class MarkedStation:
    """What was found.

    Parameters
    ----------
    waits : tuple of WaitMoments, length C
        Of classes that do not come those of all others together.
    covariances : mapping of (int, int) to float
        By class and station that they come from: covariance of the time there and the wait here.
        [s^2]
    flow : MarkedFlow or None
        What leaves, if it was asked for.
    poisson : bool
        Whether arrivals are Poisson and there is one server.
    whole : Service
        The services of all classes together.
    utilization : float
        Of one server. [1]
    """

    waits: tuple[WaitMoments, ...]
    covariances: Mapping[tuple[int, int], float]
    flow: MarkedFlow | None
    poisson: bool
    whole: Service
    utilization: float


def forgets(services: Mapping[int, Service], servers: int) -> float:
    """The slowest rate at which a station forgets. [1/s]"""
    whole = all_as_one(services)
    return SLOW * whole.flow * (1.0 - whole.flow * whole.mean / servers) ** 2


def marked_station(
    flow: MarkedFlow, services: Mapping[int, Service], servers: int, station: int | None
) -> MarkedStation | None:
    """The station, or None where its phases or levels are too many.

    Parameters
    ----------
    flow : MarkedFlow
        What arrives.
    services : mapping of int to Service
        Of the classes that come here.
    servers : int
        How many there are.
    station : int or None
        Its number, where it is asked what leaves.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the numbers make no sense.

    Examples
    --------
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewals
    >>> found = marked_station(renewals(1.0, 1.0, 0, 1), {0: Service(1.0, 0.5, 4.0)}, 1, None)
    >>> round(found.waits[0].first, 5), found.poisson  # Pollaczek and Khinchin
    (1.25, True)
    """
    close = close_to(services)
    queue = solved_queue(flow, services, close, servers)
    if queue is None:
        return None
    ticks, often, taken = queue
    found = waits(ticks, often)
    if taken is not close[0] and (servers > 1 or not any(taken is one for one in close)):
        better = corrected(flow, found, close, taken, servers)
        if better is None:
            return None
        found = better
    whole = all_as_one(services)
    found = tuple(one.mended(whole.mean) if one else None for one in found)
    left = None
    if station is not None:
        left = leaving(ticks, often, forgets(services, servers), station)
    if not all(one.possible for one in found if one):
        return None
    every = WaitMoments.mixed(
        [services[c].flow / whole.flow for c, one in enumerate(found) if one],
        [one for one in found if one],
    )
    return MarkedStation(
        tuple(one or every for one in found),
        covariances(ticks, often),
        left,
        flow.size == servers == 1,
        whole,
        whole.flow * whole.mean / servers,
    )


def waits_and_covariances(
    flow: MarkedFlow, services: Mapping[int, Service], servers: int
) -> tuple[tuple[WaitMoments | None, ...], Mapping[tuple[int, int], float]] | None:
    """`MarkedStation.waits` and `MarkedStation.covariances`, not corrected, and nothing else."""
    queue = solved_queue(flow, services, close_to(services), servers)
    return None if queue is None else (waits(*queue[:2]), covariances(*queue[:2]))
