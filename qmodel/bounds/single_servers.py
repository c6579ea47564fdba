"""What bounds of networks of single-server and delay stations look at."""

from __future__ import annotations

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation


def delays_and_demands(
    network: Network,
) -> tuple[list[int], list[float], list[tuple[float, ...]]]:
    """Population, time nobody queues for, and demand at each station that has a queue.

    The lists hold one entry per class; delay stations are left out of the demands.
    """
    fixed = [k for k, s in enumerate(network.stations) if isinstance(s, DelayStation)]
    population, delays, demands = [], [], []
    for c, customer_class in enumerate(network.classes):
        row = network.demand[c]
        assert isinstance(customer_class, ClosedClass)
        population.append(customer_class.population)
        delay = customer_class.think_time
        for k in fixed:
            delay += row[k]
        delays.append(delay)
        demands.append(tuple([d for k, d in enumerate(row) if k not in fixed]) if fixed else row)
    return population, delays, demands
