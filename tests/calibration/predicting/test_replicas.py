"""Replicas of a server: what copies change, and what they leave."""

from dataclasses import replace

import pytest

import qmodel as qm
from advisor.engine import review
from advisor.findings.verdict import verdict_of
from advisor.predicting.prediction import outlook
from advisor.sizing.search import size
from calibration.estimation.data import NOT_MEASURED
from calibration.hardware.server import ServerNetwork
from calibration.model_evaluation.network import BACKGROUND
from calibration.predicting.replicas import replicated
from tests.advisor.configurations import configured


def shop(users=1200, replicas=3, survive=1, targets=None, **server):
    return configured({
        "schema": 1,
        "server": {"cores": 8, "replicas": replicas, **server},
        "workload": {"users": users, "think_time": "2 s", "class": [{"name": "p", "cpu": "25 ms"}]},
        "targets": {
            "response_time": "100 ms", "utilization": 0.8, "survive": survive, **(targets or {}),
        },
    })  # fmt: skip


def one_server(users, servers=1, background=0.0):
    classes, demand = [qm.ClosedClass("users", users, 1.0)], [[0.1, 0.0]]
    if background:
        classes.append(qm.OpenClass(BACKGROUND, 1.0))
        demand.append([background, 0.0])
    stations = [qm.QueueingStation("cpu", servers), qm.DelayStation("client")]
    return ServerNetwork(
        qm.Network(stations, classes, demand), (("cpu", (0,)), ("client", (1,))), ()
    )


@pytest.mark.parametrize("copies", [1, 2, 5])
def test_one_user_meets_nobody(copies):
    solution = qm.solve(replicated(one_server(1), copies).network)
    assert solution.response_times[0] == pytest.approx(0.1, rel=1e-12)


def test_a_random_choice_is_what_a_simulation_of_it_does():
    network = replicated(one_server(60, servers=2), 2).network
    found = qm.solve(network)
    # By `qm.simulate`, a million events from seed 5: 0.578 ± 0.006 s.
    assert found.response_times[0] == pytest.approx(0.578, rel=0.03)


def test_percentiles_are_those_of_one_replica_with_its_part():
    three = outlook(shop(1200, targets={"response_time": {"p95": "1 s"}}))
    one = outlook(shop(600, replicas=1, survive=0, targets={"response_time": {"p95": "1 s"}}))
    (a,), (b,) = three.classes, one.classes
    ratios = [c.tails[0][1].mid / c.response_time.mid for c in (a, b)]
    assert ratios[0] == pytest.approx(ratios[1], rel=1e-9)


def test_each_copy_has_the_work_that_was_there_already():
    server = replicated(one_server(10, background=0.3), 3)
    users, other = server.network.demand
    assert users[:3] == pytest.approx([0.1 / 3] * 3)
    assert other[:3] == (0.3, 0.3, 0.3)
    assert dict(server.resources) == {"cpu": (0, 1, 2), "client": (3,)}


def test_a_lost_replica_is_in_every_answer():
    lost, two = shop(), shop(replicas=2, survive=0)
    assert outlook(lost) == outlook(two)
    assert verdict_of(lost, outlook(lost)).most == verdict_of(two, outlook(two)).most
    assert "with 1 of 3 replicas lost" in review(lost).sentence


def test_sizing_over_replicas_takes_the_cheapest_that_one_may_be_lost_of():
    found = size(shop(), vary=["server.replicas=1:6"])
    assert dict(found.best.settings) == {"server.replicas": 4}
    fits = [n for n in (2, 3, 4, 5) if review(shop(replicas=n)).verdict.state == "FITS"]
    assert fits[0] == 4
    assert [dict(each.settings)["server.replicas"] for each in found.front] == [2, 3, 4, 5, 6]


def test_pools_around_what_all_copies_share_are_one():
    network = qm.Network(
        [qm.QueueingStation("cpu"), qm.QueueingStation("lock")],
        [qm.ClosedClass("users", 9, 1.0)], [[0.1, 0.01]],
        limits=[qm.PopulationLimit("pool", 2, ["cpu", "lock"])],
    )  # fmt: skip
    resources = (("cpu", (0,)), (NOT_MEASURED, (1,)), ("admission", (2,)))
    both = replicated(ServerNetwork(network, resources, ()), 2)
    assert both.network.station_names == ("cpu, server 1", "cpu, server 2", "lock", "pool")
    assert both.network.limits[0].customers == 4
    assert both.network.limits[0].stations == both.network.station_names[:3]
    assert both.resources == (("cpu", (0, 1)), (NOT_MEASURED, (2,)), ("admission", (3,)))
    one = qm.solve(network).throughputs[0]
    assert one < qm.solve(both.network).throughputs[0] < 2.0 * one


def test_monitors_show_every_copy_alike():
    network = qm.Network(
        [qm.QueueingStation("cpu"), qm.DelayStation("client")], [qm.OpenClass("users", 8.0)],
        [[0.1, 0.5]], limits=[qm.PopulationLimit("pool", 2, ["cpu"])],
    )  # fmt: skip
    resources = (("cpu", (0,)), ("client", (1,)), ("admission", (2,)))
    server = ServerNetwork(network, resources, (), monitored=(lambda used: used / 2.0,))
    both = replicated(server, 2)
    seen = both.shown(qm.solve(both.network))
    assert [seen[k] for k in dict(both.resources)["cpu"]] == pytest.approx([0.2, 0.2])


@pytest.mark.parametrize("customers", [
    qm.OpenClass("users", 14.0), qm.ClosedClass("users", 9, 0.5)
])  # fmt: skip
def test_each_copy_has_a_pool_of_its_own(customers):
    network = qm.Network(
        [qm.QueueingStation("cpu", 2), qm.QueueingStation("disk")], [customers], [[0.1, 0.05]],
        limits=[qm.PopulationLimit("pool", 2, ["cpu", "disk"])],
    )  # fmt: skip
    resources = (("cpu", (0,)), ("disk", (1,)), ("admission", (2,)))
    both = replicated(ServerNetwork(network, resources, ()), 2)
    assert [limit.customers for limit in both.network.limits] == [2, 2]
    assert both.resources == (("cpu", (0, 2)), ("disk", (1, 3)), ("admission", (4, 5)))
    found, simulated = qm.solve(both.network), qm.simulate(both.network, precision=0.02, seed=3)
    assert found.response_times[0] == pytest.approx(simulated["users"].value, rel=0.04)
    if isinstance(customers, qm.OpenClass):  # who come by chance to one of two are two by chance
        one = qm.solve(replace(network, classes=(replace(customers, arrival_rate=7.0),)))
        assert found.response_times[0] == pytest.approx(one.response_times[0], rel=1e-9)
