"""Threads that hold connections that hold a disk: limits inside of limits, simulated."""

from __future__ import annotations

import random
from collections.abc import Iterator
from zlib import crc32

from benchmarks.accuracy.by_simulation import simulated
from benchmarks.accuracy.family import Family, Truth, by_name
from qmodel import ClosedClass, Network, PopulationLimit, QueueingStation


def networks(seed: int) -> Iterator[Network]:
    """Users whose threads make calls, a fixed number or a random one, each with a connection."""
    rng = random.Random(seed)
    while True:
        users, calls = rng.choice([20, 60, 120]), rng.choice([1, 2, 2, 3, 5])
        names, cores = ["app", "db", "disk"], [rng.choice([2, 4, 8]), rng.choice([1, 2, 4]), 1]
        stations = [QueueingStation(n, m) for n, m in zip(names, cores, strict=True)]
        demand = [m * 10 ** rng.uniform(-2.0, -1.3) for m in cores]
        capacity = min(m / d for m, d in zip(cores, demand, strict=True))
        load = rng.choice([0.5, 0.8, 0.9, 1.0, 1.2])
        threads = rng.choice([2, 4, 8, 16, 32])
        connections = rng.choice([n for n in (1, 2, 3, 4, 8, 16) if n < threads])
        limits = [
            PopulationLimit("threads", threads, names, held="visit"),
            PopulationLimit("connections", connections, names[1:], held="visit"),
        ]
        if rng.random() < 0.25:
            deeper = rng.randint(1, connections)
            limits.append(PopulationLimit("locks", deeper, ["disk"], held="visit"))
        fixed = rng.random() < 0.5
        yield Network(
            stations,
            [ClosedClass("users", users, users / (load * capacity))],
            [demand],
            visit_ratio=[[calls + 1.0, calls, calls]],
            limits=limits,
            routes={"users": [*names * calls, "app"]} if fixed else (),
        )


def _reference(network: Network) -> Truth:
    return simulated(network, crc32(repr(network).encode()), 400_000, "R", "X")


FAMILY = Family(
    name="nested-limits",
    about="closed, 20 to 120 users, 2 to 32 threads around 1 to 16 connections, each with up to 5 "
    "calls, a random number or a fixed one, in every fourth network locks inside of these",
    seed=31,
    networks=networks,
    count=60,
    reference=_reference,
    truth="simulation",
    methods=by_name("nested-fes"),
    keep=True,
    measures=("R", "X"),
)
