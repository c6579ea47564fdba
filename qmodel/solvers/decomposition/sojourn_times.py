"""Times at the stations of an open network, as the decomposition methods know them.

Each station's waiting time is a mixture: none, or a time of given moments, `WaitingMixture`.

References
----------
.. [1] W. Whitt, "The queueing network analyzer," Bell System Technical Journal 62(9), 1983,
   pp. 2779-2815: section V, the wait by its probability and two moments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from qmodel.laws.erlang import erlang_c
from qmodel.matrix_analytic.mmap_ph_queue import MMAPQueue
from qmodel.model.customer_classes import OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation, QueueingStation
from qmodel.numerics.service_time import ServiceTime
from qmodel.single_station.two_moments import waiting_probability, waiting_spread
from qmodel.single_station.waiting_mixture import WaitingMixture
from qmodel.solvers.decomposition.mmap_network import MarkedNetwork, covariances, marked_network
from qmodel.solvers.decomposition.open_routing import service_at
from qmodel.solvers.decomposition.qna import Flow, flows
from qmodel.solvers.decomposition.rqna import station_waits
from qmodel.solvers.decomposition.station_waiting_time import StationWait
from qmodel.solvers.decomposition.traffic_equations import Traffic, traffic_of

#: Arrivals whose SCV is this near to 1 are Poisson.
NEAR = 1e-9
#: Of ``dispersion``: correlation of times at neighbouring stations for arrivals in bursts without
#: end, and the same but for its sign for arrivals at equal times.
ALIKE, UNLIKE = 0.25, 0.15


class OpenSojournTimes(NamedTuple):
    """What a decomposition knows.

    Attributes
    ----------
    queues : tuple of tuple of (WaitingMixture or None), shape (C, K)
        By class and station; None at delay stations.
    flows : str
        How the flows between stations are described, in words.
    covariances : sequence of mapping of (int, int) to float, optional
        By station, class and station before it: of the times at the two. [s^2]
    correlation : float, optional
        In its place, the correlation of times at neighbouring stations; at others its powers. [1]
    """

    queues: tuple[tuple[WaitingMixture | None, ...], ...]
    flows: str
    covariances: Sequence[Mapping[tuple[int, int], float]] | None = None
    correlation: float | None = None

    @property
    def correlated(self) -> bool:
        """Whether it is known how times at different stations go together."""
        return self.covariances is not None or self.correlation is not None


def of_mmap(solution: Solution) -> OpenSojournTimes:
    """By marked arrival processes: three moments of each wait, and covariances."""
    traffic = traffic_of(solution.network)
    found = solution.details or marked_network(traffic)
    assert isinstance(found, MarkedNetwork)
    queues = _queues(
        solution.network, lambda own, c, k, _: _three_moments(own, found.stations[k], c)
    )
    return OpenSojournTimes(queues, "phases by class", _scaled(solution.network, traffic, found))


def _scaled(
    network: Network, traffic: Traffic, found: MarkedNetwork
) -> list[dict[tuple[int, int], float]]:
    """Covariances; shared servers are decomposed as a queue that serves all classes alike."""

    def scale(c: int, k: int) -> float:
        alike = service_at(network, c, k)[0]
        return network.service_time_at(c, k) / alike if alike else 0.0

    return [
        {(c, i): value * scale(c, k) * scale(c, i) for (c, i), value in station.items()}
        for k, station in enumerate(covariances(traffic, found))
    ]


def of_qna(solution: Solution) -> OpenSojournTimes:
    """By the queueing network analyzer: two moments of each wait [1]."""
    found = solution.details or flows(solution.network)
    queues = _queues(solution.network, lambda own, _, k, m: _two_moments(own, found[k], m))
    return OpenSojournTimes(queues, "two moments")


def of_rqna(solution: Solution) -> OpenSojournTimes:
    """By indices of dispersion."""
    found = solution.details or station_waits(solution.network)
    queues = _queues(solution.network, lambda own, c, k, m: by_dispersion(own, found[k], c, m))
    bursts = _burstiness(solution.network)
    near = bursts * (ALIKE if bursts > 0.0 else UNLIKE)
    return OpenSojournTimes(queues, "variance over any time", correlation=near)


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
    if servers == 1 and abs(arrival_scv - 1.0) < NEAR:
        return WaitingMixture(own, all_classes, used, 0.0, 1.0, poisson=True)
    busy = erlang_c(servers, used * servers, servers - used * servers)
    waits = waiting_probability(busy, used, servers, arrival_scv, scv)
    return WaitingMixture(own, all_classes, waits, flow.wait, waiting_spread(used, scv))


def by_dispersion(own: ServiceTime, found: StationWait, c: int, servers: int) -> WaitingMixture:
    """The station as ``dispersion`` sees it, for class ``c``.

    The backlog that it finds is the same queue's, so a long wait is of the same length for
    all; a class with longer waits in the mean waits more often.
    """
    ahead = ServiceTime(found.service_time, found.scv)
    alike = all(w in (0.0, found.waits[c]) for w in found.waits)
    poisson = found.utilization > 0.0 and abs(found.arrival_scv - 1.0) < NEAR
    if servers == 1 and alike and poisson:
        return WaitingMixture(own, ahead, found.utilization, 0.0, 1.0, poisson=True)
    wait, often = found.waits[c], found.probability
    if found.wait:
        often = min(1.0, often * wait / found.wait)
    return WaitingMixture(own, ahead, often, wait, found.spread, shape=found.shape)


def _burstiness(network: Network) -> float:
    """(c - 1) / (c + 1), c the SCV of all arrivals from outside: -1 at constant times, to 1."""
    rates = together = 0.0
    for one in network.classes:
        if isinstance(one, OpenClass):
            rates += one.arrival_rate
            together += one.arrival_rate * one.arrival_scv
    scv = together / rates if rates else 1.0
    return (scv - 1.0) / (scv + 1.0)


def _three_moments(own: ServiceTime, station: MMAPQueue | None, c: int) -> WaitingMixture:
    if station is None:  # that nobody visits
        return WaitingMixture(own, own, 0.0, 0.0, 1.0)
    wait = station.waits[c]
    all_classes = ServiceTime(station.pooled.mean, station.pooled.scv)
    if station.poisson:
        return WaitingMixture(own, all_classes, station.utilization, 0.0, 1.0, poisson=True)
    shape = wait.wait.of_those_who_wait
    return WaitingMixture(own, all_classes, wait.probability, wait.first, wait.spread, shape=shape)
