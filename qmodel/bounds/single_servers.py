"""What bounds of networks of single-server and delay stations look at."""

from __future__ import annotations

from qmodel.customer_classes import ClosedClass
from qmodel.network import Network
from qmodel.stations import DelayStation


def delays_and_demands(network: Network) -> tuple[list[int], list[float], list[list[float]]]:
    """Population, time nobody queues for, and demand at each station that has a queue.

    The lists hold one entry per class; delay stations are left out of the demands.
    """
    queued = [k for k, s in enumerate(network.stations) if not isinstance(s, DelayStation)]
    population, delays, demands = [], [], []
    for customer_class, row in zip(network.classes, network.demand, strict=True):
        assert isinstance(customer_class, ClosedClass)
        population.append(customer_class.population)
        delay = customer_class.think_time
        if len(queued) < len(row):
            for station, demand in zip(network.stations, row, strict=True):
                if isinstance(station, DelayStation):
                    delay += demand
        delays.append(delay)
        demands.append([row[k] for k in queued])
    return population, delays, demands
