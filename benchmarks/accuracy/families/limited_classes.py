"""Two classes behind one limit, more customers than a Markov chain can follow one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.accuracy.family import Family, Truth, by_name, measures
from qmodel import ClosedClass, Network, PopulationLimit, QueueingStation, solve


def isolation_reference(network: Network) -> Truth:
    """Response times and throughputs by `marie`, which tells the classes apart."""
    found = measures(solve(network, "marie"))
    return Truth({"R": found["R"], "X": found["X"]})


def networks(seed: int) -> Iterator[Network]:
    """Users of two kinds, or users and a task that never pauses, in turn."""
    rng = random.Random(seed)
    while True:
        for task in (False, True):
            users = rng.randint(10, 60) if task else rng.randint(5, 40)
            sizes = [users, 1 if task else rng.randint(5, 40)]
            servers = rng.choice([1, 1, 2, 4])
            stations = [QueueingStation("s0", servers)]
            stations += [QueueingStation(f"s{k}") for k in range(1, rng.choice([1, 2, 3]))]
            demand = [[10 ** rng.uniform(-1.5, 0) for _ in stations] for _ in sizes]
            think = [max(row) * sum(sizes) / 2 * 10 ** rng.uniform(-0.7, 0.7) for row in demand]
            if task:
                think[1] = 0.0
            limit = PopulationLimit("memory", rng.randint(1, 12), [s.name for s in stations])
            classes = [
                ClosedClass(f"c{c}", n, z)
                for c, (n, z) in enumerate(zip(sizes, think, strict=True))
            ]
            yield Network(stations, classes, demand, limits=[limit])


FAMILY = Family(
    name="limit-classes",
    about="closed, 2 classes, 10 to 80 customers, one of them alone and never thinking in every "
    "second network, memory for 1 to 12 at 1 to 3 stations",
    seed=29,
    networks=networks,
    count=100,
    reference=isolation_reference,
    truth="marie",
    methods=by_name("limited-layers", "aggregated-fes"),
)
