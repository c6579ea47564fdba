"""Closed networks that serve in order or fork, too large for a Markov chain, simulated."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log2
from typing import NamedTuple
from zlib import crc32

from benchmarks.accuracy.by_simulation import simulated
from benchmarks.accuracy.family import Family, Truth, by_name
from qmodel import ClosedClass, DelayStation, ForkJoinStation, Network, QueueingStation, solve

MEASURES = "R", "X"


def fork_networks(seed: int) -> Iterator[Network]:
    """Forks of 2 to 8 branches that are busy 30 to 95 % of the time, one class of 5 to 60."""
    rng = random.Random(seed)
    while True:
        population = rng.choice([5, 10, 20, 40, 60])
        stations = [
            ForkJoinStation("fork", rng.choice([2, 2, 3, 4, 6, 8])),
            QueueingStation("cpu"),
            DelayStation("lan"),
        ]
        demand = [[0.1, 0.1 * rng.uniform(0.2, 0.9), 0.05]]
        # About as many think as makes the fork so busy: an open fork's response time by Varma and
        # Makowski, for eight branches at most 2.72 at no load and 2.09 at full load.
        busy = rng.choice([0.3, 0.5, 0.7, 0.8, 0.9, 0.9])
        rate = busy / demand[0][0]
        join = 1.0 + 0.7 * log2(stations[0].branches) * (1.0 - 0.3 * busy)
        stay = 0.1 * join / (1.0 - busy) + demand[0][1] / (1.0 - rate * demand[0][1]) + 0.05
        think = population / rate - stay
        if think > 0.0:
            yield Network(stations, [ClosedClass("jobs", population, think)], demand)


class _Visits(NamedTuple):
    """Classes at a fork: customers, times of a part, utilizations; others ahead, and by joins."""

    sizes: list[int]
    times: list[float]
    work: list[float]
    branches: int
    ahead: float
    join: float

    def away(self, c: int) -> float:
        """About how long a customer is elsewhere if the fork is so busy, from an open one. [s]"""
        time = self.times[c]
        return self.sizes[c] * time / self.work[c] - (self.ahead + time) * self.join


def _visits(rng: random.Random, branches: Sequence[int]) -> _Visits:
    """Two or three classes whose times differ up to tenfold."""
    count = rng.choice([2, 2, 3])
    sizes = [rng.choice([2, 4, 8, 16]) for _ in range(count)]
    chosen = rng.choice(branches)
    busy = rng.choice([0.3, 0.5, 0.7, 0.8, 0.9])
    times = [10 ** rng.uniform(-1.5, -0.5) for _ in range(count)]
    parts = [rng.uniform(0.2, 1.0) for _ in range(count)]
    work = [busy * part / sum(parts) for part in parts]
    join = 1.0 + 0.7 * log2(chosen) * (1.0 - 0.3 * busy)
    ahead = sum(u * s for u, s in zip(work, times, strict=True)) / (1.0 - busy)
    return _Visits(sizes, times, work, chosen, ahead, join)


def fork_class_networks(seed: int) -> Iterator[Network]:
    """Forks of 2 to 8 branches, a processor and a delay."""
    rng = random.Random(seed)
    while True:
        visits = _visits(rng, [2, 2, 3, 4, 8])
        classes, demand = [], []
        for c, (n, s) in enumerate(zip(visits.sizes, visits.times, strict=True)):
            cpu = rng.uniform(0.2, 0.6) * s
            classes.append(ClosedClass(f"c{c}", n, max(visits.away(c) - 2.0 * cpu - 0.05, 0.0)))
            demand.append([s, cpu, 0.05])
        if all(c.think_time for c in classes):
            stations = [
                ForkJoinStation("fork", visits.branches),
                QueueingStation("cpu"),
                DelayStation("lan"),
            ]
            yield Network(stations, classes, demand)


def lone_fork_networks(seed: int) -> Iterator[Network]:
    """Forks of 3 to 8 branches with nothing but think times around them."""
    rng = random.Random(seed)
    while True:
        visits = _visits(rng, [3, 4, 8])
        classes = [
            ClosedClass(f"c{c}", n, max(visits.away(c), 0.0)) for c, n in enumerate(visits.sizes)
        ]
        if all(c.think_time for c in classes):
            fork = ForkJoinStation("fork", visits.branches)
            yield Network([fork], classes, [[s] for s in visits.times])


def equal_fork_networks(seed: int) -> Iterator[Network]:
    """Forks of 2 to 8 branches at which all classes take a tenth of a second."""
    rng = random.Random(seed)
    while True:
        visits = _visits(rng, [2, 3, 4, 8])
        busy = sum(visits.work)
        ahead = busy * 0.1 / (1.0 - busy)
        visits = visits._replace(times=[0.1] * len(visits.times), ahead=ahead)
        classes = [
            ClosedClass(f"c{c}", n, max(visits.away(c), 0.0)) for c, n in enumerate(visits.sizes)
        ]
        if all(c.think_time for c in classes):
            fork = ForkJoinStation("fork", visits.branches)
            yield Network([fork], classes, [[0.1]] * len(classes))


def ordered_networks(seed: int) -> Iterator[Network]:
    """Two or three classes of 10 to 60 customers in all, by each discipline in turn."""
    rng = random.Random(seed)
    while True:
        for discipline in ("fcfs", "priority", "preemptive"):
            count = rng.choice([2, 2, 3])
            classes = [
                ClosedClass(f"c{c}", rng.randint(5, 60 // count), rng.uniform(2.0, 20.0), c)
                for c in range(count)
            ]
            stations = [
                QueueingStation("cpu", rng.choice([1, 1, 2, 4]), discipline),
                QueueingStation("disk", 1, "fcfs"),
                DelayStation("lan"),
            ]
            busy = rng.uniform(0.5, 0.95)
            demand = []
            for c in classes:
                rate = c.population / c.think_time
                demand.append(
                    [
                        busy * stations[0].servers / count / rate * rng.uniform(0.6, 1.4),
                        0.7 / count / rate,
                        0.1,
                    ]
                )
            # At the disk all classes take equal times: only the processor breaks product form.
            demand = [[row[0], demand[0][1], row[2]] for row in demand]
            scv = [[rng.choice([0.25, 1.0, 2.0, 4.0, 8.0]), 1.0, 1.0] for _ in classes]
            network = Network(stations, classes, demand, scv=scv)
            if network.product_form_violation():
                yield network


def _fork_reference(network: Network) -> Truth:
    """Four times as long where queues are long and forget slowly."""
    busy = solve(network, "marie").station_utilizations[0] > 0.75
    return simulated(network, _seed(network), 400_000 if busy else 100_000, *MEASURES)


def _fork_classes_reference(network: Network) -> Truth:
    return simulated(network, _seed(network), 300_000, *MEASURES)


def _ordered_reference(network: Network) -> Truth:
    return simulated(network, _seed(network), 200_000, *MEASURES)


def _seed(network: Network) -> int:
    """Different random numbers for different networks, so that their errors do not add up."""
    return crc32(repr(network).encode())


FORK = Family(
    name="fork-join-simulated",
    about="closed, one class of 5 to 60, a fork of 2 to 8 branches 30 to 95 % busy, a processor, a "
    "delay",
    seed=31,
    networks=fork_networks,
    count=24,
    reference=_fork_reference,
    truth="simulation",
    methods=by_name("marie", "extended-amva"),
    keep=True,
    sample=3,
)
FORK_CLASSES = Family(
    name="fork-join-classes-simulated",
    about="closed, 2 or 3 classes of 4 to 48 in all whose times differ up to tenfold, a fork of 2 "
    "to 8 branches up to 90 % busy, a processor, a delay",
    seed=33,
    networks=fork_class_networks,
    count=24,
    reference=_fork_classes_reference,
    truth="simulation",
    methods=by_name("marie", "extended-amva"),
    keep=True,
    sample=3,
)
LONE_FORK = replace(
    FORK_CLASSES,
    name="fork-join-classes-alone",
    about="closed, 2 or 3 classes of 4 to 40 in all whose times differ up to tenfold, a fork of 3 "
    "to 8 branches 30 to 90 % busy and nothing else",
    seed=7,
    networks=lone_fork_networks,
    slow=(10, 12),
)
LONE_FORK_AGAIN = replace(
    LONE_FORK,
    name="fork-join-classes-again",
    about="the same of another seed, with the simulations of which the truncation correction was "
    "made",
    seed=207,
    slow=(0, 1, 2),
)
LONE_FORK_UNSEEN = replace(
    LONE_FORK,
    name="fork-join-classes-unseen",
    about="the same of a third seed, by which nothing was chosen but how many states are afforded",
    seed=407,
    count=48,
    slow=(0, 1, 2, 10, 46),
)
EQUAL_FORK = replace(
    LONE_FORK,
    name="fork-join-classes-equal",
    about="closed, 2 or 3 classes of 4 to 40 in all that take equal times and think for times of "
    "their own, a fork of 2 to 8 branches 30 to 90 % busy and nothing else",
    seed=507,
    networks=equal_fork_networks,
    slow=(12,),
)
ORDERED = Family(
    name="ordered-simulated",
    about="closed, 2 or 3 classes of 10 to 60 in all, FCFS, priority or preemptive with SCV 0.25 "
    "to 8 at 1 to 4 processors, 50 to 95 % busy, a disk, a delay",
    seed=32,
    networks=ordered_networks,
    count=30,
    reference=_ordered_reference,
    truth="simulation",
    methods=by_name("marie", "extended-amva"),
    keep=True,
    sample=3,
)
