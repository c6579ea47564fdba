"""Percentiles of servers whose processor asks drives again and again, against simulation."""

from __future__ import annotations

from random import Random

import qmodel as qm
from benchmarks.accuracy.by_simulation import simulated
from benchmarks.accuracy.families.percentiles_central import at_utilization
from benchmarks.accuracy.families.percentiles_tagged import SHARES, method
from benchmarks.accuracy.family import Family, Truth

INTERACTIONS = 150_000


def networks(seed: int):
    """A shared processor, equal drives, and a network at last; the busiest is 30 to 90 % busy."""
    random = Random(seed)
    while True:
        drives, servers = random.choice([1, 2, 4, 8, 12]), random.choice([1, 1, 2, 4])
        stations = [qm.QueueingStation("cpu", servers)]
        stations += [qm.QueueingStation(f"disk {i}", discipline="fcfs") for i in range(drives)]
        stations.append(qm.QueueingStation("lan"))
        operation = random.choice([0.0005, 0.005])
        sizes = random.choice([(150,), (50,), (70, 30)])
        demands, visits = [], []
        for _ in sizes:
            operations = random.choice([3.0, 5.0, 10.0, 20.0])
            cpu = operations * operation * 10 ** random.uniform(-1.0, 1.0) * servers
            demands.append([round(cpu, 5), *[operations * operation / drives] * drives, 1e-4])
            visits.append([1.0 + operations, *[operations / drives] * drives, 1.0])
        busy = random.uniform(0.3, 0.9)

        def thinking(think: float, stations=stations, sizes=sizes, demands=demands, visits=visits
                     ) -> qm.Network:  # fmt: skip
            users = [qm.ClosedClass(f"c{i}", n, round(think, 4)) for i, n in enumerate(sizes)]
            return qm.Network(stations, users, demands, visit_ratio=visits)

        yield at_utilization(busy, thinking, 1000.0)


def reference(network: qm.Network) -> Truth:
    """Percentiles of the simulated response times."""
    return simulated(network, 31, INTERACTIONS, *SHARES)


FAMILY = Family(
    name="percentiles-drives",
    about="closed, one or two classes of 30 to 150 customers, a processor that shares, 1 to 12 "
    "drives in order that are asked 3 to 20 times, the busiest 30 to 90 % busy",
    seed=17,
    networks=networks,
    count=24,
    reference=reference,
    truth="simulation",
    methods={"percentiles": method},
    sample=4,
    keep=True,
)
