"""What flows where in an open network, from the visit ratios by hand."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

import qmodel as qm
from qmodel.matrix_analytic import service_simplification
from qmodel.solvers.decomposition.open_routing import class_transitions, open_solution
from qmodel.solvers.decomposition.traffic_equations import outside_alone, traffic_of

VISITS = [[1.0, 0.5, 0.7, 0.0], [0.3, 0.8, 1.0, 0.0]]
TIMES = [[0.2, 0.6, 1.1, 0.0], [0.4, 0.3, 0.5, 0.0]]


def two_classes():
    """Two ways through three stations; nobody visits the fourth."""
    stations = [
        qm.QueueingStation("a", 2, "fcfs"), qm.DelayStation("b"),
        qm.QueueingStation("c", 1, "fcfs"), qm.QueueingStation("d", 1, "fcfs"),
    ]  # fmt: skip
    classes = [qm.OpenClass("x", 0.4, arrival_scv=0.25), qm.OpenClass("y", 0.2, arrival_scv=3.0)]
    demand = [[v * t for v, t in zip(row, times)] for row, times in zip(VISITS, TIMES)]
    scv = [[2.0, 1.0, 1.0, 1.0], [0.5, 1.0, 1.0, 1.0]]
    return qm.Network(stations, classes, demand, visit_ratio=VISITS, scv=scv)


def one_class(demand, servers=1, rate=1.0, arrival_scv=1.0):
    stations = [qm.QueueingStation(f"s{k}", servers, "fcfs") for k in range(len(demand))]
    return qm.Network(stations, [qm.OpenClass("x", rate, arrival_scv=arrival_scv)], [demand])


def test_rates_times_and_servers():
    found = traffic_of(two_classes())
    assert found.rate.tolist() == [0.4, 0.2]
    assert found.arrival_scv.tolist() == [0.25, 3.0]
    assert found.flow == pytest.approx(np.array([[0.4], [0.2]]) * VISITS)
    assert found.time == pytest.approx(np.array(TIMES))
    assert found.scv.tolist() == [[2.0, 1.0, 1.0, 1.0], [0.5, 1.0, 1.0, 1.0]]
    assert found.servers == (2.0, inf, 1.0, 1.0)


def test_a_station_is_passed_or_left_out_by_its_visit_ratio_alone():
    """After i the next one visited is j if none between them is: V_j, times 1 - V of those."""
    found = traffic_of(two_classes())
    for c, visits in enumerate(VISITS):
        for j in range(4):
            first = visits[j] * np.prod([1.0 - v for v in visits[:j]])
            assert found.entry[c, j] == pytest.approx(first, abs=1e-12)
            for i in range(4):
                next_one = visits[j] * np.prod([1.0 - v for v in visits[i + 1 : j]])
                expected = next_one if i < j and visits[i] else 0.0
                assert found.routing[c, i, j] == pytest.approx(expected, abs=1e-12)


def test_who_comes_somewhere_came_from_outside_or_from_another_station():
    found = traffic_of(two_classes())
    for c in (0, 1):
        passed = found.flow[c] @ found.routing[c]
        assert found.rate[c] * found.entry[c] + passed == pytest.approx(found.flow[c])


def test_without_visit_ratios_every_station_with_work_is_visited_once():
    network = one_class([0.5, 0.0, 0.25])
    assert [network.visits_at(0, k) for k in range(3)] == [1.0, 0.0, 1.0]
    entry, ways = class_transitions(network, 0)
    assert entry.tolist() == [1.0, 0.0, 0.0]
    assert ways.tolist() == [[0.0, 0.0, 1.0], [0.0] * 3, [0.0] * 3]
    assert traffic_of(network).flow.tolist() == [[1.0, 0.0, 1.0]]


# Arrivals from outside and nowhere else.


def test_arrivals_of_one_class_from_outside():
    traffic = traffic_of(one_class([0.5, 0.25], arrival_scv=0.25))
    assert outside_alone(traffic, 0) == 0.25
    assert outside_alone(traffic, 1) is None


def test_arrivals_that_are_some_of_a_class_or_several_classes():
    traffic = traffic_of(two_classes())
    assert [outside_alone(traffic, k) for k in range(4)] == [None] * 4
    some = qm.Network(
        [qm.QueueingStation("a")], [qm.OpenClass("x", 1.0)], [[0.25]], visit_ratio=[[0.5]]
    )
    assert outside_alone(traffic_of(some), 0) is None


# The solution.


def test_residence_is_service_and_the_waits_of_all_visits():
    network = two_classes()
    waits = [(0.1, 0.2), (0.0, 0.0), (0.3, 0.4), (9.0, 9.0)]
    solution = open_solution(network, "given", waits)
    assert solution.throughputs == (0.4, 0.2)
    for c, row in enumerate(solution.residence_times):
        expected = [v * (t + waits[k][c]) for k, (v, t) in enumerate(zip(VISITS[c], TIMES[c]))]
        assert row == pytest.approx(expected)


def test_shared_servers_slow_all_classes_by_the_work_of_their_bursts():
    classes = [qm.OpenClass("x", 0.5, arrival_scv=4.0), qm.OpenClass("y", 0.2, arrival_scv=1.0)]
    network = qm.Network(
        [qm.QueueingStation("a", 2)], classes, [[0.8], [3.0]],
        visit_ratio=[[1.0], [0.5]], scv=[[9.0], [0.0]],
    )  # fmt: skip
    times = np.array([0.8, 6.0])
    flow, counted = np.array([0.5, 0.1]), np.array([5.0, 2.0])
    mean = flow @ times / flow.sum()
    assert traffic_of(network).time[:, 0] == pytest.approx([mean, mean])
    assert traffic_of(network).scv[:, 0].tolist() == [1.0, 1.0]
    g = (flow * times**2) @ counted / (flow @ times**2) / (flow @ counted / flow.sum())
    slow = g ** (flow @ times / 2.0) / mean
    found = open_solution(network, "given", [(0.3, 0.4)]).residence_times
    assert found[0] == pytest.approx([0.8 * (1.0 + 0.3 * slow)])
    assert found[1] == pytest.approx([3.0 * (1.0 + 0.4 * slow)])
    none = replace(network, classes=[replace(c, arrival_rate=0.0) for c in classes])
    assert open_solution(none, "given", [(0.0, 0.0)]).residence_times == ((0.8,), (3.0,))


def test_many_servers_take_no_minutes(monkeypatch):
    """Sixty-four servers that are hardly ever busy at once: nobody waits, and phases stay few."""
    sizes, phases = [], service_simplification.server_phases

    def spied(services, classes, servers):
        sizes.append(sum(len(service.start) for service in services.values()) ** servers)
        return phases(services, classes, servers)

    monkeypatch.setattr(service_simplification, "server_phases", spied)
    line = qm.Network(
        [qm.QueueingStation("app", 64, "fcfs")], [qm.OpenClass("x", 10.0, arrival_scv=2.0)],
        [[0.07]], scv=[[0.7]],
    )  # fmt: skip
    assert qm.solve(line, "mmap").residence_times[0][0] == pytest.approx(0.07, rel=1e-6)
    assert max(sizes) < 100
