"""A MMAP/PH/m station in a network: waiting times by class and the departure process.

Theory: THEORY.md, sections 2 to 4.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from qmodel.matrix_analytic.departure_process import departure_process
from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
from qmodel.matrix_analytic.service_simplification import (
    Service,
    all_as_one,
    close_to,
    corrected,
    solved_queue,
)
from qmodel.matrix_analytic.waiting_time import wait_covariances, waiting_time_moments
from qmodel.single_station.wait_moments import WaitMoments

#: Relaxation rate over lambda (1 - rho)^2.
SLOW = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class MMAPQueue:
    """A solved station."""

    #: Waiting times; of classes of rate 0 those of all others together.
    waits: tuple[WaitMoments, ...]
    #: By class and station that it comes from: covariance of the sojourn time there and the wait
    #: here. [s^2]
    covariances: Mapping[tuple[int, int], float]
    #: The departure process, if it was asked for.
    departures: MarkedArrivalProcess | None
    #: Whether arrivals are Poisson and there is one server.
    poisson: bool
    #: The services of all classes together.
    pooled: Service
    #: Of one server, rho. [1]
    utilization: float


def relaxation_rate(services: Mapping[int, Service], servers: int) -> float:
    """Slowest rate of decay at a station, of the order lambda (1 - rho)^2 in heavy traffic. [1/s]

    It places the interpolation points of `model_reduction` and nothing else.
    """
    pooled = all_as_one(services)
    return SLOW * pooled.flow * (1.0 - pooled.flow * pooled.mean / servers) ** 2


def solve_mmap_queue(
    arrivals: MarkedArrivalProcess, services: Mapping[int, Service], servers: int,
    station: int | None,
) -> MMAPQueue | None:  # fmt: skip
    """The station, or None where its phases or levels are too many.

    ``services`` are those of the classes that are served, ``station`` its number where the
    departure process is asked for. Raises `numpy.linalg.LinAlgError` if a matrix is singular, as
    near saturation.
    """
    close = close_to(services)
    queue = solved_queue(arrivals, services, close, servers)
    if queue is None:
        return None
    age, x, taken = queue
    waits = waiting_time_moments(age, x)
    if taken is not close[0] and (servers > 1 or not any(taken is one for one in close)):
        better = corrected(arrivals, waits, close, taken, servers)
        if better is None:
            return None
        waits = better
    pooled = all_as_one(services)
    waits = tuple(wait.mended(pooled.mean) if wait else None for wait in waits)
    departures = None
    if station is not None:
        departures = departure_process(age, x, relaxation_rate(services, servers), station)
    if not all(wait.possible for wait in waits if wait):
        return None
    mixed = WaitMoments.mixed(
        [services[c].flow / pooled.flow for c, wait in enumerate(waits) if wait],
        [wait for wait in waits if wait],
    )
    return MMAPQueue(
        tuple(wait or mixed for wait in waits), wait_covariances(age, x), departures,
        arrivals.size == servers == 1, pooled, pooled.flow * pooled.mean / servers,
    )  # fmt: skip


def waits_and_covariances(
    arrivals: MarkedArrivalProcess, services: Mapping[int, Service], servers: int
) -> tuple[tuple[WaitMoments | None, ...], Mapping[tuple[int, int], float]] | None:
    """`MMAPQueue.waits`, without correction for simplified services, and `covariances`."""
    queue = solved_queue(arrivals, services, close_to(services), servers)
    return (
        None if queue is None else (waiting_time_moments(*queue[:2]), wait_covariances(*queue[:2]))
    )
