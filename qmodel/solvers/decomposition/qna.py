"""Open networks of G/G/m stations by decomposition: Whitt's queueing network analyzer.

Whitt, Bell System Technical Journal 62(9), 1983, cited here as [1]; his wait at several servers
(1993) is [2]. Theory: `qmodel/solvers/THEORY.md`, decomposition/qna.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import Any

import numpy as np

from qmodel.laws.erlang import erlang_c
from qmodel.model.customer_classes import OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation, QueueingStation
from qmodel.single_station.two_moments import whitt
from qmodel.solvers.decomposition.open_routing import class_transitions, open_solution, service_at
from qmodel.solvers.method import Method
from qmodel.solvers.open_load import OpenLoad, open_loads

#: SCV of service below which departures are no more regular, by [1, (30)].
LEAST_SCV = 0.2


@dataclass(frozen=True, slots=True)
class Flow:
    """What arrives at a station, all classes together."""

    #: Arrivals, without those of customers who come straight back. [1/s]
    rate: float
    #: SCV of the times between them. [1]
    arrival_scv: float
    #: Mean and SCV of the service times, those of straight returns joined to one. [s]
    service_time: float
    scv: float
    #: Of one server. [1]
    utilization: float
    #: Part of the customers who, once served, come straight back. [1]
    returns: float
    #: Mean wait of a visit. [s]
    wait: float


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    for customer_class in network.classes:
        if not isinstance(customer_class, OpenClass):
            return f"class {customer_class.name!r} is closed"
    for station in network.stations:
        if isinstance(station, DelayStation):
            continue
        if not isinstance(station, QueueingStation):
            return f"station {station.name!r} is no queue of equal servers"
        if station.buffer is not None:
            return f"station {station.name!r} has room for {station.buffer} customers only"
        if station.discipline not in {"any", "fcfs", "ps"}:
            return f"station {station.name!r} has discipline {station.discipline!r}"
    return f"limit {network.limits[0].name!r}" if network.limits else None


def solve(network: Network) -> Solution:
    """Throughput and residence times.

    Raises `Unstable` if a station cannot keep up with the arrivals.
    """
    arriving = flows(network)
    waits = [[flow.wait] * len(network.classes) for flow in arriving]
    return replace(open_solution(network, "qna", waits), details=arriving)


def flows(network: Network) -> tuple[Flow, ...]:
    """What arrives at each station of a network of open classes, and the mean wait there.

    Raises `Unstable` if a station cannot keep up with the arrivals.
    """
    loads = open_loads(network)
    size = len(network.stations)
    servers = [s.servers if isinstance(s, QueueingStation) else inf for s in network.stations]
    used = np.array([e.load / m if m < inf else 0.0 for e, m in zip(loads, servers, strict=True)])
    outside, between, streams = np.zeros(size), np.zeros((size, size)), []
    for c, customer_class in enumerate(network.classes):
        assert isinstance(customer_class, OpenClass)
        entry, ways = class_transitions(network, c)
        rate = customer_class.arrival_rate
        outside += rate * entry
        between += rate * ways
        streams.append((rate * entry, 1.0 + entry * (customer_class.arrival_scv - 1.0)))
    arrivals = outside + between.sum(axis=0)
    busy = np.where(arrivals > 0.0, arrivals, 1.0)
    service, scv = _service(network, arrivals)
    # Straight returns: one longer service, and the customer keeps its place [1, section III].
    returns = np.diag(between) / busy
    service, scv = service / (1.0 - returns), returns + (1.0 - returns) * scv
    arrivals = arrivals - np.diag(between)
    np.fill_diagonal(between, 0.0)
    arrival_scv = _variability(
        outside, between, arrivals, _outside_scv(streams, outside, used), used, scv, servers
    )
    arriving = []
    for k, m in enumerate(servers):
        wait = 0.0
        if m < inf and arrivals[k] > 0.0:
            wait = _wait(int(m), used[k], loads[k], max(0.0, arrival_scv[k]), scv[k], service[k])
        arriving.append(
            Flow(
                float(arrivals[k]), float(max(0.0, arrival_scv[k])), float(service[k]),
                float(scv[k]), float(used[k]), float(returns[k]), float((1.0 - returns[k]) * wait),
            )
        )  # fmt: skip
    return tuple(arriving)


def _wait(
    servers: int, used: float, load: OpenLoad, arrival_scv: float, scv: float, service: float
) -> float:
    """Mean wait: [1, (44), (45)] at one server, [2] at several. [s]"""
    usual = erlang_c(servers, load.load, load.spare) * service / load.spare
    if servers == 1 and arrival_scv >= 1.0:
        return usual * 0.5 * (arrival_scv + scv)
    return usual * whitt(used, servers, arrival_scv, scv)


def _variability(
    outside: Any, between: Any, arrivals: Any, outside_scv: Any, used: Any, scv: Any,
    servers: Sequence[float],
) -> Any:  # fmt: skip
    """SCV of the arrivals at each station: the linear equations [1, (24) to (30)]."""
    busy = np.where(arrivals > 0.0, arrivals, 1.0)
    from_outside, part = outside / busy, between / busy[None, :]  # of the arrivals at j
    goes = between / busy[:, None]  # of those served at i, the part that goes to j
    streams = from_outside**2 + (part**2).sum(axis=0)
    merged = 1.0 / (1.0 + 4.0 * (1.0 - used) ** 2 * (1.0 / np.maximum(streams, 1e-300) - 1.0))
    root = np.array([1.0 / sqrt(m) if m < inf else 0.0 for m in servers])
    served = 1.0 + root * (np.maximum(scv, LEAST_SCV) - 1.0)
    fixed = (part * (1.0 - goes + goes * (used**2 * served)[:, None])).sum(axis=0)
    fixed = 1.0 + merged * (from_outside * outside_scv - 1.0 + fixed)
    passed = merged[None, :] * part * goes * (1.0 - used**2)[:, None]
    scvs = np.linalg.solve(np.eye(len(used)) - passed.T, np.where(arrivals > 0.0, fixed, 1.0))
    return np.where(arrivals > 0.0, scvs, 1.0)


def _outside_scv(streams: Sequence[tuple[Any, Any]], outside: Any, used: Any) -> Any:
    """SCV of all that arrives from outside at each station [1, (10) to (12)]."""
    total = np.where(outside > 0.0, outside, 1.0)
    squares, mixed = np.zeros(len(total)), np.zeros(len(total))
    for rate, scv in streams:
        squares += (rate / total) ** 2
        mixed += rate / total * scv
    merged = 1.0 / (1.0 + 4.0 * (1.0 - used) ** 2 * (1.0 / np.maximum(squares, 1e-300) - 1.0))
    return np.where(outside > 0.0, 1.0 - merged + merged * mixed, 1.0)


def _service(network: Network, arrivals: Any) -> tuple[Any, Any]:
    """Mean and SCV of the service times at each station, of all classes together."""
    first, second = np.zeros(len(arrivals)), np.zeros(len(arrivals))
    for c, customer_class in enumerate(network.classes):
        assert isinstance(customer_class, OpenClass)
        for k, demand in enumerate(network.demand[c]):
            if demand:
                time, varied = service_at(network, c, k)
                work = customer_class.arrival_rate * demand
                first[k] += work
                second[k] += work * time * (1.0 + varied)
    mean = first / np.where(arrivals > 0.0, arrivals, 1.0)
    square = np.where(arrivals > 0.0, arrivals, 1.0) * np.where(mean > 0.0, mean, 1.0) ** 2
    scv = np.where(mean > 0.0, second / square - 1.0, 1.0)
    # What is 1 but for rounding is 1.
    return mean, np.where(abs(scv - 1.0) < 1e-12, 1.0, np.maximum(scv, 0.0))


METHOD = Method("qna", False, solve, why_not)
