"""Populations of one mix, and second differences: exact for few customers, near elsewhere."""

import pytest

import qmodel as qm
from qmodel.solvers.amva import linearizer, linearizer_core, second_differences
from qmodel.solvers.amva import proportional_mva as rays
from qmodel.solvers.amva.closed_model import model_of
from qmodel.solvers.amva.multiserver import DEFAULT

STATIONS = [qm.QueueingStation("cpu"), qm.QueueingStation("disk"), qm.DelayStation("lan")]


def users(*populations, think_time=30.0):
    return [qm.ClosedClass(f"c{c}", n, think_time) for c, n in enumerate(populations)]


def test_along_the_ray_one_class_is_exact():
    network = qm.Network(STATIONS, users(77), [[0.41, 0.1, 0.3]])
    throughput, times = rays.along(model_of(network, DEFAULT))
    exact = qm.solve(network, "exact")
    assert throughput.tolist() == pytest.approx(exact.throughputs, rel=1e-12)
    assert times[0].tolist() == pytest.approx(exact.residence_times[0][:2], rel=1e-10)


@pytest.mark.parametrize(
    ("populations", "demand"),
    [((20, 30), [[3.0, 0.05], [1.0, 0.3]]), ((12, 37), [[12.0, 0.05], [0.0, 0.3]])],
)
def test_classes_that_come_unequally_to_many_servers_are_near(populations, demand):
    """One of them not at all in the second: the load falls by its own customers only."""
    stations = [qm.QueueingStation("a", 16), qm.QueueingStation("b")]
    pairs = zip(populations, (1.0, 5.0), strict=True)
    classes = [qm.ClosedClass(f"c{n}", n, think_time) for n, think_time in pairs]
    network = qm.Network(stations, classes, demand)
    exact = qm.solve(network, "exact")
    model = model_of(network, DEFAULT)
    throughput, times = rays.along(model)
    order = [populations.index(n) for n in model.closed.population]
    assert throughput == pytest.approx([exact.throughputs[c] for c in order], rel=0.006)
    for row, c in zip(times, order, strict=True):
        assert row.tolist() == pytest.approx(exact.residence_times[c], rel=0.008)
    found = second_differences.solve(network)
    assert found.response_times == pytest.approx(exact.response_times, rel=0.0012)


@pytest.mark.parametrize(("populations", "within"), [((1, 1), 1e-12), ((2, 1), 0.02)])
def test_two_different_customers_are_exact_and_three_are_near(populations, within):
    """The second sees the first alone, who is what the ray of its class holds of one customer."""
    stations = [qm.QueueingStation("a"), qm.QueueingStation("b")]
    classes = [
        qm.ClosedClass(f"c{c}", n, 1.0 + c) for c, n in enumerate(populations)
    ]  # the larger first, as the model has them
    network = qm.Network(stations, classes, [[0.5, 0.1], [0.2, 0.7]])
    exact = qm.solve(network, "exact")
    throughput, times = rays.along(model_of(network, DEFAULT))
    assert throughput == pytest.approx(exact.throughputs, rel=within)
    for mine, theirs in zip(times, exact.residence_times, strict=True):
        assert mine.tolist() == pytest.approx(theirs, rel=within)


@pytest.mark.parametrize("populations", [(20, 30, 27), (1, 40, 34), (25, 50)])
def test_classes_that_are_alike_are_one(populations):
    """About to saturate: the neighbours alone are off by several percent here."""
    rows = [[0.41, 0.1, 0.3]] * len(populations)
    network = qm.Network(STATIONS, users(*populations), rows)
    together = qm.Network(STATIONS, users(sum(populations)), rows[:1])
    exact = qm.solve(together, "exact").response_times[0]
    found = second_differences.solve(network).response_times
    assert found == pytest.approx([exact] * len(populations), rel=1e-6)
    far = qm.solve(network, "linearizer").response_times[0]
    assert abs(far / exact - 1.0) > 0.01


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
def test_three_customers_at_single_servers_are_exact(populations, monkeypatch):
    monkeypatch.setattr(linearizer_core, "PASSES", 40)
    rows = [[0.3, 0.5], [0.7, 0.1], [0.2, 0.9]][: len(populations)]
    network = two_stations((1, 1), populations, rows)
    assert error(second_differences.solve(network), network) < 1e-8
    if sum(populations) == 3:
        assert error(linearizer.solve(network), network) > 1e-6


@pytest.mark.parametrize("populations", [(1,), (2,), (1, 1)])
def test_two_customers_at_several_servers_are_exact(populations, monkeypatch):
    monkeypatch.setattr(linearizer_core, "PASSES", 40)
    stations = [qm.LoadDependentStation("array", [1.0, 1.4, 1.7]), qm.QueueingStation("cpu")]
    classes = [qm.ClosedClass(f"c{c}", n, 1.0) for c, n in enumerate(populations)]
    network = qm.Network(stations, classes, [[0.9, 0.4], [0.3, 0.8]][: len(populations)])
    assert error(second_differences.solve(network), network) < 1e-8


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


def test_what_stops_early_says_so(monkeypatch):
    monkeypatch.setattr(linearizer_core, "STEPS", 2)
    network = two_stations((4, 1), (12, 8), [[3.0, 0.4], [1.0, 0.9]])
    with pytest.raises(qm.NotConverged):
        second_differences.solve(network)


@pytest.mark.parametrize(
    ("classes", "refusal"), [(23, None), (24, "24 classes take 5.18e+06 numbers, it takes 5e+06")]
)
def test_numbers_of_one_evaluation_are_counted_and_limited(classes, refusal):
    """For each pair of classes a number of each class at each of 30 stations, by class."""
    demand = [[0.1 + 0.01 * k for k in range(30)]] * classes
    many = two_stations((1,) * 30, (2,) * classes, demand)
    assert second_differences.why_not(many) == refusal
