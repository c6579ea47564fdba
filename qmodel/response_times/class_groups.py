"""Aggregation of closed classes that have too many populations apart.

Classes whose customers divide their time most alike between the stations are taken as one class
with as many customers, each in proportion to its throughput. Original.
"""

from collections.abc import Sequence
from itertools import combinations
from math import prod

from qmodel.model.network import Network
from qmodel.model.solution import Solution, total

#: Populations of the closed classes times stations beyond which classes are aggregated. Of 60
#: random networks 30 000 took up to 25 s where 600 takes 0.3 s, with the same errors.
MOST = 600
#: The same where the classes apart are exact: all stations first come, first served.
MOST_EXACT = 30_000
#: Beyond so many, for all classes as one, it takes too long.
TOO_MANY = 300_000


def class_groups(
    solution: Solution, others: Sequence[int], flows: Sequence[float], most: float
) -> tuple[tuple[int, ...], ...]:
    """Groups of closed classes with few enough populations; always at least one group."""
    network = solution.network
    groups: list[tuple[int, ...]] = [(i,) for i, n in enumerate(others) if n]
    if not groups:
        return ((),)

    def populations(group: tuple[int, ...]) -> int:
        return 1 + sum(others[i] for i in group)

    def places(group: tuple[int, ...]) -> list[float]:
        """Parts of the customers' time at the terminals and the stations."""
        rows = [
            [flows[i] * network.think_time[i], *(flows[i] * r for r in solution.residence_times[i])]
            for i in group
        ]
        totals = [total(column) for column in zip(*rows, strict=True)]
        return [t / (total(totals) or 1.0) for t in totals]

    while len(groups) > 1 and prod(map(populations, groups)) * len(network.stations) > most:
        _, a, b = min(
            (total(abs(x - y) for x, y in zip(places(a), places(b), strict=True)), a, b)
            for a, b in combinations(groups, 2)
        )
        groups = [g for g in groups if g not in (a, b)] + [a + b]
    return tuple(groups)


def load_shares(
    network: Network, k: int, groups: Sequence[Sequence[int]], flows: Sequence[float]
) -> tuple[float, ...]:
    """Share of each group in the load of the closed classes at a station."""
    loads = [total(flows[i] * network.demand[i][k] for i in group) for group in groups]
    whole = total(loads)
    return tuple(load / whole if whole else 0.0 for load in loads)
