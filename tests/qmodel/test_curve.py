"""Curves: every point is the solution at its population, in whatever order it is asked for."""

import numpy as np
import pytest

from qmodel import (
    ClosedClass,
    DelayStation,
    InvalidInput,
    InvalidNetwork,
    LoadDependentStation,
    Network,
    OpenClass,
    QueueingStation,
    curve,
    solve,
)

SINGLE_SERVERS = Network(
    [QueueingStation("cpu"), QueueingStation("disk"), DelayStation("lan")],
    [ClosedClass("users", 1, think_time=3.0)],
    [0.3, 0.2, 0.1],
)
ANY_STATIONS = Network(
    [
        QueueingStation("cpu", 3),
        QueueingStation("disk"),
        LoadDependentStation("array", [1, 3, 2]),
        DelayStation("lan"),
        QueueingStation("unused"),
    ],
    [ClosedClass("users", 1, think_time=3.0)],
    [0.6, 0.2, 0.3, 0.1, 0.0],
)
NO_FLOAT_HOLDS_IT = Network(
    [QueueingStation("cpu", 4), QueueingStation("disk")],
    [ClosedClass("users", 1, think_time=1e4)],
    [8.0, 1.9],
)
SEVERAL_CLASSES = Network(
    [QueueingStation("cpu"), QueueingStation("disk")],
    [ClosedClass("edit", 3, 5.0), ClosedClass("search", 4, 2.0)],
    [[0.3, 0.2], [0.1, 0.4]],
)


def assert_is_the_solution(point, expected):
    assert point.network == expected.network
    assert point.throughputs == pytest.approx(expected.throughputs, rel=1e-13)
    for row, expected_row in zip(point.residence_times, expected.residence_times, strict=True):
        assert row == pytest.approx(expected_row, rel=1e-12)


@pytest.mark.parametrize(
    ("network", "populations"),
    [
        (SINGLE_SERVERS, [0, 1, 2, 3, 10, 40, 200, 3000]),
        (ANY_STATIONS, [0, 1, 2, 3, 10, 40, 200, 3000]),
        (NO_FLOAT_HOLDS_IT, [1, 100, 3000]),
    ],
)
def test_every_point_is_the_solution_there(network, populations):
    found = curve(network, populations)
    for population, point in zip(populations, found, strict=True):
        assert_is_the_solution(point, solve(network.with_population(population)))


def test_unsorted_and_repeated_populations_keep_their_places():
    found = curve(SINGLE_SERVERS, [7, 2, 7, 0])
    assert found.populations == (7, 2, 7, 0)
    assert found.throughputs[0] == found.throughputs[2]
    assert found.throughputs[3] == (0.0,)
    assert_is_the_solution(found[1], solve(SINGLE_SERVERS.with_population(2)))


def test_arrays_have_populations_in_front():
    found = curve(SINGLE_SERVERS, range(1, 6))
    assert found.population.tolist() == [1, 2, 3, 4, 5]
    assert found.throughput.shape == found.response_time.shape == (5, 1)
    assert found.residence_time.shape == found.queue_length.shape == (5, 1, 3)
    last = solve(SINGLE_SERVERS.with_population(5))
    np.testing.assert_allclose(found.utilization[-1], last.utilization, rtol=1e-13)
    np.testing.assert_allclose(found.queue_length[-1], last.queue_length, rtol=1e-13)
    np.testing.assert_allclose(found.response_time[-1], last.response_time, rtol=1e-13)


@pytest.mark.parametrize("vary", ["edit", "search"])
def test_one_class_of_several_varies(vary):
    found = curve(SEVERAL_CLASSES, [0, 5, 2], vary=vary)
    for population, point in zip(found.populations, found, strict=True):
        others = {"edit": (population, 4), "search": (3, population)}[vary]
        assert_is_the_solution(point, solve(SEVERAL_CLASSES.with_population(*others)))


def test_a_named_method_is_used():
    found = curve(SINGLE_SERVERS, [3, 5], method="bard-schweitzer")
    assert found.method == "bard-schweitzer"
    assert_is_the_solution(found[1], solve(SINGLE_SERVERS.with_population(5), "bard-schweitzer"))


def test_throughput_rises_and_is_concave_and_response_time_rises():
    found = curve(ANY_STATIONS, range(1, 400))
    slope = np.diff(curve(SINGLE_SERVERS, range(400)).throughput[:, 0])
    assert (slope >= -1e-13).all()
    assert (np.diff(slope) <= 1e-13).all()
    assert (np.diff(found.response_time[:, 0]) >= -1e-12).all()


def test_the_class_must_be_clear():
    with pytest.raises(InvalidInput, match="a class must be named; there is edit, search"):
        curve(SEVERAL_CLASSES, [1, 2])
    with pytest.raises(InvalidInput, match="no closed class 'mail'; there is users"):
        curve(SINGLE_SERVERS, [1, 2], vary="mail")
    opened = Network([QueueingStation("cpu")], [OpenClass("mail", 0.5)], [[0.1]])
    with pytest.raises(InvalidInput, match="there is none"):
        curve(opened, [1, 2])


def test_populations_are_whole_numbers_and_there_is_one():
    with pytest.raises(InvalidInput, match="no population"):
        curve(SINGLE_SERVERS, [])
    for wrong in (2.5, -1, "3", float("nan"), None):
        with pytest.raises(InvalidNetwork, match="population of class 'users'"):
            curve(SINGLE_SERVERS, [1, wrong])
