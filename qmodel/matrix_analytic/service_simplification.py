"""The services at a station, and simpler ones where their phases are too many.

Then the services of all classes are given the same variation, or that of exponential times, and
waits are longer or shorter than they would be by some factor. At one server as fast as all of them
it is found, and at two; from one to two it is taken to change as at each doubling of the servers.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb, log2
from typing import TYPE_CHECKING, NamedTuple

from qmodel.matrix_analytic.age_process import AgeProcess
from qmodel.matrix_analytic.server_phases import server_phases
from qmodel.matrix_analytic.stationary_distribution import stationary_distribution
from qmodel.matrix_analytic.waiting_time import WaitMoments
from qmodel.matrix_analytic.waiting_time_moments import waiting_time_moments
from qmodel.numerics.phase_type import PhaseType, fit_phase_type

if TYPE_CHECKING:
    from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess

#: Phases of arrivals and services together where all servers are busy.
LARGEST = 640
#: The least variation of services that is kept where they are given the same. [1]
LEAST = 0.5


class Service(NamedTuple):
    """The services of a class.

    Attributes
    ----------
    flow : float
        Arrivals. [1/s]
    mean, scv : float
        Of its services. [s]
    """

    flow: float
    mean: float
    scv: float


def all_as_one(services: Mapping[int, Service]) -> Service:
    """The services of all classes together."""
    flow = first = second = 0.0
    for each in services.values():
        flow += each.flow
        first += each.flow * each.mean
        second += each.flow * each.mean**2 * (1.0 + each.scv)
    return Service(flow, first / flow, max(0.0, second * flow / first**2 - 1.0))


def queue_of(
    flow: MarkedArrivalProcess,
    services: Mapping[int, Service],
    true: Mapping[int, PhaseType],
    servers: int,
) -> tuple[AgeProcess | None, Mapping[int, PhaseType]]:
    """The queue with as many phases as fit, and its services; None if too many at best."""
    for taken in (true, *simpler(services)):
        if _fits(flow, taken, servers):
            return AgeProcess(flow, server_phases(taken, len(flow.d), servers)), taken
    return None, true


def _fits(flow: MarkedArrivalProcess, services: Mapping[int, PhaseType], servers: int) -> bool:
    kinds = sum(len(service.start) for service in services.values())
    return flow.size * comb(servers + kinds - 1, servers) <= LARGEST


def simpler(services: Mapping[int, Service]) -> tuple[dict[int, PhaseType], ...]:
    """Services of the same variation, and exponential ones."""
    weight = varied = 0.0
    for each in services.values():
        weight += each.flow * each.mean**2
        varied += each.flow * each.mean**2 * each.scv
    same = max(LEAST, varied / weight)
    return (
        {c: fit_phase_type(each.mean, same) for c, each in services.items()},
        {c: fit_phase_type(each.mean, 1.0) for c, each in services.items()},
    )


def corrected(
    flow: MarkedArrivalProcess,
    found: tuple[WaitMoments | None, ...],
    true: Mapping[int, PhaseType],
    taken: Mapping[int, PhaseType],
    servers: int,
) -> tuple[WaitMoments | None, ...] | None:
    """Waits of those who wait, as much longer as at few fast servers."""
    one = _longer(flow, true, taken, servers, 1)
    if one is None:
        return None
    two = _longer(flow, true, taken, servers, 2) or one
    return tuple(
        wait.longer([a * (b / a) ** log2(servers) for a, b in zip(first, second, strict=True)])
        if wait
        else None
        for wait, first, second in zip(found, one, two, strict=True)
    )


def _longer(
    flow: MarkedArrivalProcess,
    true: Mapping[int, PhaseType],
    taken: Mapping[int, PhaseType],
    servers: int,
    few: int,
) -> list[tuple[float, ...]] | None:
    """By class how many times as long, at so few servers as fast as all together."""
    each: list[tuple[WaitMoments | None, ...]] = []
    for services in (true, taken):
        fast = {
            c: service._replace(rate=tuple(servers / few * r for r in service.rate))
            for c, service in services.items()
        }
        if not _fits(flow, fast, few):
            return None
        ticks = AgeProcess(flow, server_phases(fast, len(flow.d), few))
        often = stationary_distribution(ticks)
        if often is None:
            return None
        each.append(waiting_time_moments(ticks, often))
    return [
        real.ratios(other) if real and other else (1.0, 1.0, 1.0)
        for real, other in zip(*each, strict=True)
    ]
