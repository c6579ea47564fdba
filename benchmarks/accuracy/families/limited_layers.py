"""Two classes, one of them perhaps open, whose threads hold connections: simulated."""

from __future__ import annotations

import random
from collections.abc import Iterator
from zlib import crc32

from benchmarks.accuracy.by_simulation import simulated
from benchmarks.accuracy.family import Family, Truth, by_name
from qmodel import ClosedClass, Network, OpenClass, PopulationLimit, QueueingStation, methods_for


def networks(seed: int) -> Iterator[Network]:
    """Users and a batch of other demands and calls; every fifth inner limit counts users alone."""
    rng = random.Random(seed)
    while True:
        calls = [rng.choice([1, 2, 2, 3, 5]) for _ in range(2)]
        names, cores = ["app", "db", "disk"], [rng.choice([2, 4, 8]), rng.choice([1, 2, 4]), 1]
        stations = [QueueingStation(n, m) for n, m in zip(names, cores, strict=True)]
        base = [m * 10 ** rng.uniform(-2.0, -1.3) for m in cores]
        demand = [[d * 10 ** rng.uniform(-0.4, 0.4) for d in base] for _ in range(2)]
        share, load = rng.uniform(0.25, 0.75), rng.choice([0.5, 0.8, 0.9, 1.0, 1.2])
        mix = [share * a + (1.0 - share) * b for a, b in zip(*demand, strict=True)]
        rate = min(m / d for m, d in zip(cores, mix, strict=True))
        threads = rng.choice([2, 4, 8, 16, 32])
        connections = rng.choice([n for n in (1, 2, 3, 4, 8, 16) if n < threads])
        users, others = (rng.choice([5, 10, 20, 40, 60]) for _ in range(2))
        classes = [
            ClosedClass("users", users, users / (share * load * rate)),
            OpenClass("batch", (1.0 - share) * min(load, 0.7) * 0.7 * rate)
            if rng.random() < 0.3
            else ClosedClass("batch", others, others / ((1.0 - share) * load * rate)),
        ]
        counted = ["users"] if rng.random() < 0.2 else None
        limits = [
            PopulationLimit("threads", threads, names, held="visit"),
            PopulationLimit("connections", connections, names[1:], counted, held="visit"),
        ]
        if rng.random() < 0.25:
            limits.append(
                PopulationLimit("locks", rng.randint(1, connections), ["disk"], held="visit")
            )
        fixed = rng.random() < 0.5
        both = zip(("users", "batch"), calls, strict=True)
        network = Network(
            stations,
            classes,
            demand,
            visit_ratio=[[n + 1.0, n, n] for n in calls],
            limits=limits,
            routes={name: [*names * n, "app"] for name, n in both} if fixed else (),
        )
        if methods_for(network, "limited-layers")["limited-layers"] is None:
            yield network


def _reference(network: Network) -> Truth:
    return simulated(network, crc32(repr(network).encode()), 200_000, "R", "X")


FAMILY = Family(
    name="limited-layers",
    about="2 classes, the second open in 3 of 10, each with 1 to 5 calls, a random number or a "
    "fixed one; 2 to 32 threads around 1 to 16 connections, which in every fifth network count the "
    "first class alone, in every fourth locks inside of these",
    seed=37,
    networks=networks,
    count=40,
    reference=_reference,
    truth="simulation",
    methods=by_name("limited-layers"),
    keep=True,
    measures=("R", "X"),
)
