"""Bard-Schweitzer: its equations hold, it is right where it must be, and says when it is not."""

import random

import pytest

import qmodel as qm
from qmodel.solvers.amva.fixed_point import TOLERANCE


def random_network(seed, classes):
    rng = random.Random(seed)
    stations = [qm.QueueingStation(f"station {k}") for k in range(rng.randint(1, 5))]
    made = [
        qm.ClosedClass(f"class {c}", rng.choice([1, 2, 17, 400]), rng.choice([0.0, 3.0, 900.0]))
        for c in range(classes)
    ]
    demand = [[rng.choice([0.0, 1e-3, 0.2, 1.7]) + 1e-6 for _ in stations] for _ in made]
    return qm.Network(stations, made, demand)


@pytest.mark.parametrize("classes", [1, 2, 6])
@pytest.mark.parametrize("seed", range(6))
def test_its_equations_hold(seed, classes):
    network = random_network(seed, classes)
    solution = qm.solve(network, "bard-schweitzer")
    queue = solution.queue_lengths
    for c, customers in enumerate(network.classes):
        total = customers.think_time
        for k, demand in enumerate(network.demand[c]):
            seen = sum(row[k] for row in queue) - queue[c][k] / customers.population
            assert solution.residence_times[c][k] == pytest.approx(demand * (1 + seen), rel=1e-8)
            total += solution.residence_times[c][k]
        assert solution.throughputs[c] == pytest.approx(customers.population / total, rel=1e-9)
    assert 0.0 <= solution.residual <= TOLERANCE
    assert 0 < solution.iterations < 60


def test_millions_of_customers_of_several_classes_converge():
    """Throughputs are then so near saturation that rounding is all of the last queue lengths."""
    network = qm.Network(
        [qm.QueueingStation("cpu")],
        [qm.ClosedClass("users", 10**6, 10.0), qm.ClosedClass("batch", 10**6, 10.0)],
        [[0.0009602905390585731], [0.024682727874822685]],
    )
    solution = qm.solve(network, "bard-schweitzer")
    assert sum(row[0] for row in solution.utilizations) == pytest.approx(1.0, rel=1e-5)
    assert solution.residual < 1e-8


@pytest.mark.parametrize("classes", [1, 2])
def test_several_servers_are_the_same_as_their_rates(classes):
    made = [qm.ClosedClass(f"class {c}", 9, 2.0) for c in range(classes)]
    demand = [[1.0, 0.2]] * classes
    found = [
        qm.solve(qm.Network([station, qm.QueueingStation("disk")], made, demand), "bard-schweitzer")
        for station in (qm.QueueingStation("cpu", 4), qm.LoadDependentStation("cpu", [1, 2, 3, 4]))
    ]
    assert found[0].residence_times == found[1].residence_times
    exact = qm.solve(found[0].network, "exact")
    assert found[0].response_times == pytest.approx(exact.response_times, rel=0.158)  # as recorded
