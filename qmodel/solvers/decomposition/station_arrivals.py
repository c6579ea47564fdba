"""Arrivals at a station of an open network, marked by class, and their services. Original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from qmodel.matrix_analytic.marked_arrival_process import (
    MarkedArrivalProcess,
    renewal_process,
    thin,
)
from qmodel.matrix_analytic.mmap_ph_queue import relaxation_rate
from qmodel.matrix_analytic.service_simplification import Service
from qmodel.matrix_analytic.superposition import superpose
from qmodel.solvers.decomposition.traffic_equations import Traffic


def services_at(traffic: Traffic, k: int) -> Mapping[int, Service]:
    """The services of the classes that come to a station."""
    return {
        c: Service(float(flow), float(traffic.time[c, k]), float(traffic.scv[c, k]))
        for c, flow in enumerate(traffic.flow[:, k])
        if flow
    }


def arriving(
    traffic: Traffic, k: int, left: Sequence[MarkedArrivalProcess | None]
) -> MarkedArrivalProcess | None:
    """The flow to a station; None without arrivals, or where there are too many phases.

    ``left`` are the departure processes of the stations before it. Raises
    `numpy.linalg.LinAlgError` if a matrix is singular.
    """
    if not traffic.flow[:, k].any():
        return None
    classes = len(traffic.rate)
    found = []
    for c, (rate, scv) in enumerate(zip(traffic.rate, traffic.arrival_scv, strict=True)):
        part = float(traffic.entry[c, k])
        if rate and part:
            parts = [part if i == c else 0.0 for i in range(classes)]
            found.append(thin(renewal_process(float(rate), float(scv), c, classes), parts))
    for i, flow in enumerate(left):
        parts = [float(q) for q in traffic.routing[:, i, k]]
        if flow is None and any(parts) and traffic.flow[:, i].any():
            return None  # those from there are not known
        if flow is not None and any(parts):
            found.append(thin(flow, parts))
    if not found:
        return None
    servers = traffic.servers[k]
    return superpose(
        found, relaxation_rate(services_at(traffic, k), 1 if servers == inf else int(servers))
    )
