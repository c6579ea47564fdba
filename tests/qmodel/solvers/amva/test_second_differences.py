"""Linearizer with second differences against exact solutions, and what it refuses."""

from __future__ import annotations

import pytest

import qmodel as qm
from qmodel.solvers.amva import linearizer, second_differences

NAME = second_differences.NAME


def two_stations(servers, populations, demand, think_time=1.0):
    stations = [qm.QueueingStation(f"s{k}", m) for k, m in enumerate(servers)]
    classes = [qm.ClosedClass(f"c{c}", n, think_time) for c, n in enumerate(populations)]
    return qm.Network(stations, classes, demand)


def worst(network, method):
    """The largest relative error of a response time."""
    return error(qm.solve(network, method), network)


def error(solution, network):
    """The largest relative error of a response time."""
    pairs = zip(solution.response_times, qm.solve(network, "exact").response_times, strict=True)
    return max(abs(a - b) / b for a, b in pairs)


@pytest.mark.parametrize("populations", [(1,), (2,), (3,), (1, 1), (2, 1), (1, 1, 1)])
def test_three_customers_at_single_servers_are_exact(populations):
    rows = [[0.3, 0.5], [0.7, 0.1], [0.2, 0.9]][: len(populations)]
    network = two_stations((1, 1), populations, rows)
    assert error(second_differences.solve(network, passes=40), network) < 1e-8
    if sum(populations) == 3:
        assert error(linearizer.solve(network, passes=40), network) > 1e-6


@pytest.mark.parametrize("populations", [(1,), (2,), (1, 1)])
def test_two_customers_at_several_servers_are_exact(populations):
    stations = [qm.LoadDependentStation("array", [1.0, 1.4, 1.7]), qm.QueueingStation("cpu")]
    classes = [qm.ClosedClass(f"c{c}", n, 1.0) for c, n in enumerate(populations)]
    network = qm.Network(stations, classes, [[0.9, 0.4], [0.3, 0.8]][: len(populations)])
    assert error(second_differences.solve(network, passes=40), network) < 1e-8


def test_too_many_classes_are_refused_and_left_to_linearizer():
    size = 60
    network = qm.Network(
        [qm.QueueingStation(f"s{k}") for k in range(10)],
        [qm.ClosedClass(f"c{c}", 5) for c in range(size)],
        [[0.1 + 0.01 * ((c * 7 + k * 3) % 11) for k in range(10)] for c in range(size)],
    )
    assert "60 classes" in qm.methods_for(network)[NAME]
    with pytest.raises(qm.NotApplicable, match="60 classes"):
        qm.solve(network, NAME)
    assert qm.solve(network).method == "linearizer"


def test_what_stops_early_says_so():
    network = two_stations((4, 1), (12, 8), [[3.0, 0.4], [1.0, 0.9]])
    with pytest.raises(qm.NotConverged):
        second_differences.solve(network, steps=2)


@pytest.mark.parametrize(
    ("classes", "refusal"), [(23, None), (24, "24 classes take 5.18e+06 numbers, it takes 5e+06")]
)
def test_numbers_of_one_evaluation_are_counted_and_limited(classes, refusal):
    """For each pair of classes a number of each class at each of 30 stations, by class."""
    demand = [[0.1 + 0.01 * k for k in range(30)]] * classes
    many = two_stations((1,) * 30, (2,) * classes, demand)
    assert second_differences.why_not(many) == refusal
