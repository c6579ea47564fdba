"""Open networks whose services are constant or nearly so, against our own simulation."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import qmodel as qm
from benchmarks.accuracy.by_simulation import simulated
from benchmarks.accuracy.families.open_ggm import FAMILY, solved
from benchmarks.accuracy.families.percentiles_tagged import SHARES

#: Customers who arrive.
CUSTOMERS = 4_000_000


def networks(seed: int):
    """One to five stations; of two classes the second passes some of them one after the other."""
    random = Random(seed)
    while True:
        size, count = random.choice([1, 2, 2, 3, 4, 5]), random.choice([1, 1, 2])
        stations = [
            qm.QueueingStation(f"s{k}", random.choice([1, 1, 2]), "fcfs") for k in range(size)
        ]
        classes = [
            qm.OpenClass(f"c{c}", rate, arrival_scv=random.choice([0.25, 0.5, 1.0, 1.0, 2.0, 4.0]))
            for c, rate in enumerate([[1.0], [0.6, 0.4]][count - 1])
        ]
        first, last = sorted(random.choices(range(size), k=2))
        unlike = random.choice([0.0, 0.3])
        rows = [
            [
                10.0 ** random.uniform(-unlike, unlike) if c == 0 or first <= k <= last else 0.0
                for k in range(size)
            ]
            for c in range(count)
        ]
        for k, station in enumerate(stations):
            busy = sum(c.arrival_rate * row[k] for c, row in zip(classes, rows, strict=True))
            wanted = random.uniform(0.3, 0.9) * station.servers
            for row in rows:
                row[k] = round(row[k] * wanted / busy, 5)
        scv = [[random.choice([0.0, 0.0, 0.01, 0.03, 0.1]) for _ in stations] for _ in classes]
        yield qm.Network(stations, classes, rows, scv=scv)


FAMILY = replace(
    FAMILY,
    name="open-ggm-constant",
    about="open, 1 to 5 stations in turn, 1 or 2 servers, 1 or 2 classes, services that are "
    "constant or nearly so (SCV 0 to 0.1), SCV of arrivals 0.25 to 4, utilizations 0.3 to 0.9",
    seed=913,
    networks=networks,
    count=24,
    reference=lambda network: simulated(network, 20, CUSTOMERS, "R", *SHARES),
    methods={name: partial(solved, name) for name in ("mmap", "qna")},
    sample=4,
    slow=(16,),
)
HELD_OUT = replace(
    FAMILY,
    name="open-ggm-constant-held-out",
    about=FAMILY.about + "; by which nothing was chosen",
    seed=1013,
    slow=(0, 1),
)
