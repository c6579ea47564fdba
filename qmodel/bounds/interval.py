"""Kinds of bound, and what those of single-server networks depend on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation

#: Lowest and highest throughput of a class. [1/s]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of bound."""

    #: What a caller writes as ``kind=``.
    name: str
    #: Closed network to one interval per class; called only where ``why_not`` is None.
    find: Callable[[Network], list[Interval]]
    #: Closed network to the assumption that fails, or None if the bound holds.
    why_not: Callable[[Network], str | None]


def delays_and_demands(
    network: Network,
) -> tuple[list[int], list[float], list[tuple[float, ...]]]:
    """Population, time at delays, and demand at each station that has a queue.

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
