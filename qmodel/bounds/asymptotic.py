"""Asymptotic bounds: no customer waits, and every customer waits for all others; see THEORY.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from qmodel.model.network import Network
from qmodel.model.stations import DelayStation, LoadDependentStation, QueueingStation, Station

Row = tuple[float, ...]
#: Customers of whom a station has no more than it can serve: more than any has servers.
CROWD = 10**12
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


def delays_and_demands(network: Network) -> tuple[Sequence[int], list[float], list[Row]]:
    """Population, time at delays, and demand at each station that has a queue.

    The lists hold one entry per class; delay stations are left out of the demands.
    """
    fixed = [isinstance(s, DelayStation) for s in network.stations]
    delays, demands = [], []
    for row, delay in zip(network.demand, network.think_time, strict=True):
        queued = []
        for at_delay, demand in zip(fixed, row, strict=True):
            if at_delay:
                delay += demand  # noqa: PLW2901 - the think time and what is added to it
            else:
                queued.append(demand)
        delays.append(delay)
        demands.append(tuple(queued))
    return network.populations, delays, demands


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the bound holds: for every closed network."""
    del network
    return None


def find(network: Network) -> list[Interval]:
    """Lowest and highest throughput of each class."""
    everybody = sum(network.populations)
    if not everybody:
        return [(0.0, 0.0)] * len(network.classes)
    limits = [limits_of(station, everybody) for station in network.stations]
    intervals = []
    for n, think_time, row in zip(
        network.populations, network.think_time, network.demand, strict=True
    ):
        shortest = longest = think_time
        highest = inf
        for demand, (quick, slow, capacity) in zip(row, limits, strict=True):
            if demand:
                shortest += demand * quick
                longest += demand * slow
                highest = min(highest, capacity / demand)
        intervals.append((n / longest, min(highest, n / shortest)) if n else (0.0, 0.0))
    return intervals


def limits_of(station: Station, population: int) -> tuple[float, float, float]:
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
