"""Percentiles of rounds about a central server among many customers, against simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import qmodel as qm
from benchmarks.accuracy.by_simulation import simulated
from benchmarks.accuracy.families.percentiles_tagged import SHARES, alike, method
from benchmarks.accuracy.family import Family, Truth

INTERACTIONS = 1_000_000


def networks(seed: int):
    """One class about a central server; the busiest is 40 to 97 % busy by choice of think time."""
    random = Random(seed)
    while True:
        size = random.choice([2, 3, 4])
        rounds = random.choice([2.0, 3.0, 5.0, 8.0])
        parts = [random.uniform(0.2, 1.0) for _ in range(size - 1)]
        visits = [rounds, *((rounds - 1.0) * p / sum(parts) for p in parts)]
        demand = [10 ** random.uniform(-1.0, 0.0) for _ in range(size)]
        times = [round(d / v, 4) for d, v in zip(demand, visits, strict=True)]
        population = random.choice([20, 40, 80, 150])
        busy = random.uniform(0.4, 0.97)
        stations = [qm.QueueingStation(f"s{k}", discipline="fcfs") for k in range(size)]

        def thinking(think: float, population=population, stations=stations, visits=visits,
                     times=times) -> qm.Network:  # fmt: skip
            users = qm.ClosedClass("users", population, round(think, 3))
            return qm.Network.from_visits(stations, [users], [visits], [times])

        yield at_utilization(busy, thinking, 10.0 * population)


def at_utilization(busy: float, thinking: Callable[[float], qm.Network], most: float) -> qm.Network:
    """The network in which the busiest station is so busy, by its think time, up to ``most``."""
    low, high = 0.0, most
    for _ in range(40):
        think = 0.5 * (low + high)
        network = thinking(think)
        if max(qm.solve(network).station_utilizations) > busy:
            low = think
        else:
            high = think
    return network


def reference(network: qm.Network) -> Truth:
    """Percentiles of the simulated response times."""
    return simulated(network, 29, INTERACTIONS, *SHARES)


FAMILY = Family(
    name="percentiles-central",
    about="closed, one class of 20 to 150 customers, a central server and one to three others, 2 "
    "to 8 rounds, the busiest 40 to 97 % busy",
    seed=13,
    networks=networks,
    count=18,
    reference=reference,
    truth="simulation",
    methods={"percentiles": method, "alike": alike},
    sample=4,
    keep=True,
)
#: Nothing was chosen by these.
FRESH = replace(
    FAMILY,
    name="percentiles-central-fresh",
    about=f"{FAMILY.about}; of another seed, by which nothing was chosen",
    seed=113,
)
