"""The services at a station, and simpler ones where their phases are too many; see THEORY.md."""

from collections.abc import Mapping, Sequence
from math import comb, inf, log2
from typing import NamedTuple

from qmodel.matrix_analytic.age_process import AgeProcess, StateVector
from qmodel.matrix_analytic.concentrated_distribution import ORDERS, MatrixExponential, distribution
from qmodel.matrix_analytic.first_passage_matrix import stationary_distribution
from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
from qmodel.matrix_analytic.server_phases import server_phases
from qmodel.matrix_analytic.waiting_time import waiting_time_moments
from qmodel.numerics.phase_type import MOST
from qmodel.single_station.wait_moments import WaitMoments

#: Phases of arrivals and services together where all servers are busy.
LARGEST = 640
#: The same where servers are idle, of all numbers of busy ones: one linear system, of seconds.
MOST_IDLE = 3_000
#: The least variation of services that is kept where they are given the same. [1]
LEAST = 0.5


class Service(NamedTuple):
    """The services of a class."""

    #: Arrivals. [1/s]
    flow: float
    #: Of its services. [s]
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


def solved_queue(
    flow: MarkedArrivalProcess, services: Mapping[int, Service],
    close: Sequence[Mapping[int, MatrixExponential]], servers: int,
) -> tuple[AgeProcess, StateVector, Mapping[int, MatrixExponential]] | None:  # fmt: skip
    """The queue with as many phases as fit, its stationary distribution, and its services.

    None if there are too many phases at best, or too many customers. A queue whose probabilities
    do not fall, as rounding makes some of those with coordinates for phases, is passed over.
    """
    for taken in (*close, *simpler(services)):
        if _fits(flow, taken, servers):
            age = AgeProcess(flow, server_phases(taken, len(flow.d), servers))
            if (x := stationary_distribution(age)) is not None:
                return age, x, taken
            if age.servers.weights is None:
                return None
    return None


def _fits(
    flow: MarkedArrivalProcess, services: Mapping[int, MatrixExponential], servers: int
) -> bool:
    return phases(flow.size, services, servers) <= LARGEST


def phases(size: int, services: Mapping[int, MatrixExponential], servers: int) -> float:
    """Phases with all servers busy, of so many of the arrivals; inf if idle ones are too many."""
    kinds = sum(len(service.start) for service in services.values())
    idle = size * comb(servers - 1 + kinds, kinds)
    return size * comb(servers + kinds - 1, servers) if idle <= MOST_IDLE else inf


def close_to(services: Mapping[int, Service]) -> list[dict[int, MatrixExponential]]:
    """The services, and again in fewer and fewer dimensions those that vary little."""
    least = min(each.scv for each in services.values())
    return [
        {c: distribution(each.mean, each.scv, largest) for c, each in services.items()}
        for largest in (MOST, *sorted(ORDERS, reverse=True))
        if largest == MOST or least * largest < 1.0
    ]


def simpler(services: Mapping[int, Service]) -> tuple[dict[int, MatrixExponential], ...]:
    """Services of the same variation, and exponential ones."""
    weight = varied = 0.0
    for each in services.values():
        weight += each.flow * each.mean**2
        varied += each.flow * each.mean**2 * each.scv
    same = max(LEAST, varied / weight)
    return (
        {c: distribution(each.mean, same) for c, each in services.items()},
        {c: distribution(each.mean, 1.0) for c, each in services.items()},
    )


def corrected(
    flow: MarkedArrivalProcess, waits: tuple[WaitMoments | None, ...],
    close: Sequence[Mapping[int, MatrixExponential]], taken: Mapping[int, MatrixExponential],
    servers: int,
) -> tuple[WaitMoments | None, ...] | None:  # fmt: skip
    """Conditional waits, scaled by their ratio at few fast servers."""
    if (one := _longer(flow, close, taken, servers, 1)) is None:
        return None
    two = _longer(flow, close, taken, servers, 2) or one
    return tuple(
        wait.longer([a * (b / a) ** log2(servers) for a, b in zip(first, second, strict=True)])
        if wait
        else None
        for wait, first, second in zip(waits, one, two, strict=True)
    )


def _longer(
    flow: MarkedArrivalProcess, close: Sequence[Mapping[int, MatrixExponential]],
    taken: Mapping[int, MatrixExponential], servers: int, few: int,
) -> list[tuple[float, ...]] | None:  # fmt: skip
    """By class how many times as long, at so few servers as fast as all together."""
    each: list[tuple[WaitMoments | None, ...]] = []
    true = next((one for one in close if _fits(flow, one, few)), None)
    if true is None or (true is taken and few > 1):
        return None
    for services in (true, taken):
        fast = {c: service.in_time(few / servers) for c, service in services.items()}
        if not _fits(flow, fast, few):
            return None
        ticks = AgeProcess(flow, server_phases(fast, len(flow.d), few))
        if (often := stationary_distribution(ticks)) is None:
            return None
        each.append(waiting_time_moments(ticks, often))
    return [
        real.ratios(other) if real and other else (1.0, 1.0, 1.0)
        for real, other in zip(*each, strict=True)
    ]
