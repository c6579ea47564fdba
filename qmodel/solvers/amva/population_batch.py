"""Closed networks as arrays, many at once, and their solutions: the data of `fixed_point`.

Arrays are [class, station, problem]: problems are the populations N and N less one customer of
each class, of one network or of ten thousand. Original: a data structure.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from qmodel.numerics.arrays import Array, Flags
from qmodel.solvers.amva.multiserver.law import Law


@dataclass(frozen=True, eq=False)
class Problems:
    """Closed networks as arrays: C classes, K stations where customers queue, B problems."""

    #: A class may be empty, shape (C, B). [customers, s]
    population: Array
    delay: Array
    #: At the full speed of a station, shape (C, K, B). [s]
    demand: Array
    #: The w and v of the text above, numbers or arrays that broadcast to (C, K, B).
    weight: Any
    own: Any
    #: Stations whose speed varies, the law for each, and its relative rates, (M, B) or (M, 1).
    varying: tuple[tuple[int, Law, Array], ...] = ()

    def some(self, chosen: Flags) -> Self:
        """Some of the problems."""
        return replace(
            self, population=self.population[:, chosen], delay=self.delay[:, chosen],
            demand=self.demand[:, :, chosen], weight=_some(self.weight, chosen),
            own=_some(self.own, chosen),
            varying=tuple((k, law, _some(rates, chosen)) for k, law, rates in self.varying),
        )  # fmt: skip


class Solutions(NamedTuple):
    """Solutions of all problems, and how well they are known."""

    #: (C, B) [1/s], (C, K, B) [s]
    throughput: Array
    residence: Array
    evaluations: int
    #: Estimated largest relative error of a queue length, and what it had to be below, (B,).
    error: Array
    enough: Array
    #: How far the busiest station would have been beyond its capacity, (B,); None if not looked at.
    beyond: Array | None = None


class State(NamedTuple):
    """Unknowns: throughputs (C, B), queue lengths (K, B), loads of the varying stations (J, B)."""

    throughput: Array
    queue: Array
    load: Array


def entry(values: Any, k: int) -> Any:
    """The values of one station, of an array that broadcasts to (C, K, B)."""
    if isinstance(values, float):
        return values
    return values[:, k if values.shape[1] > 1 else 0]


def _some(values: Any, chosen: Flags) -> Any:
    """Values of some problems, of an array that broadcasts to all of them."""
    shape = getattr(values, "shape", ())
    return values[..., chosen] if shape and shape[-1] == len(chosen) else values


def within_bounds(problems: Problems, solutions: Solutions) -> Solutions:
    """The solutions, those beyond a bound moved to it.

    A residence time is at least the service time at a customer's best share of the station's
    speed, which is that of one customer alone unless speeds grow more than in proportion. Where a
    station would exceed its capacity, by one part in ten thousand perhaps, the classes that visit
    it are slowed down by as much, and wait there.
    """
    d = problems.demand
    least = d.copy()
    for k, _, rates in problems.varying:
        each = rates / np.arange(1.0, len(rates) + 1.0)[:, None]  # of n customers there
        least[:, k] *= rates[-1] / each.max(axis=0)
    times = np.maximum(solutions.residence, least)
    x = problems.population / (problems.delay + times.sum(axis=1))
    busy = np.where(d > 0.0, (x[:, None] * d).sum(axis=0), 0.0)
    station = busy.argmax(axis=1)
    slower = np.maximum(busy.max(axis=1), 1.0)
    some = np.where(x > 0.0, x, 1.0)
    wait = problems.population / some * (slower - 1.0)  # 0 of an empty class
    np.put_along_axis(
        times, station[:, None],
        np.take_along_axis(times, station[:, None], axis=1) + wait[:, None], axis=1,
    )  # fmt: skip
    beyond = slower.max(axis=0) - 1.0
    return solutions._replace(throughput=x / slower, residence=times, beyond=beyond)
