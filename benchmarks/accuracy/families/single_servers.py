"""Closed networks of one to three classes at single servers and delays."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.accuracy.family import Family, by_name, exact_reference
from qmodel import ClosedClass, DelayStation, Network, QueueingStation


def networks(seed: int) -> Iterator[Network]:
    """Demands over two decades, a third of the classes thinks, up to 40 customers."""
    rng = random.Random(seed)
    while True:
        classes = [
            ClosedClass(
                f"c{c}",
                rng.randint(1, 40 // classes),
                rng.choice([0.0, 0.0, 10 ** rng.uniform(-1, 1)]),
            )
            for classes in [rng.randint(1, 3)]
            for c in range(classes)
        ]
        stations = [QueueingStation(f"s{k}") for k in range(rng.randint(2, 5))]
        if rng.random() < 0.3:
            stations.append(DelayStation("delay"))
        yield Network(
            stations, classes, [[10 ** rng.uniform(-2, 0) for _ in stations] for _ in classes]
        )


FAMILY = Family(
    name="single-servers",
    about="closed, 1 to 3 classes, 2 to 5 single servers, demands over two decades, "
    "up to 40 customers",
    seed=1,
    networks=networks,
    count=1000,
    reference=exact_reference,
    methods=by_name("second-differences", "linearizer", "aql", "bard-schweitzer"),
)
