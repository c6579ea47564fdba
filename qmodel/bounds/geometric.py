"""Geometric bounds: one class, single-server and delay stations; see THEORY.md."""

from collections.abc import Sequence
from math import sqrt

from qmodel.bounds.asymptotic import Interval, Kind, delays_and_demands
from qmodel.model.closed_network import not_single_server
from qmodel.model.network import Network

#: Ratios above this would cancel in the sum of a geometric series.
_NEAR_ONE = 1.0 - 1e-6


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the bound holds."""
    if len(network.classes) > 1:
        return f"it takes one class, there are {len(network.classes)}"
    return not_single_server(network)


def find(network: Network) -> list[Interval]:
    """Lowest and highest throughput of the class."""
    (population,), (delay,), (demands,) = delays_and_demands(network)
    return [one_class(population, delay, demands) if population else (0.0, 0.0)]


def one_class(population: int, delay: float, demands: Sequence[float]) -> Interval:
    """Lowest and highest throughput of a single class. [1/s]"""
    others = population - 1
    total, squares, largest = 0.0, 0.0, 0.0
    for demand in demands:
        total += demand
        squares += demand * demand
        if demand > largest:  # noqa: PLR1730 - called on every solution; max() takes longer
            largest = demand
    alone = delay + total
    if others < 1 or not largest:
        return population / alone, population / alone
    pace = others / (alone + largest * others)
    most = min(1.0 / largest, (others - 1) / alone)
    highest = min(1.0 / largest, others / (alone + squares / total * (others - 1 - delay * most)))
    few = many = 0.0
    for demand in demands:
        if 0.0 < demand < largest:
            spare = largest - demand
            low, high = demand * pace, demand * highest
            if high > _NEAR_ONE:
                few += spare * _least(low, others)
                many += spare * others
            else:
                few += spare * low * (1.0 - low**others) / (1.0 - low)
                many += spare * high * (1.0 - high**others) / (1.0 - high)
    low = alone + largest * others - few
    high = alone + largest * others - many
    thinking = 4.0 * delay * largest
    lower = 2.0 * population / (low + sqrt(low * low - thinking * others))
    room = high * high - thinking * population
    if room < 0.0 or high <= 0.0:
        return lower, 1.0 / largest
    return lower, 2.0 * population / (high + sqrt(room))


def _least(ratio: float, n: int) -> float:
    """A lower bound of ratio + ... + ratio^n, close to it wherever rounding allows."""
    power: float = ratio**n
    return n * power if ratio > _NEAR_ONE else ratio * (1.0 - power) / (1.0 - ratio)


KIND = Kind("geometric", find, why_not)
