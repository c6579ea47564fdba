"""Times at the stations of an open network, as the decomposition methods know them.
Theory and sources: `qmodel/solvers/THEORY.md`, decomposition/sojourn_times.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from qmodel.laws.erlang import erlang_c
from qmodel.matrix_analytic.mmap_ph_queue import MMAPQueue
from qmodel.model.customer_classes import OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation, QueueingStation
from qmodel.numerics.phase_type import ServiceTime
from qmodel.single_station.two_moments import waiting_probability, waiting_spread
from qmodel.single_station.waiting_mixture import WaitingMixture
from qmodel.solvers.decomposition.mmap_network import MarkedNetwork, covariances, marked_network
from qmodel.solvers.decomposition.open_routing import service_at
from qmodel.solvers.decomposition.qna import Flow, flows
from qmodel.solvers.decomposition.traffic_equations import Traffic, traffic_of

#: Arrivals whose SCV is this near to 1 are Poisson.
NEAR = 1e-9


class OpenSojournTimes(NamedTuple):
    """What a decomposition knows."""

    #: By class and station, shape (C, K); None at delay stations.
    queues: tuple[tuple[WaitingMixture | None, ...], ...]
    #: How the flows between stations are described, in words.
    flows: str
    #: By station, class and station before it: of the times at the two. [s^2]
    covariances: Sequence[Mapping[tuple[int, int], float]] | None = None

    @property
    def correlated(self) -> bool:
        """Whether it is known how times at different stations go together."""
        return self.covariances is not None


def of_mmap(solution: Solution) -> OpenSojournTimes:
    """By marked arrival processes: three moments of each wait, and covariances."""
    traffic = traffic_of(solution.network)
    marked = solution.details or marked_network(traffic)
    assert isinstance(marked, MarkedNetwork)
    network = solution.network
    queues = _queues(
        network, lambda own, c, k, _: _three_moments(own, marked.stations[k], c, network, k)
    )
    return OpenSojournTimes(queues, "phases by class", _scaled(network, traffic, marked))


def _scaled(
    network: Network, traffic: Traffic, marked: MarkedNetwork
) -> list[dict[tuple[int, int], float]]:
    """Covariances; shared servers are decomposed as a queue that serves all classes alike."""

    def scale(c: int, k: int) -> float:
        alike = service_at(network, c, k)[0]
        return network.service_time_at(c, k) / alike if alike else 0.0

    return [
        {(c, i): value * scale(c, k) * scale(c, i) for (c, i), value in station.items()}
        for k, station in enumerate(covariances(traffic, marked))
    ]


def of_qna(solution: Solution) -> OpenSojournTimes:
    """By the queueing network analyzer: two moments of each wait [1]."""
    arriving = solution.details or flows(solution.network)
    queues = _queues(solution.network, lambda own, _, k, m: _two_moments(own, arriving[k], m))
    return OpenSojournTimes(queues, "two moments")


def _queues(
    network: Network, at: Callable[[ServiceTime, int, int, int], WaitingMixture]
) -> tuple[tuple[WaitingMixture | None, ...], ...]:
    """The stations by class; ``at`` takes service, class, station and servers."""
    rows = []
    for c in range(len(network.classes)):
        row: list[WaitingMixture | None] = []
        for k, station in enumerate(network.stations):
            if isinstance(station, DelayStation):
                row.append(None)
                continue
            assert isinstance(station, QueueingStation)
            own = ServiceTime(network.service_time_at(c, k), network.scv_at(c, k))
            row.append(at(own, c, k, station.servers))
        rows.append(tuple(row))
    return tuple(rows)


def _two_moments(own: ServiceTime, flow: Flow, servers: int) -> WaitingMixture:
    used, arrival_scv, scv = flow.utilization, flow.arrival_scv, flow.scv
    all_classes = ServiceTime(flow.service_time, scv)
    if servers == 1 and abs(arrival_scv - 1.0) < NEAR and flow.returns < NEAR:
        return WaitingMixture(own, all_classes, used, 0.0, 1.0, poisson=True)
    busy = erlang_c(servers, used * servers, servers - used * servers)
    waits = waiting_probability(busy, used, servers, arrival_scv, scv)
    return WaitingMixture(own, all_classes, waits, flow.wait, waiting_spread(used, scv))


def _three_moments(
    own: ServiceTime, station: MMAPQueue | None, c: int, network: Network, k: int
) -> WaitingMixture:
    if station is None:  # without visits
        return WaitingMixture(own, own, 0.0, 0.0, 1.0)
    wait = station.waits[c]
    all_classes = ServiceTime(station.pooled.mean, station.pooled.scv)
    if station.poisson:
        works = [
            each.arrival_rate * row[k] if isinstance(each, OpenClass) else 0.0
            for each, row in zip(network.classes, network.demand, strict=True)
        ]
        by_class = tuple(
            (work / sum(works), ServiceTime(network.service_time_at(i, k), network.scv_at(i, k)))
            for i, work in enumerate(works)
            if work
        )
        return WaitingMixture(
            own, all_classes, station.utilization, 0.0, 1.0, poisson=True, by_class=by_class
        )
    shape = wait.of_those_who_wait
    return WaitingMixture(own, all_classes, wait.probability, wait.first, wait.spread, shape=shape)
