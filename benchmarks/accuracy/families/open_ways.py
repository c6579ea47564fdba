"""Open networks whose classes part and meet again, with delays, against our own simulation."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import qmodel as qm
from benchmarks.accuracy.families.open_ggm import FAMILY, solved
from benchmarks.accuracy.family import Family

SCV = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0]


def parting(seed: int):
    """Three or four stations; between the first and the last some of three classes stay away."""
    random = Random(seed)
    while True:
        classes = [
            qm.OpenClass(name, rate, arrival_scv=random.choice(SCV))
            for name, rate in (("a", 0.5), ("b", 0.3), ("c", 0.3))
        ]
        size = random.choice([3, 4])
        away = [random.choice([[0], [0], [0, 1], [0, 2]]) for _ in range(size - 2)]
        stations = [
            qm.DelayStation(f"s{k}")
            if 0 < k < size - 1 and random.random() < 0.2
            else qm.QueueingStation(f"s{k}", random.choice([1, 1, 2]), "fcfs")
            for k in range(size)
        ]
        rows = [[10.0 ** random.uniform(-0.5, 0.5) for _ in stations] for _ in classes]
        for k, missing in enumerate(away, start=1):
            for c in missing:
                rows[c][k] = 0.0
        yield _loaded(random, stations, classes, rows, (0.3, 0.9))


def wide(seed: int):
    """Five to seven stations, one to three classes, each of which leaves out a quarter."""
    random = Random(seed)
    while True:
        size, count = random.choice([5, 6, 7]), random.choice([1, 2, 2, 3])
        stations = [
            qm.DelayStation(f"s{k}")
            if 0 < k < size - 1 and random.random() < 0.12
            else qm.QueueingStation(f"s{k}", random.choice([1, 1, 1, 2, 4]), "fcfs")
            for k in range(size)
        ]
        rates = [[1.0], [0.6, 0.4], [0.5, 0.3, 0.2]][count - 1]
        classes = [
            qm.OpenClass(f"c{c}", rate, arrival_scv=random.choice(SCV))
            for c, rate in enumerate(rates)
        ]
        rows = [
            [10.0 ** random.uniform(-0.3, 0.3) if random.random() < 0.75 else 0.0 for _ in stations]
            for _ in classes
        ]
        for k in range(size):
            if not any(row[k] for row in rows):
                rows[0][k] = 1.0
        if all(any(row) for row in rows):
            yield _loaded(random, stations, classes, rows, (0.2, 0.9))


def _loaded(random, stations, classes, rows, utilizations):
    """The network with its queues that busy."""
    for k, station in enumerate(stations):
        if isinstance(station, qm.DelayStation):
            continue
        busy = sum(c.arrival_rate * row[k] for c, row in zip(classes, rows, strict=True))
        wanted = random.uniform(*utilizations) * station.servers
        for row in rows:
            row[k] = round(row[k] * wanted / busy, 5)
    scv = [[random.choice(SCV) for _ in stations] for _ in classes]
    return qm.Network(stations, classes, rows, scv=scv)


METHODS = {"mmap": partial(solved, "mmap")}
#: Nothing was chosen by these two.
PARTING = Family(
    name="open-ggm-parting",
    about="open, 3 or 4 stations, queues of 1 or 2 servers and delays, 3 classes that part after "
    "the first and meet at the last, SCV 0.25 to 8, utilizations 0.3 to 0.9",
    seed=713,
    networks=parting,
    count=24,
    reference=FAMILY.reference,
    truth="simulation",
    methods=METHODS,
    sample=3,
    keep=True,
    slow=(0, 1, 2),
)
WIDE = replace(
    PARTING,
    name="open-ggm-wide",
    about="open, 5 to 7 stations, queues of 1 to 4 servers and delays, 1 to 3 classes that leave "
    "out a quarter of them, SCV 0.25 to 8, utilizations 0.2 to 0.9",
    seed=813,
    networks=wide,
    count=20,
    sample=2,
    slow=(0, 1, 18),
)
