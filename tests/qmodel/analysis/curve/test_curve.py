"""Curves: every point is the solution at its population, in whatever order it is asked for."""

import pytest

import qmodel as qm
from tests.tables import asked, rows

SINGLE_SERVERS = qm.Network(
    [qm.QueueingStation("cpu"), qm.QueueingStation("disk"), qm.DelayStation("lan")],
    [qm.ClosedClass("users", 1, think_time=3.0)],
    [0.3, 0.2, 0.1],
)
ANY_STATIONS = qm.Network(
    [
        qm.QueueingStation("cpu", 3), qm.QueueingStation("disk"),
        qm.LoadDependentStation("array", [1, 3, 2]), qm.DelayStation("lan"),
        qm.QueueingStation("unused"),
    ],
    [qm.ClosedClass("users", 1, think_time=3.0)],
    [0.6, 0.2, 0.3, 0.1, 0.0],
)  # fmt: skip
NO_FLOAT_HOLDS_IT = qm.Network(
    [qm.QueueingStation("cpu", 4), qm.QueueingStation("disk")],
    [qm.ClosedClass("users", 1, think_time=1e4)],
    [8.0, 1.9],
)
SEVERAL_CLASSES = qm.Network(
    [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
    [qm.ClosedClass("edit", 3, 5.0), qm.ClosedClass("search", 4, 2.0)],
    [[0.3, 0.2], [0.1, 0.4]],
)


def assert_is_the_solution(point, expected):
    assert point.network == expected.network
    assert point.throughputs == pytest.approx(expected.throughputs, rel=1e-13)
    for row, expected_row in zip(point.residence_times, expected.residence_times, strict=True):
        assert row == pytest.approx(expected_row, rel=1e-12)


@pytest.mark.parametrize(
    ("network", "populations"), rows(__file__, "every_point_is_the_solution_there")
)
def test_every_point_is_the_solution_there(network, populations):
    network = asked(network, globals())
    found = qm.curve(network, populations)
    for population, point in zip(populations, found, strict=True):
        assert_is_the_solution(point, qm.solve(network.with_population(population)))


def test_a_named_method_is_used():
    found = qm.curve(SINGLE_SERVERS, [3, 5], method="bard-schweitzer")
    assert found.method == "bard-schweitzer"
    assert_is_the_solution(found[1], qm.solve(SINGLE_SERVERS.with_population(5), "bard-schweitzer"))


def test_the_class_must_be_clear():
    with pytest.raises(qm.InvalidInput, match="a class must be named; there is edit, search"):
        qm.curve(SEVERAL_CLASSES, [1, 2])
    with pytest.raises(qm.InvalidInput, match="no closed class 'mail'; there is users"):
        qm.curve(SINGLE_SERVERS, [1, 2], vary="mail")
    opened = qm.Network([qm.QueueingStation("cpu")], [qm.OpenClass("mail", 0.5)], [[0.1]])
    with pytest.raises(qm.InvalidInput, match="there is none"):
        qm.curve(opened, [1, 2])


def test_populations_are_whole_numbers_and_there_is_one():
    with pytest.raises(qm.InvalidInput, match="no population"):
        qm.curve(SINGLE_SERVERS, [])
    for wrong in (2.5, -1, "3", float("nan"), None):
        with pytest.raises(qm.InvalidNetwork, match="population of class 'users'"):
            qm.curve(SINGLE_SERVERS, [1, wrong])
