"""Times at different stations of an open network go together as simulated."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import qmodel as qm
from qmodel.solvers.decomposition.mmap_network import covariances, marked_network
from qmodel.solvers.decomposition.traffic_equations import passing, traffic_of
from tests.qmodel.matrix_analytic.test_marked_flows import network

BURSTS = qm.OpenClass("x", 1.0, arrival_scv=4.0)


@cache
def solved(model):
    return marked_network(traffic_of(model))


def time_covariances(model):
    return covariances(traffic_of(model), solved(model))


def correlation(model, c, first, second):
    """Of the times at two stations."""
    sizes = []
    for k in (first, second):
        wait = solved(model).stations[k].waits[c]
        own = model.scv_at(c, k) * model.service_time_at(c, k) ** 2
        sizes.append((wait.second - wait.first**2 + own) ** 0.5)
    return time_covariances(model)[second][c, first] / (sizes[0] * sizes[1])


#: Correlations of the times at the first and the last station, class by class, simulated with 24
#: million customers each: of two stations, of three, and of two classes on different ways.
ONE_WAY = network((1, 1), [BURSTS], [[0.7, 0.8]], scv=[[0.5, 0.5]])
EVEN = network((1, 1, 4), [qm.OpenClass("x", 1.0)], [[0.68, 0.36, 3.32]], scv=[[0.25, 4, 0.5]])
TWO_WAYS = network(
    (1, 1, 1), [qm.OpenClass("round", 0.5, arrival_scv=4.0), qm.OpenClass("direct", 0.5)],
    [[0.8, 0.2, 0.9], [0.8, 0.0, 0.9]], scv=[[0.25, 0.5, 0.25]] * 2,
)  # fmt: skip
SIMULATED = [(ONE_WAY, [0.2277]), (EVEN, [0.1088]), (TWO_WAYS, [0.2452, 0.2616])]


def test_neighbours():
    assert correlation(ONE_WAY, 0, 0, 1) == pytest.approx(SIMULATED[0][1][0], rel=0.1)


def test_a_station_between_that_forgets_soon_lets_pass():
    def three(used):
        return network((1, 1, 1), [BURSTS], [[0.7, used, 0.8]], scv=[[0.5, 0.5, 0.5]])

    alone = correlation(ONE_WAY, 0, 0, 1)
    passed = [correlation(three(used), 0, 0, 2) for used in (0.05, 0.4, 0.9)]
    slow = (0.7 / 0.3**2 * 0.8 / 0.2**2) ** 0.5
    assert passed[0] == pytest.approx(alone, rel=0.03)
    for found, used in zip(passed, (0.05, 0.4, 0.9), strict=True):
        kept = 1.0 / (1.0 + 0.36 * used / (1.0 - used) ** 2 / slow)
        assert found == pytest.approx(passed[0] * kept, rel=0.01)


def test_what_is_slow_passes_a_station_between():
    """A quarter: even work in order at the first, and a last station that is nearly full."""
    assert correlation(EVEN, 0, 0, 2) == pytest.approx(SIMULATED[1][1][0], abs=0.05)


def test_classes_on_different_ways_come_of_the_same_flow():
    """One class goes round by a second station; in the third it meets the other one again."""
    for c, known in enumerate(SIMULATED[2][1]):
        assert correlation(TWO_WAYS, c, 0, 2) == pytest.approx(known, abs=0.04)


def test_who_comes_directly_keeps_all_of_it():
    """Half of seven in ten; the others pass a station that is slow, or one that is not."""

    def some(used):
        times = [[0.6, 0.5 * used, 0.7 * 0.9]]
        return network((1, 1, 1), [BURSTS], times, scv=[[0.5] * 3], visit_ratio=[[1.0, 0.5, 0.7]])

    found, left = [], []
    for used in (0.1, 1.7):
        found.append(correlation(some(used), 0, 0, 2))
        between = used / (1.0 - 0.5 * used) ** 2
        slow = (0.6 / 0.4**2 * 0.9 / (1.0 - 0.63) ** 2) ** 0.5
        left.append(0.5 + 0.5 / (1.0 + 0.36 * between / slow))
    assert found[1] / found[0] == pytest.approx(left[1] / left[0], rel=1e-6)
    assert left[1] / left[0] < 0.6


def test_ways_through_several_stations():
    """Nobody stays at the two in the middle: entries and ways there become ways past them."""
    line = network((1, 1, 1, 1), [BURSTS], [[0.5] * 4], visit_ratio=[[0.6, 0.7, 0.8, 0.9]])
    traffic = traffic_of(line)
    short = passing(traffic, 0, 3)
    assert not short.routing[:, :, 1:3].any()
    assert not short.entry[:, 1:3].any()
    arrived = float(short.entry[0, 3] + 0.6 * short.routing[0, 0, 3])
    assert arrived == pytest.approx(0.9)
    same = passing(traffic, 2, 3)
    assert np.array_equal(same.routing, traffic.routing)


def test_only_who_passes_both_has_times_at_both():
    classes = [qm.OpenClass("x", 0.5, arrival_scv=4.0), qm.OpenClass("y", 0.3)]
    model = network((1, 1, 1, 1), classes, [[0.7, 0.5, 0.6, 0.5], [0.0, 0.9, 0.0, 0.8]])
    known = [set(one) for one in time_covariances(model)]
    assert known == [set(), {(0, 0)}, {(0, 0), (0, 1)}, {(0, 0), (0, 1), (0, 2), (1, 1)}]


def test_bursts_pass_a_delay_of_one_time_on_their_way():
    at = [qm.QueueingStation(name, 1, "fcfs") for name in "abc"]
    without = qm.Network(at, [BURSTS], [[0.7, 0.4, 0.8]], scv=[[0.5] * 3])
    delay = qm.DelayStation("d")
    between = replace(
        without, stations=[at[0], delay, *at[1:]], demand=[[0.7, 9.0, 0.4, 0.8]],
        scv=[[0.5, 0.0, 0.5, 0.5]],
    )  # fmt: skip
    assert correlation(between, 0, 0, 3) == pytest.approx(correlation(without, 0, 0, 2))
    first = replace(
        between, stations=[delay, *at], demand=[[9.0, 0.7, 0.4, 0.8]], scv=[[0.0, 0.5, 0.5, 0.5]]
    )
    assert correlation(first, 0, 1, 3) == pytest.approx(correlation(without, 0, 0, 2))
    scatters = replace(between, scv=[[0.5, 1.0, 0.5, 0.5]])
    assert correlation(scatters, 0, 0, 3) < 0.9 * correlation(without, 0, 0, 2)


def test_percentiles_know_that_times_go_together():
    """Simulated with 24 million customers: 25.23 s."""
    found = qm.percentiles(qm.solve(ONE_WAY, "mmap"), [0.95]).response_times[0][0]
    assert found == pytest.approx(25.23, rel=0.03)
