"""Answers beside exact ones: closed forms, other solvers, Markov chains. The rows say of what."""

import pytest

import qmodel as qm
from qmodel.single_station import MMm, MMmK  # noqa: F401, named in the tables
from tests.tables import asked, rows
from tests.truth import blocked, nested  # noqa: F401

Q, OPEN, CLOSED = qm.QueueingStation, qm.OpenClass, qm.ClosedClass


def both(network, method="auto"):
    """Throughputs and response times."""
    found = qm.solve(network, method)
    return (*found.throughputs, *found.response_times)


def one(discipline, classes, times, servers=1):
    return qm.Network([Q("cpu", servers, discipline)], classes, [[time] for time in times])


def lossy(rate, room, *times):
    """Stations in turn, the last of which has so much room."""
    stations = [Q(f"s{k}", discipline="fcfs") for k in range(len(times))]
    limits = [qm.PopulationLimit("room", room, [stations[-1].name], full="reject")]
    return qm.Network(stations, [OPEN("reads", rate)], [times], limits=limits)


def pools(*sizes, only=None, most=2):
    """Threads that hold a connection, held by one class or by all."""
    threads = qm.PopulationLimit("threads", 3, ["app", "db"], only)
    limits = [threads, qm.PopulationLimit("connection", 1, ["db"], only)]
    classes = [CLOSED(f"c{c}", n, 0.4) for c, n in enumerate(sizes)]
    times = [[0.12, 0.2]] * len(sizes)
    return qm.Network([Q("app", 2), Q("db")], classes, times, limits=limits[:most])


def rooms(population, *rooms):
    stations = [Q(f"s{k}", 1, "fcfs", room) for k, room in enumerate(rooms)]
    return qm.Network(stations, [CLOSED("u", population)], [[1.0, 0.8]])


def chain(population, *rooms, first=1.0):
    """The throughput of the same."""
    return blocked.solve(population, (first, 0.8), (1, 1), rooms)[0] if population else 0.0


@pytest.mark.parametrize(("call", "exact", "within"), rows(__file__, "answers"))
def test_answers(call, exact, within):
    expected = asked(exact, globals())
    assert asked(call, globals()) == pytest.approx(expected, rel=within, abs=0, nan_ok=True)
