"""Weights of one class at some stations: their ratios are throughputs, found by other ways."""

import random

import numpy as np
import pytest

import qmodel as qm
from qmodel.solvers.limits.flow_equivalent import numbers
from qmodel.solvers.product_form.scaled_convolution import Part, mean_at, weights

KINDS = (
    qm.QueueingStation, lambda name: qm.QueueingStation(name, 3), qm.DelayStation,
    lambda name: qm.LoadDependentStation(name, [1.0, 1.5, 1.8]),
    lambda name: qm.LoadDependentStation(name, [2.0, 1.5, 0.9]),
)  # fmt: skip


def drawn(seed, customers):
    """Stations of all kinds, two of them equal, and some think time."""
    rng = random.Random(seed)
    stations = [rng.choice(KINDS)(f"s{k}") for k in range(4)] + [qm.QueueingStation("t")]
    demand = [10 ** rng.uniform(-1.5, 0) for _ in range(4)]
    demand.append(demand[0])
    return qm.Network(
        stations, [qm.ClosedClass("users", customers, rng.choice([0.0, 5.0]))], [demand]
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("scale", [0.4, 1.0])
def test_ratios_are_throughputs_and_means_queue_lengths(seed, scale):
    network = drawn(seed, 40)
    part = Part.of(network, 0, range(5), network.classes[0].think_time, 40)
    x = scale * qm.solve(network).throughputs[0]
    found = weights(part, 40, x)
    for n, exact in zip(range(1, 41), qm.curve(network, range(1, 41)), strict=True):
        assert x * found[n - 1] / found[n] == pytest.approx(exact.throughputs[0], rel=1e-10)
        for k, server in part.servers.items():
            assert mean_at(server, part, x, found)[n] == pytest.approx(
                exact.queue_lengths[0][k], rel=1e-9
            )


def test_a_station_and_its_twin_are_the_same():
    network = drawn(0, 10)
    part = Part.of(network, 0, range(5), 0.0, 10)
    alone = weights(Part(0.0, {0: (0.5, (1.0,))}), 10, 1.0)
    assert alone == pytest.approx(0.5 ** np.arange(11))
    twice = weights(Part(0.0, {0: (0.5, (1.0,)), 1: (0.5, (1.0,))}), 10, 1.0)
    both = np.arange(1, 12) * 0.5 ** np.arange(11)
    assert twice / twice[0] == pytest.approx(both)
    assert part.capacity == pytest.approx(
        min(s.max_rate / d for s, d in zip(network.stations, network.demand[0], strict=True)
            if not isinstance(s, qm.DelayStation))
    )  # fmt: skip


@pytest.mark.parametrize("customers", [1, 50, 5_000])
def test_a_limit_that_is_never_reached_is_none(customers):
    stations = [qm.QueueingStation("cpu", 4), qm.QueueingStation("disk"), qm.QueueingStation("lan")]
    one = qm.ClosedClass("users", customers, 30.0)
    row = [0.02, 0.004, 0.001]
    limit = qm.PopulationLimit("memory", customers, ["cpu", "disk"])
    found = qm.solve(qm.Network(stations, [one], [row], limits=[limit]), "flow-equivalent")
    exact = qm.solve(qm.Network(stations, [one], [row]))
    assert found.throughputs == pytest.approx(exact.throughputs, rel=1e-11)
    assert found.residence_times[0][:3] == pytest.approx(exact.residence_times[0], rel=1e-10)
    assert found.residence_times[0][3] == 0.0


def test_delays_inside_and_outside_of_a_limit():
    stations = [qm.DelayStation("pause"), qm.QueueingStation("cpu", 2), qm.DelayStation("away"),
                qm.QueueingStation("disk")]  # fmt: skip
    row = [0.3, 0.2, 4.0, 0.1]
    one = qm.ClosedClass("users", 30, 1.0)
    free = qm.solve(qm.Network(stations, [one], [row]))
    limit = qm.PopulationLimit("memory", 30, ["pause", "cpu"])
    wide = qm.solve(qm.Network(stations, [one], [row], limits=[limit]), "flow-equivalent")
    assert wide.residence_times[0][:4] == pytest.approx(free.residence_times[0], rel=1e-10)
    narrow = qm.Network(
        stations, [one], [row], limits=[qm.PopulationLimit("m", 3, ["pause", "cpu"])]
    )
    inside = qm.Network(stations[:2], [qm.ClosedClass("users", 3)], [row[:2]])
    assert numbers(narrow).speed == pytest.approx(qm.solve(inside).throughputs[0], rel=1e-12)


def test_a_million_customers_leave_all_but_a_few_outside():
    stations = [qm.QueueingStation("cpu", 4), qm.QueueingStation("disk")]
    limit = qm.PopulationLimit("memory", 50, ["cpu", "disk"])
    one = qm.ClosedClass("users", 1_000_000, 60.0)
    found = qm.solve(qm.Network(stations, [one], [[0.01, 0.02]], limits=[limit]))
    alone = qm.Network(stations, [qm.ClosedClass("users", 50)], [[0.01, 0.02]])
    assert found.method == "flow-equivalent"
    assert found.throughputs[0] == pytest.approx(qm.solve(alone).throughputs[0], rel=1e-12)
    assert found.queue_lengths[0][2] == pytest.approx(1_000_000 - 50 - 60 * found.throughputs[0])


def test_whom_nobody_visits_limits_nothing():
    stations = [qm.QueueingStation("cpu"), qm.QueueingStation("disk")]
    limit = qm.PopulationLimit("memory", 1, ["disk"])
    one = qm.ClosedClass("users", 7, 3.0)
    found = qm.solve(qm.Network(stations, [one], [[0.5, 0.0]], limits=[limit]), "flow-equivalent")
    exact = qm.solve(qm.Network(stations[:1], [one], [[0.5]]))
    assert found.throughputs == pytest.approx(exact.throughputs, rel=1e-12)
    assert found.residence_times[0][1:] == (0.0, 0.0)
