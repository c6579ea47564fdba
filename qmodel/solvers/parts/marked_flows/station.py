"""A station whose arrivals are a flow of several classes: waits, and what leaves.

Where the servers' phases are too many, the services of all classes are given the same variation, or
that of exponential times. Then waits are longer or shorter than they would be by some factor. At
one server as fast as all of them it is found, and at two; from one to two it is taken to change as
at each doubling of the servers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb, log2
from typing import TYPE_CHECKING, NamedTuple

from qmodel.solvers.parts.chains.phases import Phases, phases
from qmodel.solvers.parts.marked_flows.leaving import leaving
from qmodel.solvers.parts.marked_flows.servers import servers_of
from qmodel.solvers.parts.marked_flows.stationary import stationary
from qmodel.solvers.parts.marked_flows.ticks import Ticks
from qmodel.solvers.parts.marked_flows.waits import together, waits
from qmodel.solvers.parts.phase_queues.wait_moments import WaitMoments

if TYPE_CHECKING:
    from qmodel.solvers.parts.marked_flows.flow import MarkedFlow

#: Phases of arrivals and services together where all servers are busy.
LARGEST = 640
#: The least variation of services that is kept where they are given the same. [1]
LEAST = 0.5
#: How slow a queue is to forget, over its rate times the square of what is idle.
SLOW = 0.3


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


@dataclass(frozen=True, slots=True, eq=False)
class MarkedStation:
    """What was found.

    Parameters
    ----------
    waits : tuple of WaitMoments, length C
        Of classes that do not come those of all others together.
    together : mapping of (int, int) to float
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
    together: Mapping[tuple[int, int], float]
    flow: MarkedFlow | None
    poisson: bool
    whole: Service
    utilization: float


def forgets(services: Mapping[int, Service], servers: int) -> float:
    """The slowest rate at which a station forgets. [1/s]"""
    whole = _whole(services)
    return SLOW * whole.flow * (1.0 - whole.flow * whole.mean / servers) ** 2


def _whole(services: Mapping[int, Service]) -> Service:
    """The services of all classes together."""
    flow = first = second = 0.0
    for each in services.values():
        flow += each.flow
        first += each.flow * each.mean
        second += each.flow * each.mean**2 * (1.0 + each.scv)
    return Service(flow, first / flow, max(0.0, second * flow / first**2 - 1.0))


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
    >>> from qmodel.solvers.parts.marked_flows.flow import renewals
    >>> found = marked_station(renewals(1.0, 1.0, 0, 1), {0: Service(1.0, 0.5, 4.0)}, 1, None)
    >>> round(found.waits[0].first, 5), found.poisson  # Pollaczek and Khinchin
    (1.25, True)
    """
    true = {c: phases(each.mean, each.scv) for c, each in services.items()}
    ticks, taken = _ticks(flow, services, true, servers)
    if ticks is None:
        return None
    often = stationary(ticks)
    if often is None:
        return None
    found = waits(ticks, often)
    if taken != true:
        corrected = _corrected(flow, found, true, taken, servers)
        if corrected is None:
            return None
        found = corrected
    left = None
    if station is not None:
        left = leaving(ticks, often, forgets(services, servers), station)
    if not all(one.possible for one in found if one):
        return None
    whole = _whole(services)
    every = WaitMoments.mixed(
        [services[c].flow / whole.flow for c, one in enumerate(found) if one],
        [one for one in found if one],
    )
    return MarkedStation(
        tuple(one or every for one in found),
        together(ticks, often),
        left,
        flow.size == servers == 1,
        whole,
        whole.flow * whole.mean / servers,
    )


def waits_and_together(
    flow: MarkedFlow, services: Mapping[int, Service], servers: int
) -> tuple[tuple[WaitMoments | None, ...], Mapping[tuple[int, int], float]] | None:
    """`MarkedStation.waits` and `MarkedStation.together`, not corrected, and nothing else."""
    true = {c: phases(each.mean, each.scv) for c, each in services.items()}
    ticks, _ = _ticks(flow, services, true, servers)
    often = None if ticks is None else stationary(ticks)
    if ticks is None or often is None:
        return None
    return waits(ticks, often), together(ticks, often)


def _ticks(
    flow: MarkedFlow,
    services: Mapping[int, Service],
    true: Mapping[int, Phases],
    servers: int,
) -> tuple[Ticks | None, Mapping[int, Phases]]:
    """The queue with as many phases as fit, and its services; None if too many at best."""
    for taken in (true, *_simpler(services)):
        if _fits(flow, taken, servers):
            return Ticks(flow, servers_of(taken, len(flow.arrivals), servers)), taken
    return None, true


def _fits(flow: MarkedFlow, services: Mapping[int, Phases], servers: int) -> bool:
    kinds = sum(len(service.start) for service in services.values())
    return flow.size * comb(servers + kinds - 1, servers) <= LARGEST


def _simpler(services: Mapping[int, Service]) -> tuple[dict[int, Phases], ...]:
    """Services of the same variation, and exponential ones."""
    weight = varied = 0.0
    for each in services.values():
        weight += each.flow * each.mean**2
        varied += each.flow * each.mean**2 * each.scv
    same = max(LEAST, varied / weight)
    return (
        {c: phases(each.mean, same) for c, each in services.items()},
        {c: phases(each.mean, 1.0) for c, each in services.items()},
    )


def _corrected(
    flow: MarkedFlow,
    found: tuple[WaitMoments | None, ...],
    true: Mapping[int, Phases],
    taken: Mapping[int, Phases],
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
    flow: MarkedFlow,
    true: Mapping[int, Phases],
    taken: Mapping[int, Phases],
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
        ticks = Ticks(flow, servers_of(fast, len(flow.arrivals), few))
        often = stationary(ticks)
        if often is None:
            return None
        each.append(waits(ticks, often))
    return [
        real.ratios(other) if real and other else (1.0, 1.0, 1.0)
        for real, other in zip(*each, strict=True)
    ]
