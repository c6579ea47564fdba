"""How open classes pass the stations, and what waits at each visit make of a network.

Original. Theory: `qmodel/solvers/THEORY.md`, decomposition/open_routing.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from qmodel.model.customer_classes import OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import ORDERLESS
from qmodel.model.visit_routing import ImpliedRouting


def class_transitions(network: Network, c: int) -> tuple[Any, Any]:
    """Mean numbers of ways in to each station, and from station to station, of one customer."""
    visits = [network.visits_at(c, k) for k in range(len(network.stations))]
    entry, ways = ImpliedRouting.of(visits).transitions()
    return np.array(entry), np.array(ways)


def shares(network: Network, k: int) -> bool:
    """Whether a queue shares its servers."""
    return getattr(network.stations[k], "discipline", "fcfs") in ORDERLESS


def service_at(network: Network, c: int, k: int) -> tuple[float, float]:
    """Mean and SCV of the service times of a class at a station of the decomposition. [s, 1]"""
    time = network.service_time_at(c, k)
    if not shares(network, k):
        return time, network.scv_at(c, k)
    flow = sum(rate for rate, _, _ in _visitors(network, k))
    return sum(rate * each for rate, each, _ in _visitors(network, k)) / flow if flow else time, 1.0


def _visitors(network: Network, k: int) -> list[tuple[float, float, float]]:
    """By class: visits to a station, their service time, and I of the arrivals. [1/s, s, 1]"""
    return [
        (
            customers.arrival_rate * network.visits_at(c, k),
            network.service_time_at(c, k),
            1.0 + min(1.0, network.visits_at(c, k)) * (customers.arrival_scv - 1.0),
        )
        for c, customers in enumerate(network.classes)
        if isinstance(customers, OpenClass)
    ]


def _slowdown(network: Network, k: int) -> float:
    """g^rho / S at a station that shares its servers. [1/s]"""
    flow = work = counted = weighed = square = 0.0
    for rate, time, scv in _visitors(network, k):
        flow += rate
        work += rate * time
        counted += rate * (scv + 1.0)
        weighed += rate * time * time * (scv + 1.0)
        square += rate * time * time
    if not work:
        return 0.0
    g = weighed / square / (counted / flow)
    return float(g ** (work / network.stations[k].max_rate)) * flow / work


def open_solution(network: Network, method: str, waits: Sequence[Sequence[float]]) -> Solution:
    """The solution in which a visit of class c to station k waits `waits[k][c]`. [s]"""
    slowdown = [
        _slowdown(network, k) if shares(network, k) else None for k in range(len(network.stations))
    ]

    def residence_time(c: int, k: int, demand: float) -> float:
        if (factor := slowdown[k]) is None:
            return demand + network.visits_at(c, k) * waits[k][c]
        return demand * (1.0 + factor * waits[k][c])

    residence = tuple(
        tuple(residence_time(c, k, d) if d else 0.0 for k, d in enumerate(row))
        for c, row in enumerate(network.demand)
    )
    throughputs = tuple(c.arrival_rate for c in network.classes if isinstance(c, OpenClass))
    return Solution(network, method, throughputs, residence)
