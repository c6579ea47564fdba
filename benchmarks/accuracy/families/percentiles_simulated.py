"""Percentiles of response times against simulation: several classes, open, mixed, SCV."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import qmodel as qm
from benchmarks.accuracy.by_simulation import simulated
from benchmarks.accuracy.families.percentiles_tagged import SHARES, method
from benchmarks.accuracy.family import Family, Truth

INTERACTIONS = 400_000


def networks(seed: int):
    """Six kinds of network, a fresh one of each in turn."""
    random = Random(seed)
    kinds = (several_classes, sharing, mixed, open_, varied, large)
    while True:
        for kind in kinds:
            yield kind(random)


def several_classes(random):
    """First come, first served, every class with its own part of the stations."""
    size = random.choice([2, 3])
    stations = [
        qm.QueueingStation(f"s{k}", random.choice([1, 1, 2]), "fcfs") for k in range(size + 1)
    ]
    times = [round(random.uniform(0.1, 0.4) * s.servers, 3) for s in stations]
    classes, rows = [], []
    for c in range(random.choice([2, 3])):
        classes.append(
            qm.ClosedClass(f"c{c}", random.choice([3, 8, 15]), random.choice([1.0, 4.0]))
        )
        row = [t if random.random() < 0.7 else 0.0 for t in times]
        rows.append(row if any(row) else times)
    return qm.Network(stations, classes, rows)


def sharing(random):
    """Processor sharing with demands of its own for each class."""
    stations = [qm.QueueingStation(f"s{k}", random.choice([1, 2]), "ps") for k in range(2)]
    classes = [qm.ClosedClass(f"c{c}", random.choice([3, 8, 15]), 2.0) for c in range(2)]
    rows = [[round(10 ** random.uniform(-1.3, -0.3), 3) for _ in stations] for _ in classes]
    return qm.Network(stations, classes, rows)


def mixed(random):
    """A closed and an open class, equal service at each station."""
    stations = [qm.QueueingStation(f"s{k}", random.choice([1, 2]), "fcfs") for k in range(2)]
    times = [round(random.uniform(0.1, 0.3) * s.servers, 3) for s in stations]
    classes = [qm.ClosedClass("users", random.choice([4, 10]), 2.0), qm.OpenClass("mail", 1.0)]
    return qm.Network(stations, classes, [times, times])


def open_(random):
    """Open classes only, in product form."""
    stations = [qm.QueueingStation(f"s{k}", random.choice([1, 2, 4]), "fcfs") for k in range(3)]
    times = [round(random.uniform(0.3, 0.8) * s.servers, 3) for s in stations]
    classes = [qm.OpenClass("a", 0.7), qm.OpenClass("b", 0.3)]
    return qm.Network(stations, classes, [times, [times[0], 0.0, times[2]]])


def varied(random):
    """One class, first come, first served, service times of another SCV than 1."""
    stations = [qm.QueueingStation(f"s{k}", 1, "fcfs") for k in range(2)]
    row = [round(random.uniform(0.1, 0.3), 3) for _ in stations]
    scv = [random.choice([0.25, 0.5, 2.0, 4.0]) for _ in stations]
    users = qm.ClosedClass("users", random.choice([4, 10, 20]), 2.0)
    return qm.Network(stations, [users], [row], scv=[scv])


def fresh_networks(seed: int):
    """The same, more often with service of another SCV, of one and of several classes."""
    random = Random(seed)
    kinds = (
        *(several_classes, sharing, mixed, open_, varied, large),
        *(varied, several_varied, varied, several_varied),
    )
    while True:
        for kind in kinds:
            yield kind(random)


def several_varied(random):
    """Two classes, one or two servers, service of times and SCV of their own."""
    stations = [qm.QueueingStation(f"s{k}", random.choice([1, 1, 2]), "fcfs") for k in range(2)]
    classes = [qm.ClosedClass(f"c{c}", random.choice([2, 4, 8]), 2.0) for c in range(2)]
    rows = [[round(random.uniform(0.1, 0.4) * s.servers, 3) for s in stations] for _ in classes]
    scv = [[random.choice([0.25, 0.5, 1.0, 2.0, 4.0]) for _ in stations] for _ in classes]
    return qm.Network(stations, classes, rows, scv=scv)


def large(random):
    """One class of hundreds, near and beyond saturation."""
    stations = [qm.QueueingStation(f"s{k}", random.choice([1, 4]), "fcfs") for k in range(3)]
    row = [round(random.uniform(0.02, 0.05) * s.servers, 4) for s in stations]
    return qm.Network(stations, [qm.ClosedClass("users", random.choice([100, 300]), 6.0)], [row])


def reference(network: qm.Network) -> Truth:
    """Percentiles of the simulated response times."""
    return simulated(network, len(network.classes) + 17, INTERACTIONS, *SHARES)


FAMILY = Family(
    name="percentiles-simulated",
    about="several classes, processor sharing, mixed, open, service of SCV 0.25 to 4, hundreds of "
    "customers: six kinds in turn",
    seed=12,
    networks=networks,
    count=30,
    reference=reference,
    truth="simulation",
    methods={"percentiles": method},
    sample=6,
    keep=True,
)
#: Nothing was chosen by these.
FRESH = replace(
    FAMILY,
    name="percentiles-simulated-fresh",
    about=f"{FAMILY.about}; of another seed, every second one with service of another SCV, of one "
    "class or two; by which nothing was chosen",
    seed=112,
    networks=fresh_networks,
    count=30,
    sample=4,
)
