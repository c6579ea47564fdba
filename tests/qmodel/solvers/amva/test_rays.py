"""Populations of one mix, customer by customer: exact where classes are alike, near elsewhere."""

import pytest

import qmodel as qm
from qmodel.solvers.amva import proportional_mva as rays
from qmodel.solvers.amva import second_differences
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
    """About to saturate: the neighbours alone are off by per cents here."""
    rows = [[0.41, 0.1, 0.3]] * len(populations)
    network = qm.Network(STATIONS, users(*populations), rows)
    together = qm.Network(STATIONS, users(sum(populations)), rows[:1])
    exact = qm.solve(together, "exact").response_times[0]
    found = second_differences.solve(network).response_times
    assert found == pytest.approx([exact] * len(populations), rel=1e-6)
    far = qm.solve(network, "linearizer").response_times[0]
    assert abs(far / exact - 1.0) > 0.01
