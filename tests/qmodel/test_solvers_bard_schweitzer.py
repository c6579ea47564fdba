"""Bard-Schweitzer: its equations hold, it is right where it must be, and says when it is not."""

import random

import pytest

from qmodel import (
    ClosedClass,
    LoadDependentStation,
    Network,
    NotApplicable,
    NotConverged,
    QueueingStation,
    solve,
)
from qmodel.solvers.amva import bard_schweitzer
from qmodel.solvers.amva import fixed_point as arrival_theorem


def random_network(seed, classes):
    rng = random.Random(seed)
    stations = [QueueingStation(f"station {k}") for k in range(rng.randint(1, 5))]
    made = [
        ClosedClass(f"class {c}", rng.choice([1, 2, 17, 400]), rng.choice([0.0, 3.0, 900.0]))
        for c in range(classes)
    ]
    demand = [[rng.choice([0.0, 1e-3, 0.2, 1.7]) + 1e-6 for _ in stations] for _ in made]
    return Network(stations, made, demand)


@pytest.mark.parametrize("classes", [1, 2, 6])
@pytest.mark.parametrize("seed", range(6))
def test_its_equations_hold(seed, classes):
    network = random_network(seed, classes)
    solution = solve(network, "bard-schweitzer")
    queue = solution.queue_lengths
    for c, customers in enumerate(network.classes):
        total = customers.think_time
        for k, demand in enumerate(network.demand[c]):
            seen = sum(row[k] for row in queue) - queue[c][k] / customers.population
            assert solution.residence_times[c][k] == pytest.approx(demand * (1 + seen), rel=1e-8)
            total += solution.residence_times[c][k]
        assert solution.throughputs[c] == pytest.approx(customers.population / total, rel=1e-9)
    assert 0.0 <= solution.residual <= arrival_theorem.TOLERANCE
    assert 0 < solution.iterations < 60


def test_millions_of_customers_of_several_classes_converge():
    """Throughputs are then so near saturation that rounding is all of the last queue lengths."""
    network = Network(
        [QueueingStation("cpu")],
        [ClosedClass("users", 10**6, 10.0), ClosedClass("batch", 10**6, 10.0)],
        [[0.0009602905390585731], [0.024682727874822685]],
    )
    solution = solve(network, "bard-schweitzer")
    assert sum(row[0] for row in solution.utilizations) == pytest.approx(1.0, rel=1e-5)
    assert solution.residual < 1e-8


@pytest.mark.parametrize("population", [10**3, 10**6])
def test_large_populations_saturate(population):
    network = Network(
        [QueueingStation("cpu"), QueueingStation("disk")],
        [ClosedClass("users", population, 1e4)],
        [1.0, 0.7],
    )
    expected = min(1.0, population / 1e4)
    assert solve(network, "bard-schweitzer").throughputs[0] == pytest.approx(expected, rel=0.01)


def test_one_customer_alone_is_exact():
    network = Network(
        [QueueingStation("cpu", 4), QueueingStation("disk")],
        [ClosedClass("users", 1, 2.0)],
        [1.0, 0.5],
    )
    solution = solve(network, "bard-schweitzer")
    assert solution.residence_times[0] == pytest.approx([1.0, 0.5], rel=1e-12)


@pytest.mark.parametrize("classes", [1, 2])
def test_several_servers_are_the_same_as_their_rates(classes):
    made = [ClosedClass(f"class {c}", 9, 2.0) for c in range(classes)]
    demand = [[1.0, 0.2]] * classes
    found = [
        solve(Network([station, QueueingStation("disk")], made, demand), "bard-schweitzer")
        for station in (QueueingStation("cpu", 4), LoadDependentStation("cpu", [1, 2, 3, 4]))
    ]
    assert found[0].residence_times == found[1].residence_times
    exact = solve(found[0].network, "exact")
    assert found[0].response_times == pytest.approx(exact.response_times, rel=0.158)  # as recorded


def test_empty_classes_stay_empty():
    network = Network(
        [QueueingStation("cpu")],
        [ClosedClass("none", 0, 1.0), ClosedClass("some", 5, 1.0), ClosedClass("more", 3)],
        [[0.1], [0.1], [0.3]],
    )
    solution = solve(network, "bard-schweitzer")
    assert solution.throughputs[0] == 0.0
    assert solution.residence_times[0] == (0.0,)
    without = Network(network.stations, network.classes[1:], network.demand[1:])
    assert solution.throughputs[1:] == pytest.approx(solve(without, "bard-schweitzer").throughputs)


def test_a_class_that_only_thinks():
    network = Network(
        [QueueingStation("cpu")],
        [ClosedClass("idle", 4, 2.0), ClosedClass("users", 3)],
        [[0.0], [0.5]],
    )
    solution = solve(network, "bard-schweitzer")
    assert solution.throughputs == pytest.approx([2.0, 2.0], rel=1e-9)


@pytest.mark.parametrize("classes", [1, 3])
def test_stopping_early_hands_over_the_last_iterate(classes):
    network = random_network(3, classes)
    with pytest.raises(NotConverged, match="asked for 1e-10") as caught:
        bard_schweitzer.solve(network, steps=2)
    assert caught.value.tolerance == 1e-10
    assert caught.value.last.iterations == 2
    assert caught.value.last.residual > 1e-10
    assert len(caught.value.last.throughputs) == classes


def test_stations_that_slow_down_are_refused():
    stations = [LoadDependentStation("disks", [1.0, 1.5, 1.2])]
    network = Network(stations, [ClosedClass("users", 3)], [1.0])
    with pytest.raises(NotApplicable, match="'disks' slows down as customers come"):
        solve(network, "bard-schweitzer")
