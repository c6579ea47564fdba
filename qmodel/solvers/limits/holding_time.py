"""How much the time varies for which a place of a pool is held.

Original. Theory: `qmodel/solvers/THEORY.md`, limits/holding_time.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np

from qmodel.model.network import Network
from qmodel.model.visit_routing import places_of
from qmodel.numerics.arrays import Array


class Way(NamedTuple):
    """The places of a class, and how often each transition is made in an interaction."""

    #: Station of each place; the last place is outside, K.
    stations: tuple[int, ...]
    #: Transition probabilities, and mean numbers of visits to each place.
    probability: Array
    visits: Array
    #: Position of the class.
    c: int

    @classmethod
    def of(cls, network: Network, c: int) -> Self:
        """The way of a class through a network."""
        there, ways = places_of(network, c)
        size = len(ways)
        probability = np.zeros((size, size))
        for p, leading in enumerate(ways):
            for q, chance in leading:
                probability[p, q] += chance
        inner = probability[:-1, :-1]
        visits = np.linalg.solve((np.eye(size - 1) - inner).T, probability[-1, :-1])
        return cls((*there, len(network.stations)), probability, np.append(visits, 1.0), c)

    def visits_at(self, k: int) -> float:
        """Mean number of visits to a station."""
        return float(self.visits[np.array(self.stations) == k].sum())

    def entries(self, stations: Iterable[int]) -> Array:
        """Mean numbers of entries to each place among these stations from one that is not."""
        inside = np.isin(self.stations, [*stations])
        return np.asarray((self.visits * ~inside) @ self.probability * inside)

    def comes_back(self, stations: Iterable[int]) -> bool:
        """Whether one who has left these stations may come back in the same interaction."""
        inside = np.isin(self.stations, [*stations])
        left = (self.visits * inside) @ self.probability * ~inside
        left[-1] = 0.0
        seen = left > 0.0
        for _ in self.stations:
            seen |= ((seen * 1.0) @ self.probability > 0.0) & ~inside
            seen[-1] = False
        return bool((((seen * 1.0) @ self.probability > 0.0) & inside).any())

    def ends_with(self, stations: Iterable[int]) -> bool:
        """Whether one who has left these stations has nothing more to do in the interaction."""
        inside = np.isin(self.stations, [*stations])
        left = (self.visits * inside) @ self.probability * ~inside
        return not left[:-1].any()


def holding_scv(
    way: Way, stations: Sequence[int], times: Mapping[int, float],
    waits: Sequence[tuple[Sequence[int], float, float]],
) -> float:  # fmt: skip
    """SCV of a stay among some stations, by position.

    ``times`` are the mean times of a visit to each [s]; ``waits`` are, of each pool inside, the
    stations it holds, the mean wait [s] and its SCV.
    """
    inside = np.isin(way.stations, stations)
    mean = np.array([times.get(k, 0.0) for k in way.stations]) * inside
    size = len(mean)
    wait, variance = np.zeros((size, size)), np.zeros((size, size))
    for held, time, scv in waits:
        there = np.isin(way.stations, held)
        enters = np.outer(~there, there)
        wait += enters * time
        variance += enters * scv * time * time
    steps = way.probability * np.outer(inside, inside)
    left = np.eye(size) - steps
    first = np.linalg.solve(left, mean + (steps * wait).sum(axis=1))
    second = np.linalg.solve(
        left,
        2.0 * mean * mean
        + 2.0 * mean * (first - mean)
        + (steps * (variance + wait * wait + 2.0 * wait * first)).sum(axis=1),
    )
    entries = way.entries(stations)
    share = entries / entries.sum()
    before, spread = (
        (way.visits * ~inside)[:, None] * way.probability * x for x in (wait, variance)
    )
    total = entries.sum()
    start, more = (x.sum(axis=0) / np.where(entries > 0.0, entries, 1.0) for x in (before, spread))
    one = float(share @ (start + first))
    two = float(share @ (more + start * start + 2.0 * start * first + second)) if total else 0.0
    return max(0.0, two / (one * one) - 1.0) if one else 1.0
