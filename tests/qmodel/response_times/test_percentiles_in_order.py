"""Percentiles of closed networks whose service is not exponential, against chains and means."""

import pytest

import qmodel as qm
from qmodel.numerics.laplace import mean
from qmodel.response_times.assumptions import orders
from qmodel.response_times.route import route_of, station_times
from tests.truth.tandem import Passage, balanced, erlang

SHARES = (0.5, 0.9, 0.95, 0.99)


def phases(time, scv):
    return balanced(time, scv) if scv > 1 else erlang(time, round(1 / scv))


def in_turn(population, think_time, *stations):
    """A network of stations (time, SCV) that are passed in turn, and the exact passage."""
    network = qm.Network(
        [qm.QueueingStation(f"s{k}", 1, "fcfs") for k in range(len(stations))],
        [qm.ClosedClass("users", population, think_time)],
        [[time for time, _ in stations]],
        scv=[[scv for _, scv in stations]],
    )
    return network, Passage(population, think_time, [phases(*each) for each in stations])


@pytest.mark.parametrize("scv", [0.25, 0.5, 2.0, 8.0])
@pytest.mark.parametrize("population", [1, 2, 9])
def test_one_station_and_terminals_are_exact(population, scv):
    network, true = in_turn(population, 1.5, (0.3, scv))
    found = qm.percentiles(qm.solve(network), SHARES)
    assert found.response_times[0] == pytest.approx(list(map(true.percentile, SHARES)), rel=2e-6)
    assert found.sojourn_times[0][0] == pytest.approx(found.response_times[0], rel=1e-6)


@pytest.mark.parametrize(
    ("network", "true"),
    [
        in_turn(6, 2.0, (0.3, 4.0), (0.2, 1.0)),
        in_turn(6, 2.0, (0.2, 1.0), (0.3, 4.0)),
        in_turn(10, 2.0, (0.25, 0.25), (0.15, 4.0)),
        in_turn(8, 2.0, (0.3, 4.0), (0.2, 0.25)),
        in_turn(5, 1.0, (0.3, 0.5), (0.2, 2.0), (0.25, 0.25)),
    ],
    ids=["varied first", "varied last", "both", "bursts", "three"],
)
def test_stations_in_turn_are_near(network, true):
    found = qm.percentiles(qm.solve(network), SHARES)
    expected = list(map(true.percentile, SHARES))
    # What is said of such networks: p95 and p99 off by 4.9 % at worst.
    assert found.response_times[0][2:] == pytest.approx(expected[2:], rel=0.049)
    assert found.response_times[0][:2] == pytest.approx(expected[:2], rel=0.06)
    said = "p95 off by" if len(network.stations) < 3 else "errors not recorded"
    assert f"independent, given what is found ({said}" in found.assumptions[0]


def test_the_true_passage_is_that_of_product_form_for_exponential_service():
    _, true = in_turn(6, 2.0, (0.3, 1.0), (0.2, 1.0))
    plain = qm.Network(
        [qm.QueueingStation("a", 1, "fcfs"), qm.QueueingStation("b", 1, "fcfs")],
        [qm.ClosedClass("users", 6, 2.0)],
        [[0.3, 0.2]],
    )
    solution = qm.solve(plain)
    assert true.mean() == pytest.approx(solution.response_times[0], rel=1e-10)
    expected = qm.percentiles(solution, SHARES).response_times[0]
    assert list(map(true.percentile, SHARES)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("servers", [1, 2])
@pytest.mark.parametrize("visits", [None, [[1.0, 1.0], [2.0, 1.0]]])
def test_several_classes_wait_as_the_solution_says(servers, visits):
    network = qm.Network(
        [qm.QueueingStation("a", servers, "fcfs"), qm.QueueingStation("b", 1, "fcfs")],
        [qm.ClosedClass("long", 4, 2.0), qm.ClosedClass("short", 3, 1.0)],
        [[0.4 * servers, 0.2], [0.1 * servers, 0.3]],
        scv=[[4.0, 0.5], [1.0, 2.0]],
        visit_ratio=visits,
    )
    solution = qm.solve(network, "marie")
    for c in (0, 1):
        route = route_of(solution, c, orders(network), station_times(solution))
        for k in (0, 1):
            here = solution.residence_times[c][k] / (visits[c][k] if visits else 1.0)
            assert mean(route.sojourn(k), 1.0) == pytest.approx(here, rel=1e-7)
        if visits is None:
            assert mean(route.response, 1.0) == pytest.approx(solution.response_times[c], rel=1e-7)
