"""Servers that no customer is there for cost neither time nor memory, and change nothing."""

import pytest

import qmodel as qm

THINK, CPU, DISK = 1.0, 0.1, 0.02


def network(servers, *populations):
    return qm.Network(
        [qm.QueueingStation("cpu", servers=servers), qm.QueueingStation("disk")],
        [qm.ClosedClass(f"class {i}", n, THINK) for i, n in enumerate(populations)],
        [[CPU, DISK]] * len(populations),
    )


@pytest.mark.parametrize("populations", [(1,), (3,), (50,), (2, 3)])
def test_a_thousand_million_servers_are_a_delay(populations):
    several = qm.solve(network(10**9, *populations))
    without = qm.Network(
        [qm.DelayStation("cpu"), qm.QueueingStation("disk")],
        several.network.classes,
        several.network.demand,
    )
    assert several.throughputs == pytest.approx(qm.solve(without).throughputs, rel=1e-12)


def test_a_sweep_and_a_curve_over_such_a_station():
    model = network(10**9, 40)
    swept = qm.sweep(model, vary={"population": [1, 7, 40]})
    curve = qm.curve(model, [1, 7, 40])
    for i, n in enumerate((1, 7, 40)):
        alone = qm.solve(network(n, n)).throughputs[0]
        assert float(swept.throughput[i, 0]) == pytest.approx(alone, rel=1e-12)
        assert curve.throughputs[i][0] == pytest.approx(alone, rel=1e-12)


def test_such_a_station_beside_one_that_is_no_part_of_product_form():
    disk = qm.QueueingStation("disk", discipline="fcfs")
    users = [qm.ClosedClass("users", 4, THINK)]
    several, delay = (
        qm.Network([cpu, disk], users, [CPU, DISK], scv=[1.0, 3.0])
        for cpu in (qm.QueueingStation("cpu", servers=10**9), qm.DelayStation("cpu"))
    )
    assert qm.solve(several).throughputs == pytest.approx(qm.solve(delay).throughputs, rel=1e-6)
