"""The approximate methods beyond product form against chains that follow every customer."""

import pytest

import qmodel as qm
from tests.tables import asked, rows
from tests.truth import blocked, ordered

CLASSES = [qm.ClosedClass("a", 2, 1.0), qm.ClosedClass("b", 2, 3.0, priority=1)]


def network(discipline="fcfs", demand=((0.5, 0.4), (1.5, 0.3)), servers=1, **more):
    stations = [qm.QueueingStation("cpu", servers, discipline), qm.QueueingStation("disk")]
    return qm.Network(stations, CLASSES, demand, **more)


def response_times(found):
    return [float(sum(r or 0.0 for r in row)) for row in found.residence_time]


@pytest.mark.parametrize("discipline", ["fcfs", "priority", "preemptive"])
@pytest.mark.parametrize(("servers", "scv"), [(1, 1.0), (2, 1.0), (1, 4.0), (1, 0.5)])
def test_isolation_is_exact_where_there_is_nothing_else(discipline, servers, scv):
    """With think times only around a station, its chain is the whole network's."""
    stations = [qm.QueueingStation("cpu", servers, discipline)]
    bare = qm.Network(stations, CLASSES, [[0.5], [1.5]], scv=[[1.0], [scv]])
    truth, solution = ordered.solve(bare), qm.solve(bare, "marie")
    assert response_times(truth) == pytest.approx(solution.response_times, rel=1e-9)
    assert list(truth.throughput) == pytest.approx(solution.throughputs, rel=1e-9)


#: Given phases, and by hand their starts, rates and ends at a mean of 0.6 s.
PHASES = [
    ({"probabilities": [0.95, 0.05], "rates": [19 / 6, 1 / 14]},
     ((0.95, 0.05), (19 / 3.6, 1 / 8.4), (1.0, 1.0))),
    ({"rates": [4.0, 0.5], "ends": [0.75, 1.0]}, ((1.0, 0.0), (5.0, 0.625), (0.75, 1.0))),
]  # fmt: skip


@pytest.mark.parametrize("discipline", ["fcfs", "preemptive"])
@pytest.mark.parametrize("servers", [1, 2])
@pytest.mark.parametrize(("law", "service"), PHASES)
def test_given_phases_are_exact(law, service, servers, discipline):
    given = network(discipline, ((0.6, 0.4), (0.5, 0.3)), servers,
                    distributions={("a", "cpu"): law})  # fmt: skip
    solution, truth = qm.solve(given), ordered.solve(given, services={(0, 0): service})
    assert solution.method == "global-balance"
    assert "exact for stations passed in turn and service times of the phases" in solution.reason
    assert solution.throughputs == pytest.approx(truth.throughput, rel=1e-9)
    assert response_times(truth) == pytest.approx(solution.response_times, rel=1e-9)


@pytest.mark.parametrize(("method", "worst"), [("extended-amva", 0.025), ("marie", 0.022)])
def test_who_comes_back_before_the_station_is_empty(method, worst):
    """Several visits an interaction: time away is that of a visit, not of an interaction."""
    stations = [qm.QueueingStation("cpu", discipline="preemptive"), qm.QueueingStation("disk")]
    classes = [qm.ClosedClass("a", 4, 2.0), qm.ClosedClass("b", 1, priority=1)]
    twice = qm.Network(stations, classes, [[0.4, 0.4], [0.4, 0.2]], visit_ratio=[[2, 2], [2, 2]])
    exact = response_times(ordered.solve(twice, routes=[[0, 1, 0, 1]] * 2))
    assert qm.solve(twice, method).response_times == pytest.approx(exact, rel=worst)


@pytest.mark.parametrize(("population", "demands", "servers", "rooms"), rows(__file__, "blocking"))
def test_blocking(population, demands, servers, rooms):
    demands, servers, rooms = (asked(each, globals()) for each in (demands, servers, rooms))
    stations = [
        qm.QueueingStation(name, m, buffer=room)
        for name, m, room in zip("ab", servers, rooms, strict=True)
    ]
    found = qm.solve(qm.Network(stations, [qm.ClosedClass("c", population)], [demands]))
    assert found.method == "two-station-blocking"
    throughput, queues = blocked.solve(population, demands, servers, rooms)
    assert found.throughputs[0] == pytest.approx(throughput, rel=1e-10)
    assert found.queue_lengths[0] == pytest.approx(queues, rel=1e-10)


def test_blocking_beside_a_station_that_nobody_visits():
    places = [qm.QueueingStation("a"), qm.QueueingStation("b", buffer=2)]
    found = qm.solve(qm.Network(places, [qm.ClosedClass("c", 4)], [[1.0, 0.8]]))
    unseen = qm.solve(
        qm.Network([qm.QueueingStation("x"), *places], [qm.ClosedClass("c", 4)], [[0.0, 1.0, 0.8]])
    )
    assert unseen.throughputs == found.throughputs
    assert unseen.residence_times[0] == (0.0, *found.residence_times[0])
