"""Balanced-job bounds: single-server and delay stations, one class or several.

One class [1, 2], with K stations of total demand D, the largest Dmax, the mean Dmean = D / K:

    X >= N / (Z + D + (N - 1) Dmax / (1 + Z / (N D)))
    X <= N / (Z + D + (N - 1) Dmean / (1 + Z / D)),  and never above 1 / Dmax.

Several classes: an arrival finds at most all N - 1 others, queued where its own demand is largest,
X_c >= N_c / (Z_c + D_c + (N - 1) Dmax_c); and no class gets of a station more than the lower
bounds of the others leave, X_c <= (1 - sum of the others' X D) / D_c. This is the composite bound
of [3] in its simplest form.

References
----------
.. [1] J. Zahorjan, K. C. Sevcik, D. L. Eager and B. Galler, "Balanced job bound analysis of
   queueing networks," Communications of the ACM 25(2), 1982, pp. 134-141.
.. [2] E. D. Lazowska, J. Zahorjan, G. S. Graham and K. C. Sevcik, "Quantitative System
   Performance," Prentice-Hall, 1984, ch. 5.4, with think time.
.. [3] T. Kerola, "The composite bound method for computing throughput bounds in multiple class
   environments," Performance Evaluation 6(1), 1986, pp. 1-9.
"""

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
