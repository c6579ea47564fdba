"""Open networks beyond product form with stations that share their servers, simulated."""

from __future__ import annotations

from functools import partial
from random import Random

import qmodel as qm
from benchmarks.accuracy.by_simulation import simulated
from benchmarks.accuracy.families.open_ggm import solved
from benchmarks.accuracy.families.percentiles_tagged import SHARES
from benchmarks.accuracy.family import Family, Truth

CUSTOMERS = 500_000
SCV = [0.25, 0.5, 1.0, 2.0, 4.0]


def networks(seed: int):
    """One to three stations, at least one of them without a discipline; one or two classes."""
    random = Random(seed)
    while True:
        orders = [random.choice(["any", "any", "fcfs"]) for _ in range(random.choice([1, 2, 3]))]
        orders[random.randrange(len(orders))] = "any"
        stations = [
            qm.QueueingStation(f"s{k}", random.choice([1, 1, 2, 4]), order)
            for k, order in enumerate(orders)
        ]
        classes = [
            qm.OpenClass(f"c{c}", round(random.uniform(0.3, 1.0), 3), arrival_scv=scv)
            for c, scv in enumerate(random.choices(SCV, k=random.choice([1, 2])))
        ]
        rows = [[10.0 ** random.uniform(-0.5, 0.5) for _ in stations] for _ in classes]
        for k, station in enumerate(stations):
            busy = sum(c.arrival_rate * row[k] for c, row in zip(classes, rows, strict=True))
            wanted = random.uniform(0.3, 0.9) * station.servers
            for row in rows:
                row[k] = round(row[k] * wanted / busy, 5)
        scv = [
            [random.choice(SCV) if order == "fcfs" else 1.0 for order in orders] for _ in classes
        ]
        yield qm.Network(stations, classes, rows, scv=scv)


def reference(network: qm.Network) -> Truth:
    """Mean and percentiles of the response times."""
    return simulated(network, 32, CUSTOMERS, "R", *SHARES)


#: Nothing was chosen by these.
FAMILY = Family(
    name="open-sharing",
    about="open, 1 to 3 stations in turn, most without a discipline and others fcfs, 1 to 4 "
    "servers, 1 or 2 classes with service up to ten times as long, SCV of arrivals and of service "
    "under fcfs 0.25 to 4, utilizations 0.3 to 0.9",
    seed=32,
    networks=networks,
    count=16,
    reference=reference,
    truth="simulation",
    methods={name: partial(solved, name) for name in ("mmap", "qna")},
    sample=3,
    keep=True,
)
