"""Closed networks with a station whose speed grows with the customers there."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.accuracy.family import Family, by_name, exact_reference
from qmodel import ClosedClass, LoadDependentStation, Network, QueueingStation


def networks(seed: int) -> Iterator[Network]:
    """One to three classes; speeds grow by 0 to 100 % a customer, for 2 to 10 customers."""
    rng = random.Random(seed)
    while True:
        rates = [1.0]
        for _ in range(rng.randint(1, 9)):
            rates.append(rates[-1] + rng.random())
        count = rng.randint(1, 3)
        classes = [
            ClosedClass(
                f"c{c}", rng.randint(1, 40 // count), rng.choice([0.0, 10 ** rng.uniform(-1, 1)])
            )
            for c in range(count)
        ]
        stations = [QueueingStation(f"s{k}") for k in range(rng.randint(1, 3))]
        yield Network(
            [*stations, LoadDependentStation("array", rates)],
            classes,
            [
                [*(10 ** rng.uniform(-1.5, 0) for _ in stations), 10 ** rng.uniform(-1, 0.5)]
                for _ in classes
            ],
        )


FAMILY = Family(
    name="load-dependent",
    about="closed, 1 to 3 classes, 1 to 3 single servers and a load-dependent station, up to 40 "
    "customers",
    seed=3,
    networks=networks,
    count=300,
    reference=exact_reference,
    methods=by_name("second-differences", "linearizer", "aql", "bard-schweitzer"),
    measures=("R", "X", "Q"),
)
