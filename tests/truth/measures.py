"""What an oracle returns, and the speeds of stations, which the oracles share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import qmodel as qm


@dataclass(frozen=True)
class Measures:
    """All measures of a network; rows are classes, columns stations.

    The residence time of a class that nobody belongs to is None: there is no truth about it.
    """

    throughput: list[Any]
    queue_length: list[list[Any]]
    utilization: list[list[Any]]
    residence_time: list[list[Any]]


def speed(station: qm.Station) -> Callable[[int], float]:
    """Speed of a station relative to one customer's, with n >= 1 customers there."""
    match station:
        case qm.DelayStation():
            return float
        case qm.QueueingStation(servers=servers):
            return lambda n: float(min(n, servers))
        case qm.LoadDependentStation(rates=rates):
            return lambda n: rates[min(n, len(rates)) - 1]


def full_speed(station: qm.Station) -> float:
    """The speed that a utilization of 1 stands for; at a delay station that of one customer."""
    match station:
        case qm.DelayStation():
            return 1.0
        case qm.QueueingStation(servers=servers):
            return float(servers)
        case qm.LoadDependentStation(rates=rates):
            return max(rates)


def populations(network: qm.Network) -> list[int]:
    """Population of each class; 0 for an open one."""
    return [c.population if isinstance(c, qm.ClosedClass) else 0 for c in network.classes]


def arrival_rates(network: qm.Network) -> list[float]:
    """Arrival rate of each class; 0 for a closed one."""
    return [c.arrival_rate if isinstance(c, qm.OpenClass) else 0.0 for c in network.classes]
