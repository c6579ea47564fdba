"""Demands over eighteen decades go to a JMVA file and come back with the same residence times."""

from random import Random

import numpy as np
import pytest

import qmodel as qm
from qmodel.formats.jmt.read import read_jmva
from qmodel.formats.jmt.write import jmva_text


def drawn(random):
    """A closed network of product form, its visits and think times over many decades as well."""
    stations = []
    for k in range(random.randint(1, 5)):
        kind, name = random.choice("qqmdl"), f"s{k}"
        if kind == "d":
            stations.append(qm.DelayStation(name))
        elif kind == "l":
            rates = [1.0, *(10 ** random.uniform(-1, 1) for _ in range(random.randint(0, 4)))]
            stations.append(qm.LoadDependentStation(name, rates))
        else:
            servers = random.randint(2, 8) if kind == "m" else 1
            stations.append(qm.QueueingStation(name, servers))
    classes = [
        qm.ClosedClass(
            f"c{c}", random.randint(1, 12), random.choice([0.0, 10 ** random.uniform(-5, 5)])
        )
        for c in range(random.randint(1, 3))
    ]
    shape = [[1] * len(stations)] * len(classes)
    demand = [[10 ** random.uniform(-12, 6) for _ in row] for row in shape]
    visits = [
        [random.choice([1.0, 2.0, 10 ** random.uniform(-3, 3)]) for _ in row] for row in shape
    ]
    return qm.Network(stations, classes, demand, visit_ratio=visits)


@pytest.mark.parametrize("seed", range(40))
def test_residence_times_survive_or_the_loss_is_named(seed):
    network = drawn(Random(seed))
    text, losses = jmva_text(network)
    back = read_jmva(text.encode(), "-").network
    before, after = qm.solve(network), qm.solve(back)
    np.testing.assert_allclose(after.throughput, before.throughput, rtol=1e-9)
    kept = [name for name in network.station_names if name in back.station_names]
    assert losses or len(kept) == len(network.stations)
    for name in kept:
        k, there = network.station_names.index(name), back.station_names.index(name)
        np.testing.assert_allclose(
            after.residence_time[:, there], before.residence_time[:, k], rtol=1e-9
        )
