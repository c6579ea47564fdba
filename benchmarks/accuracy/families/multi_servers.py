"""Closed networks with stations of several servers: every law with every method."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.accuracy.family import Family, by_name, exact_reference
from qmodel import ClosedClass, Network, QueueingStation
from qmodel.solvers.amva.variants import VARIANTS


def networks(seed: int) -> Iterator[Network]:
    """One to three classes, at least one station of 2 to 16 servers, up to 40 customers."""
    rng = random.Random(seed)
    while True:
        yield drawn(rng, most=40)


def drawn(rng: random.Random, most: int) -> Network:
    """One of them."""
    count = rng.randint(1, 3)
    classes = [
        ClosedClass(
            f"c{c}", rng.randint(1, most // count), rng.choice([0.0, 10 ** rng.uniform(-1, 1.5)])
        )
        for c in range(count)
    ]
    stations = [
        QueueingStation(
            f"s{k}", rng.choice((2, 3, 4, 8, 16)) if k == 0 or rng.random() < 0.3 else 1
        )
        for k in range(rng.randint(2, 4))
    ]
    # Per server, demands over one and a half decades.
    demand = [
        [10 ** rng.uniform(-1.5, 0) * s.servers ** rng.uniform(0.3, 1.2) for s in stations]
        for _ in classes
    ]
    return Network(stations, classes, demand)


FAMILY = Family(
    name="multi-servers",
    about="closed, 1 to 3 classes, 2 to 4 stations of which at least one has 2 to 16 servers, "
    "up to 40 customers",
    seed=2,
    networks=networks,
    count=300,
    reference=exact_reference,
    methods=by_name(
        "second-differences", "linearizer", "aql", "bard-schweitzer", *(m.name for m in VARIANTS)
    ),
    measures=("R", "X", "Q"),
    sample=3,
)
