"""Percentiles of response times against the tagged customer of an exact Markov chain."""

from __future__ import annotations

from functools import partial
from random import Random
from unittest.mock import patch

import qmodel as qm
from benchmarks.accuracy.family import Family, Truth
from tests.truth.passage import Place, Round

SHARES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}


def networks(seed: int):
    """One class, terminals and one to three stations, once in turn or about a central server."""
    random = Random(seed)
    while True:
        kind = random.choice(
            ["in turn", "several servers", "sharing", "delay", "central", "central"]
        )
        size = random.choice([1, 2, 3]) if kind != "central" else random.choice([2, 3])
        stations, row = [], []
        for k in range(size):
            servers = random.choice([1, 2, 3]) if kind == "several servers" else 1
            order = "ps" if kind == "sharing" and random.random() < 0.6 else "fcfs"
            if kind == "delay" and k and random.random() < 0.5:
                stations.append(qm.DelayStation(f"d{k}"))
            else:
                stations.append(qm.QueueingStation(f"s{k}", servers, order))
            row.append(round(10 ** random.uniform(-1.0, 0.3) * servers, 3))
        visits = None
        if kind == "central":
            rounds = random.choice([2.0, 4.0, 8.0])
            parts = [random.uniform(0.2, 1.0) for _ in range(size - 1)]
            rest = [(rounds - 1.0) * p / sum(parts) for p in parts]
            visits = [[rounds, *rest]]
        population = random.choice([2, 4, 7]) if size == 3 else random.choice([2, 5, 12])
        think = round(10 ** random.uniform(-0.5, 1.0) * sum(row), 3)
        users = qm.ClosedClass("users", population, think)
        yield qm.Network(stations, [users], [row], visit_ratio=visits)


def reference(network: qm.Network) -> Truth:
    """The percentiles of the tagged customer's round."""
    users = network.classes[0]
    places = [Place(users.think_time, 0)]
    for k, station in enumerate(network.stations):
        time = network.service_time_at(0, k)
        if isinstance(station, qm.DelayStation):
            places.append(Place(time, 0))
        else:
            places.append(Place(time, station.servers, station.discipline))
    size = len(places)
    rows = [[0.0] * size for _ in range(size)]
    if network.visit_ratio is None:
        for a in range(size):
            rows[a][(a + 1) % size] = 1.0
    else:
        visits = network.visit_ratio[0]
        rows[0][1] = 1.0
        rows[1][0] = 1.0 / visits[0]
        for k, v in enumerate(visits[1:], 2):
            rows[1][k], rows[k][1] = v / visits[0], 1.0
    true = Round(places, rows, users.population)
    return Truth({name: [true.percentile(share)] for name, share in SHARES.items()})


def method(network: qm.Network):
    """Those of the solution."""
    return found(qm.solve(network))


def alike(network: qm.Network):
    """Those of the solution where nobody is followed: some rounds in turn find the same."""
    with patch("qmodel.response_times.tagged_class.tagged_response", return_value=None):
        return method(network)


def found(solution: qm.Solution):
    """Percentiles of the response times of all classes, by measure."""
    times = qm.percentiles(solution, list(SHARES.values()), exact=True).response_times
    return {name: [row[i] for row in times] for i, name in enumerate(SHARES)}


FAMILY = Family(
    name="percentiles-tagged",
    about="closed, one class, one to three stations: single and several servers first come first "
    "served, sharing, delays, in turn or about a central server, up to 12 customers",
    seed=11,
    networks=networks,
    count=120,
    reference=reference,
    truth="tagged customer of the Markov chain",
    methods={"percentiles": partial(method), "alike": alike},
    sample=4,
    keep=True,
)
