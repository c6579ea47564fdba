"""How long each class waits outside a limit, from the wait of all of them as one.

A customer does not wait for itself, which matters to a class of few: as in Schweitzer's
approximation [1]_ its arrivals see 1/n less of their own class. And a class that comes back at
once comes most often while few wait: how often it comes is an average over the numbers present,
each of which it meets for as long as it stays the same, so that its wait is a harmonic mean. The
longer a class is away, the nearer that is to the mean wait; the lump itself has the mean.

References
----------
.. [1] P. Schweitzer, "Approximate analysis of multiclass closed networks of queues," Proc.
   International Conference on Stochastic Control and Optimization, Amsterdam, 1979, pp. 25-29.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Halvings of an interval, which leave nothing of it.
HALVINGS = 55

Times = Sequence[Sequence[float]]


class Outside(NamedTuple):
    """What all classes as one find at the limit."""

    #: Mean wait. [s]
    wait: float
    #: Of 0, 1 ... customers there, inside or waiting, an array. [1]
    chances: Array
    #: Most that are inside, and the throughput with so many there. [customers], [1/s]
    most: int
    speed: float


def waits_outside(
    network: Network, rates: Sequence[float], residence: Times, outside: Outside
) -> list[float]:
    """Wait of each class, given throughputs and residence times so far. [s]"""
    (limit,), names = network.limits, network.station_names
    away = names.index(limit.name)
    there = [*(names.index(name) for name in limit.stations), away]
    held = [x * sum(row[k] for k in there) for x, row in zip(rates, residence, strict=True)]
    sizes = _populations(network)
    seen = sum(held) * (1.0 - 1.0 / sum(sizes))
    elsewhere = [
        z + sum(r for k, r in enumerate(row) if k != away)
        for z, row in zip(network.think_time, residence, strict=True)
    ]
    usual = _harmonic(outside, _mean(elsewhere, rates))
    waits = []
    for own, n, time in zip(held, sizes, elsewhere, strict=True):
        others = (sum(held) - own / n) / seen if n and seen else 0.0
        often = _harmonic(outside, time) / usual if usual else 1.0
        waits.append(outside.wait * max(0.0, others) * often)
    return waits


def fitting_times(
    network: Network, free: Times, left: Sequence[float], waits: Sequence[float]
) -> list[list[float]]:
    """Residence times with which no more are inside than the limit and the servers allow. [s]

    Parameters
    ----------
    network : Network
        With the limit.
    free : sequence of sequence of float, shape (C, K)
        Residence times without it. [s]
    left : sequence of float, shape (K,)
        What the limit leaves of the queueing at each station. [1]
    waits : sequence of float, shape (C,)
        Waits outside. [s]
    """
    import numpy as np

    (limit,), names = network.limits, network.station_names
    away = names.index(limit.name)
    inside = [names.index(name) for name in limit.stations]
    busy = [k for k in inside if not isinstance(network.stations[k], DelayStation)]
    capacity = np.array([getattr(network.stations[k], "capacity", 1.0) for k in busy])
    population = np.array(_populations(network), float)
    think, demand = np.array(network.think_time), np.array(network.demand)
    queueing = (np.insert(np.array(free), away, 0.0, axis=1) - demand) * np.insert(left, away, 0.0)
    queueing[:, away] = 0.0
    wait = np.zeros_like(demand)
    wait[:, away] = waits
    there = (population > 0.0)[:, None]
    outside = np.zeros_like(demand)
    outside[:, away] = 1.0

    def rows_of(share: float, longer: float) -> Array:
        found: Array = there * (demand + queueing * share + wait + outside * longer)
        return found

    def rates_of(rows: Array) -> Array:
        found: Array = population / np.maximum(think + rows.sum(axis=1), 1e-300)
        return found

    def crowded(share: float, longer: float) -> bool:
        rows = rows_of(share, longer)
        return bool((rates_of(rows) @ rows[:, inside]).sum() > limit.customers)

    def overloaded(share: float, longer: float) -> bool:
        used = rates_of(rows_of(share, longer)) @ demand[:, busy]
        return bool((used > capacity).any())

    share, longer = 1.0, 0.0
    if crowded(share, 0.0):  # fewer inside queue the less
        share = 0.0 if crowded(0.0, 0.0) else 1.0 - _least(lambda x: not crowded(1.0 - x, 0.0), 1.0)
    if crowded(share, 0.0) or overloaded(share, 0.0):  # and wait outside the longer
        longer = _least(
            lambda x: not (crowded(share, x) or overloaded(share, x)), max(*waits, *map(sum, free))
        )
    rows = rows_of(share, longer)
    _slowed(rows, rates_of(rows), network, inside)
    times: list[list[float]] = rows.tolist()
    return times


def _slowed(rows: Array, rates: Array, network: Network, inside: Sequence[int]) -> None:
    """Let each class wait where stations outside the limit would do more than they can."""
    import numpy as np

    for k, station in enumerate(network.stations):
        if k in inside or isinstance(station, DelayStation):
            continue
        demand = np.array([row[k] for row in network.demand])
        over = float(rates @ demand) / station.max_rate
        if over > 1.0:
            here = (demand > 0.0) & (rates > 0.0)
            around = np.array(_populations(network)) / np.where(rates > 0.0, rates, 1.0)
            rows[:, k] += np.where(here, around * (over - 1.0), 0.0)
            rates[here] /= over


def class_rates(network: Network, residence: Times) -> tuple[float, ...]:
    """Throughputs by Little's law. [1/s]"""
    found = []
    for n, think, row in zip(_populations(network), network.think_time, residence, strict=True):
        found.append(n / (think + sum(row)) if n else 0.0)
    return tuple(found)


def _least(holds: Callable[[float], bool], guess: float) -> float:
    """The least number for which something holds that holds for all larger ones."""
    low, high = 0.0, guess
    while not holds(high):
        low, high = high, 2.0 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _harmonic(outside: Outside, elsewhere: float) -> float:
    """Wait of a class that is elsewhere for so long, as often as it comes. [s]"""
    import numpy as np

    waiting = np.arange(len(outside.chances) - outside.most)
    away = elsewhere + waiting / outside.speed
    few = float(outside.chances[: outside.most + 1].sum())
    if not elsewhere:
        return 0.0
    often = few / elsewhere + float(outside.chances[outside.most + 1 :] @ (1.0 / away[1:]))
    return float(max(0.0, 1.0 / often - elsewhere))


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


def _populations(network: Network) -> list[int]:
    """Customers of each class."""
    return [c.population if isinstance(c, ClosedClass) else 0 for c in network.classes]
