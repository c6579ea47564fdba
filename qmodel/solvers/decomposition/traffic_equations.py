"""The traffic equations of an open network: flows by class and station.

As in W. Whitt, "The queueing network analyzer," Bell System Technical Journal 62(9), 1983.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from qmodel.matrix_analytic import marked_arrival_process as mmap
from qmodel.matrix_analytic.mmap_ph_queue import relaxation_rate
from qmodel.matrix_analytic.service_simplification import Service
from qmodel.matrix_analytic.superposition import superpose
from qmodel.model.customer_classes import OpenClass
from qmodel.model.network import Network
from qmodel.model.stations import QueueingStation
from qmodel.numerics.arrays import Array
from qmodel.solvers.decomposition.open_routing import class_transitions, service_at


@dataclass(frozen=True, slots=True)
class Traffic:
    """What flows where by class and station, always on to a station later in the network."""

    #: Arrivals of each class from outside, shape (C,). [1/s]
    rate: Array
    #: SCV of the times between them, shape (C,). [1]
    arrival_scv: Array
    #: Their phases, of classes that these are given of.
    given: tuple[mmap.Given | None, ...]
    #: Chance that a customer begins at a station, shape (C, K).
    entry: Array
    #: Chance that one who leaves i goes to j, shape (C, K, K).
    routing: Array
    #: Arrivals at the stations, shape (C, K). [1/s]
    flow: Array
    #: Mean and SCV of the service times, shape (C, K). [s]
    time: Array
    scv: Array
    #: Infinite at a delay station.
    servers: tuple[float, ...]


def traffic_of(network: Network) -> Traffic:
    """The flows of a network of open classes, services and routing."""
    classes, stations = len(network.classes), len(network.stations)
    rate, scv = np.zeros(classes), np.ones(classes)
    laws = map(network.distribution_at, range(classes))
    given = tuple(law if isinstance(law, mmap.Given) else None for law in laws)
    entry, routing = np.zeros((classes, stations)), np.zeros((classes, stations, stations))
    flow, time = np.zeros((classes, stations)), np.zeros((classes, stations))
    spread = np.ones((classes, stations))
    for c, customer_class in enumerate(network.classes):
        assert isinstance(customer_class, OpenClass)
        rate[c], scv[c] = customer_class.arrival_rate, customer_class.arrival_scv
        entry[c], between = class_transitions(network, c)
        for k, demand in enumerate(network.demand[c]):
            if demand:
                visits = network.visits_at(c, k)
                flow[c, k] = rate[c] * visits
                time[c, k], spread[c, k] = service_at(network, c, k)
                routing[c, k] = between[k] / visits
    servers = tuple(
        float(s.servers) if isinstance(s, QueueingStation) else inf for s in network.stations
    )
    return Traffic(rate, scv, given, entry, routing, flow, time, spread, servers)


def passing(traffic: Traffic, first: int, k: int) -> Traffic:
    """The same if no time passed at the stations between two: where they went on to is direct."""
    entry, routing = traffic.entry.copy(), traffic.routing.copy()
    for j in range(first + 1, k):
        routing += routing[:, :, j, None] * routing[:, None, j, :]
        entry += entry[:, j, None] * routing[:, j, :]
        routing[:, :, j] = entry[:, j] = 0.0
    return replace(traffic, entry=entry, routing=routing)


def outside_alone(traffic: Traffic, k: int) -> float | None:
    """SCV of the arrivals where they are one class from outside, all of it; else None.

    None as well where their phases are given.
    """
    here = [c for c, flow in enumerate(traffic.flow[:, k]) if flow]
    if len(here) != 1 or traffic.routing[here[0], :, k].any() or traffic.entry[here[0], k] != 1.0:
        return None
    if traffic.given[here[0]]:
        return None
    return float(traffic.arrival_scv[here[0]])


def services_at(traffic: Traffic, k: int) -> Mapping[int, Service]:
    """The services of the classes that come to a station."""
    return {
        c: Service(float(flow), float(traffic.time[c, k]), float(traffic.scv[c, k]))
        for c, flow in enumerate(traffic.flow[:, k])
        if flow
    }


def arriving(
    traffic: Traffic, k: int, left: Sequence[mmap.MarkedArrivalProcess | None]
) -> mmap.MarkedArrivalProcess | None:
    """The flow to a station; None without arrivals, or where there are too many phases.

    ``left`` are the departure processes of the stations before it. Raises
    `numpy.linalg.LinAlgError` if a matrix is singular.
    """
    if not traffic.flow[:, k].any():
        return None
    classes = len(traffic.rate)
    flows = []
    for c, (rate, scv) in enumerate(zip(traffic.rate, traffic.arrival_scv, strict=True)):
        part = float(traffic.entry[c, k])
        if rate and part:
            parts = [part if i == c else 0.0 for i in range(classes)]
            law, every = traffic.given[c], mmap.renewal_process(float(rate), float(scv), c, classes)
            if law:
                every = mmap.given_process(law, float(rate), c, classes)
            flows.append(mmap.thin(every, parts))
    for i, flow in enumerate(left):
        parts = [float(q) for q in traffic.routing[:, i, k]]
        if flow is None and any(parts) and traffic.flow[:, i].any():
            return None  # those from there are not known
        if flow is not None and any(parts):
            flows.append(mmap.thin(flow, parts))
    if not flows:
        return None
    servers = traffic.servers[k]
    return superpose(
        flows, relaxation_rate(services_at(traffic, k), 1 if servers == inf else int(servers))
    )
