"""Several classes behind one limit, lumped."""

import pytest

import qmodel as qm
from qmodel.solvers.limits import aggregated_classes as lumped
from qmodel.solvers.limits.aggregated_classes import without_limit
from tests.tables import asked, rows

#: Most that a response time was seen to differ from that of `marie` below. [1]
APART = 0.1


def limited(users, most, think=(3.0, 2.0), servers=2, demand=((0.1, 0.2), (0.5, 0.3)), **more):
    classes = [
        qm.ClosedClass(name, n, z)
        for name, n, z in zip(("mail", "report"), users, think, strict=True)
    ]
    stations = [qm.QueueingStation("cpu", servers=servers), qm.QueueingStation("disk")]
    limit = qm.PopulationLimit("admission", most, ("cpu", "disk"), **more)
    return qm.Network(stations, classes, demand, limits=(limit,))


@pytest.mark.parametrize("users", [(5, 4), (8, 8), (3, 7)])
@pytest.mark.parametrize("most", [1, 3, 6])
@pytest.mark.parametrize("servers", [1, 2])
def test_lumped_classes_come_near_those_told_apart(users, most, servers):
    network = limited(users, most, servers=servers)
    apart, together = (qm.solve(network, method) for method in ("marie", "aggregated-fes"))
    assert together.response_times == pytest.approx(apart.response_times, rel=APART)
    assert together.throughputs == pytest.approx(apart.throughputs, rel=APART)


@pytest.mark.parametrize("users", [(40, 1), (80, 1)])
def test_a_task_that_never_pauses_comes_most_often_while_few_wait(users):
    network = limited(users, 2, think=(15.0, 0.0), servers=4)
    apart, together = (qm.solve(network, method) for method in ("marie", "aggregated-fes"))
    # Always there, so that users find less of a crowd than the lump does.
    assert together.response_times == pytest.approx(apart.response_times, rel=0.31)
    outside = [row[-1] for row in together.residence_times]
    assert outside[1] < 0.8 * outside[0]


def test_equal_classes_are_one_class():
    network = limited((30, 30), 4, think=(3.0, 3.0), demand=((0.1, 0.2), (0.1, 0.2)))
    one = qm.Network(
        network.stations, [qm.ClosedClass("all", 60, 3.0)], [(0.1, 0.2, 0.0)], limits=network.limits
    )
    exact = qm.solve(one, "flow-equivalent")
    found = qm.solve(network, "aggregated-fes")
    assert found.response_times == pytest.approx([exact.response_times[0]] * 2, rel=2e-3)


@pytest.mark.parametrize("think", [(3.0, 2.0), (3.0, 0.0)])
def test_without_anybody_outside_it_is_the_network_without_the_limit(think):
    network = limited((6, 7), 13, think)
    free, found = qm.solve(without_limit(network)), qm.solve(network, "aggregated-fes")
    assert found.throughputs == pytest.approx(free.throughputs, rel=1e-9)
    assert all(row[-1] == 0.0 for row in found.residence_times)


@pytest.mark.parametrize("most", [1, 3, 40])
@pytest.mark.parametrize("users", [(160, 41), (400, 1)])
def test_no_more_are_inside_than_are_let_in_and_nothing_is_busier_than_it_can_be(users, most):
    network = limited(users, most)
    found = qm.solve(network, "aggregated-fes")
    assert sum(sum(row[:-1]) for row in found.queue_lengths) <= most * (1.0 + 1e-9)
    assert max(found.station_utilizations[:-1]) <= 1.0 + 1e-9
    everybody = sum(
        x * (r + c.think_time)
        for x, r, c in zip(found.throughputs, found.response_times, network.classes, strict=True)
    )
    assert everybody == pytest.approx(sum(users))


def test_a_limit_of_one_leaves_nobody_to_queue_inside():
    network = limited((160, 41), 1)
    found = qm.solve(network, "aggregated-fes")
    for row, demand in zip(found.residence_times, network.demand, strict=True):
        assert row[:-1] == pytest.approx(demand[:-1], rel=1e-12)


REPORT = qm.ClosedClass("report", 4, 1.0)


def threads(others, demand, **more):
    """Five users of mail and others, at most two of whom are at the processor."""
    stations = [qm.QueueingStation("cpu", **more), qm.QueueingStation("disk")][: len(demand[0])]
    limits = [qm.PopulationLimit("threads", 2, ["cpu"])]
    return qm.Network(stations, [qm.ClosedClass("mail", 5, 1.0), *others], demand, limits=limits)


@pytest.mark.parametrize(("call", "reason"), rows(__file__, "whom_it_is_not_for"))
def test_whom_it_is_not_for(call, reason):
    assert reason in qm.methods_for(asked(call, globals()))["aggregated-fes"]


def test_it_is_not_exact():
    with pytest.raises(qm.NotApplicable, match="limit 'admission' lets in 3"):
        qm.solve(limited((160, 41), 3), "exact")


def test_nobody_and_a_class_of_nobody():
    assert qm.solve(limited((0, 0), 3), "aggregated-fes").throughputs == (0.0, 0.0)
    found = qm.solve(limited((0, 30), 3), "aggregated-fes")
    assert found.residence_times[0] == (0.0, 0.0, 0.0)
    alone = limited((0, 30), 3)
    one = qm.Network(alone.stations, alone.classes[1:], alone.demand[1:], limits=alone.limits)
    assert found.response_times[1] == pytest.approx(qm.solve(one).response_times[0], rel=2e-3)


def test_an_iteration_that_stops_early_carries_its_last_iterate():
    with pytest.raises(
        qm.NotConverged, match=r"^aggregated-fes: residual .* after 2 iterations"
    ) as found:
        lumped.solve(limited((160, 41), 3), rounds=2)
    assert found.value.last.iterations == 2


def test_a_station_outside_does_no_more_than_it_can():
    """Who is let in seldom is elsewhere the more often, also where others keep all busy."""
    stations = [
        qm.QueueingStation("cpu", 2), qm.QueueingStation("disk"), qm.QueueingStation("lan", 16),
    ]  # fmt: skip
    classes = [
        qm.ClosedClass("batch", 5),
        qm.ClosedClass("mail", 931, 0.003),
        qm.ClosedClass("log", 2, 9.0),
    ]
    demand = [[0.001, 0.0, 38.3], [0.218, 2e-6, 0.001], [0.0, 0.01, 0.01]]
    limit = qm.PopulationLimit("threads", 4, ["disk", "lan"])
    found = qm.solve(qm.Network(stations, classes, demand, limits=[limit]), "aggregated-fes")
    assert max(found.station_utilizations[:3]) <= 1.0 + 1e-9
    assert found.station_utilizations[0] == pytest.approx(1.0, rel=1e-2)
    assert found.residence_times[2][0] == 0.0
