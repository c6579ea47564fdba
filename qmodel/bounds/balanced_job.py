"""Balanced-job bounds: single-server and delay stations, one class or several; see THEORY.md."""

from collections.abc import Sequence

from qmodel.bounds.asymptotic import Interval, Kind, delays_and_demands
from qmodel.model.closed_network import not_single_server
from qmodel.model.network import Network


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the bound holds."""
    return not_single_server(network)


def find(network: Network) -> list[Interval]:
    """Lowest and highest throughput of each class."""
    population, delays, queued = delays_and_demands(network)
    if len(population) == 1:
        return [one_class(population[0], delays[0], queued[0])]
    return several_classes(population, delays, queued)


def one_class(population: int, delay: float, demands: Sequence[float]) -> Interval:
    """Lowest and highest throughput of a single class. [1/s]"""
    if not population:
        return 0.0, 0.0
    total, largest, stations = 0.0, 0.0, 0
    for demand in demands:
        if demand:
            total += demand
            stations += 1
            if demand > largest:  # noqa: PLR1730 - called on every solution; max() takes longer
                largest = demand
    if not stations:
        return population / delay, population / delay
    others = population - 1
    crowded = others * largest / (1.0 + delay / (population * total))
    balanced = others * (total / stations) / (1.0 + delay / total)
    return (
        population / (delay + total + crowded),
        min(1.0 / largest, population / (delay + total + balanced)),
    )


def several_classes(
    population: Sequence[int], delays: list[float], queued: Sequence[Sequence[float]]
) -> list[Interval]:
    """Lowest and highest throughput of each of several classes. [1/s]"""
    others = -1
    for n in population:
        others += n
    lower, upper = [], []
    for c, demands in enumerate(queued):
        n, alone, largest = population[c], delays[c], 0.0
        for demand in demands:
            alone += demand
            if demand > largest:  # noqa: PLR1730 - called on every solution; max() takes longer
                largest = demand
        lower.append(n / (alone + others * largest) if n else 0.0)
        upper.append(n / alone)
    for column in zip(*queued, strict=True):
        load = 0.0
        for c, demand in enumerate(column):
            load += lower[c] * demand
        # All lower bounds hold together, so only rounding makes the load more than 1.
        spare = 1.0 - load if load < 1.0 else 0.0
        for c, demand in enumerate(column):
            if demand and population[c] and lower[c] + spare / demand < upper[c]:
                upper[c] = lower[c] + spare / demand
    return list(zip(lower, upper, strict=True))


KIND = Kind("balanced_job", find, why_not)
