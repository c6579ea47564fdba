"""Open networks of G/G/m stations by decomposition into MMAP/PH/c queues.

Departures after Heindl et al. (2004), queues after He (2012).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, decomposition/mmap.
"""

from dataclasses import replace
from math import inf, prod

import numpy as np

from qmodel.errors import NotApplicable
from qmodel.matrix_analytic.galerkin_projection import MOST
from qmodel.matrix_analytic.service_simplification import LARGEST, close_to, phases, simpler
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.numerics.phase_type import fit_phase_type
from qmodel.solvers.decomposition.mmap_network import MarkedNetwork, marked_network
from qmodel.solvers.decomposition.open_routing import open_solution
from qmodel.solvers.decomposition.qna import why_not as why_not_apart
from qmodel.solvers.decomposition.traffic_equations import Traffic, services_at, traffic_of
from qmodel.solvers.method import Method
from qmodel.solvers.open_load import open_loads

#: Phases of flows that come from other stations, as usual; seconds that a station takes, and those
#: of the cube of its phases, and of that of its classes.
USUAL, STATION, EACH, MARKS = 18, 0.1, 1.2e-8, 1e-7


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    for c, customer_class in enumerate(network.classes):
        for k, demand in enumerate(network.demand[c]):
            if demand and network.visits_at(c, k) > 1.0:
                return (
                    f"class {customer_class.name!r} comes back to station "
                    f"{network.station_names[k]!r}"
                )
    return why_not_apart(network)


def solve(network: Network) -> Solution:
    """Throughput and residence times.

    Raises `Unstable` if a station cannot keep up with the arrivals; `NotApplicable` if there are
    too many phases, or customers in queues.
    """
    open_loads(network)
    traffic = traffic_of(network)
    if (marked := marked_network(traffic)) is None:
        raise NotApplicable("mmap: too many phases of arrivals and services, or customers")
    none = [0.0] * len(network.classes)
    waits = [[wait.first for wait in one.waits] if one else none for one in marked.stations]
    reason = "exact for a single queue" if _is_exact(network, traffic, marked) else ""
    return replace(open_solution(network, "mmap", waits), details=marked, reason=reason)


def _is_exact(network: Network, traffic: Traffic, marked: MarkedNetwork) -> bool:
    """Whether the mean wait is that of M/G/1 or MAP/M/1 and there is no other station."""
    k, *others = np.flatnonzero(traffic.flow.any(axis=0)).tolist() or [0]
    station, usual = marked.stations[k], {None, "phase-type"}
    if others or station is None or getattr(network.stations[k], "discipline", "") != "fcfs":
        return False
    here = np.flatnonzero(traffic.flow[:, k]).tolist()
    law = traffic.given[here[0]] if len(here) == 1 else None
    known = all(traffic.given[c] or network.distribution_at(c) in usual for c in here)
    memoryless = traffic.scv[here[0], k] == 1.0 and network.distribution_at(here[0], k) in usual
    single = traffic.servers[k] == 1.0 and law is not None and len(law[0]) <= MOST
    return known and (station.poisson or (single and memoryless))


def seconds(network: Network) -> float:
    """About how long it takes; see `Method`. [s]"""
    traffic = traffic_of(network)
    found = MARKS * len(traffic.servers) * len(network.classes) ** 3
    for k, servers in enumerate(traffic.servers):
        services = services_at(traffic, k)
        if not services or servers == inf:
            continue
        size = USUAL if traffic.routing[:, :, k].any() else prod(
            min(MOST, len(law[0])) if law else len(fit_phase_type(1.0, scv).start)
            for scv, law, part in zip(
                traffic.arrival_scv.tolist(), traffic.given, traffic.entry[:, k], strict=True
            )
            if part and (law or scv != 1.0)
        )  # fmt: skip
        sizes = (
            phases(size, one, int(servers)) for one in (*close_to(services), *simpler(services))
        )
        found += STATION + EACH * next((n for n in sizes if n <= LARGEST), 0.0) ** 3
    return found


METHOD = Method("mmap", False, solve, why_not, seconds=seconds)
