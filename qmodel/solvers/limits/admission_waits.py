"""The waiting time of each class for admission, from that of all classes as one.

Schweitzer (1979); the factors between classes are original.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, limits/admission_waits.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from qmodel.model.network import Network
from qmodel.model.stations import DelayStation
from qmodel.numerics.arrays import Array

#: Halvings of an interval, which leave nothing of it.
HALVINGS = 55

Times = Sequence[Sequence[float]]


class AdmissionQueue(NamedTuple):
    """The customers at the limit, all classes as one."""

    #: Mean wait. [s]
    wait: float
    #: Of 0, 1 ... customers inside or waiting, an array. [1]
    probabilities: Array
    #: Most customers inside, and the throughput with so many. [customers], [1/s]
    most: int
    speed: float


def admission_waits(
    network: Network, rates: Sequence[float], residence: Times, queue: AdmissionQueue
) -> list[float]:
    """Wait of each class, given throughputs and residence times so far. [s]"""
    (limit,), names = network.limits, network.station_names
    away = names.index(limit.name)
    region = [*(names.index(name) for name in limit.stations), away]
    held = [x * sum(row[k] for k in region) for x, row in zip(rates, residence, strict=True)]
    sizes = network.populations
    seen = sum(held) * (1.0 - 1.0 / sum(sizes))
    elsewhere = [
        z + sum(r for k, r in enumerate(row) if k != away)
        for z, row in zip(network.think_time, residence, strict=True)
    ]
    apart = sum(v * w for v, w in zip(elsewhere, rates, strict=True)) / sum(rates)
    usual = _harmonic(queue, apart)
    waits = []
    for own, n, time in zip(held, sizes, elsewhere, strict=True):
        others = (sum(held) - own / n) / seen if n and seen else 0.0
        ratio = _harmonic(queue, time) / usual if usual else 1.0
        waits.append(queue.wait * max(0.0, others) * ratio)
    return waits


def fitting_times(
    network: Network, free: Times, left: Sequence[float], waits: Sequence[float]
) -> list[list[float]]:
    """Residence times with which no more are inside than the limit and the servers allow. [s]

    ``free`` are the residence times without the limit, shape (C, K) [s], ``left`` the queueing time
    at each station with the limit over that without it, ``waits`` those of each class for admission
    [s].
    """
    (limit,), names = network.limits, network.station_names
    away = names.index(limit.name)
    inside = [names.index(name) for name in limit.stations]
    busy = [k for k in inside if not isinstance(network.stations[k], DelayStation)]
    capacity = np.array([getattr(network.stations[k], "max_rate", 1.0) for k in busy])
    population = np.array(network.populations, float)
    think, demand = np.array(network.think_time), np.array(network.demand)
    queueing = (np.insert(np.array(free), away, 0.0, axis=1) - demand) * np.insert(left, away, 0.0)
    queueing[:, away] = 0.0
    wait = np.zeros_like(demand)
    wait[:, away] = waits
    present = (population > 0.0)[:, None]
    outside = np.zeros_like(demand)
    outside[:, away] = 1.0

    def rows_of(share: float, longer: float) -> Array:
        return np.asarray(present * (demand + queueing * share + wait + outside * longer))

    def rates_of(rows: Array) -> Array:
        return np.asarray(population / np.maximum(think + rows.sum(axis=1), 1e-300))

    def crowded(share: float, longer: float) -> bool:
        rows = rows_of(share, longer)
        return bool((rates_of(rows) @ rows[:, inside]).sum() > limit.customers)

    def overloaded(share: float, longer: float) -> bool:
        used = rates_of(rows_of(share, longer)) @ demand[:, busy]
        return bool((used > capacity).any())

    share, longer = 1.0, 0.0
    if crowded(share, 0.0):  # with fewer inside, queues are shorter
        share = 0.0 if crowded(0.0, 0.0) else 1.0 - _least(lambda x: not crowded(1.0 - x, 0.0), 1.0)
    if crowded(share, 0.0) or overloaded(share, 0.0):  # and the waits for admission longer
        longer = _least(
            lambda x: not (crowded(share, x) or overloaded(share, x)), max(*waits, *map(sum, free))
        )
    rows = rows_of(share, longer)
    _slowed(rows, rates_of(rows), network, inside)
    times: list[list[float]] = rows.tolist()
    return times


def _slowed(rows: Array, rates: Array, network: Network, inside: Sequence[int]) -> None:
    """Let each class wait longer where stations outside the limit would be overloaded."""
    for k, station in enumerate(network.stations):
        if k in inside or isinstance(station, DelayStation):
            continue
        demand = np.array([row[k] for row in network.demand])
        over = float(rates @ demand) / station.max_rate
        if over > 1.0:
            visiting = (demand > 0.0) & (rates > 0.0)
            cycle = np.array(network.populations) / np.where(rates > 0.0, rates, 1.0)
            rows[:, k] += np.where(visiting, cycle * (over - 1.0), 0.0)
            rates[visiting] /= over


def class_rates(network: Network, residence: Times) -> tuple[float, ...]:
    """Throughputs by Little's law. [1/s]"""
    rows = zip(network.populations, network.think_time, residence, strict=True)
    return tuple(n / (think + sum(row)) if n else 0.0 for n, think, row in rows)


def _least(holds: Callable[[float], bool], guess: float) -> float:
    """The least number for which a condition holds, which then holds for all larger ones."""
    low, high = 0.0, guess
    while not holds(high):
        low, high = high, 2.0 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _harmonic(queue: AdmissionQueue, elsewhere: float) -> float:
    """The harmonic mean wait of a class that is elsewhere for so long. [s]"""
    waiting = np.arange(len(queue.probabilities) - queue.most)
    cycle = elsewhere + waiting / queue.speed
    free = float(queue.probabilities[: queue.most + 1].sum())
    if not elsewhere:
        return 0.0
    rate = free / elsewhere + float(queue.probabilities[queue.most + 1 :] @ (1.0 / cycle[1:]))
    return float(max(0.0, 1.0 / rate - elsewhere))
