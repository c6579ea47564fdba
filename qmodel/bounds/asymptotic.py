"""Asymptotic bounds: no customer waits, and every customer waits for all others.

For one class, N / (Z + N D) <= X <= min(N / (Z + D), 1 / Dmax) [1], p. 70-77. With j customers
at a station of relative rates r, one customer is served at rate r(j) / j. So its residence time
is between D times the least and D times the greatest j / r(j), whatever j is, and this carries
the bounds to several servers, load-dependent stations and several classes.

References
----------
.. [1] E. D. Lazowska, J. Zahorjan, G. S. Graham and K. C. Sevcik, "Quantitative System
   Performance," Prentice-Hall, 1984, ch. 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation, LoadDependentStation, QueueingStation, Station

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


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the bound holds: for every closed network."""
    del network
    return None


def find(network: Network) -> list[Interval]:
    """Lowest and highest throughput of each class."""
    population = 0
    for c in network.classes:
        assert isinstance(c, ClosedClass)
        population += c.population
    if not population:
        return [(0.0, 0.0)] * len(network.classes)
    limits = [_limits(station, population) for station in network.stations]
    found = []
    for c, row in zip(network.classes, network.demand, strict=True):
        assert isinstance(c, ClosedClass)
        shortest = longest = c.think_time
        highest = inf
        for demand, (quick, slow, capacity) in zip(row, limits, strict=True):
            if demand:
                shortest += demand * quick
                longest += demand * slow
                highest = min(highest, capacity / demand)
        found.append((c.population / longest, min(highest, c.population / shortest)))
    return [
        interval if c.population else (0.0, 0.0)  # type: ignore[union-attr]  # all are closed
        for c, interval in zip(network.classes, found, strict=True)
    ]


def _limits(station: Station, population: int) -> tuple[float, float, float]:
    """Least and greatest time per demand, and the capacity, with 1 to ``population`` customers."""
    if isinstance(station, DelayStation):
        return 1.0, 1.0, inf
    if isinstance(station, QueueingStation):
        busy = min(station.servers, population)
        return 1.0, population / busy, float(busy)
    assert isinstance(station, LoadDependentStation)
    rates = station.rates[:population]
    times = [j / rate for j, rate in enumerate(rates, 1)]
    return min(times), max(*times, population / rates[-1]), max(rates)


KIND = Kind("asymptotic", find, why_not)
