"""Percentiles of layered models: networks, simulation, and late shares that are their inverse."""

import pytest

import qmodel as qm
from benchmarks.layered_percentiles import errors

USERS = [qm.Users("clients", 30, 1.0, {"page": 1.0})]
APP = qm.Processor("app", 4)


def test_without_pools_they_are_those_of_the_network():
    web = qm.Service("web", [qm.Entry("page", 0.1)], processor="app")
    layered = qm.solve_layers(qm.Layered(USERS, [web], [APP]))
    network = qm.Network(
        [qm.QueueingStation("app", 4)], [qm.ClosedClass("clients", 30, 1.0)], [0.1]
    )
    plain = qm.percentiles(qm.solve(network, method="exact"), (0.5, 0.99))["clients"]
    assert qm.percentiles(layered, (0.5, 0.99))["clients"] == pytest.approx(plain, rel=0.01)


#: Calls, whether as many each time, and p90 and p95 by `qm.simulate`, a million events from seed 0.
SEEN = [(2.0, False, (0.526, 0.735)), (2.0, True, (0.355, 0.419)), (0.3, False, (0.0929, 0.141)),
        (1.0, True, (0.142, 0.175))]  # fmt: skip


@pytest.mark.parametrize(("calls", "fixed", "seen"), SEEN)
def test_with_a_pool_they_are_near_simulation(calls, fixed, seen):
    web = qm.Service("web", [qm.Entry("page", 0.02, {"query": calls}, fixed=fixed)], 40, "app")
    pool = qm.Service("db", [qm.Entry("query", 0.05)], 3, "disks")
    model = qm.Layered(USERS, [web, pool], [APP, qm.Processor("disks", 4)])
    said = qm.percentiles(qm.solve_layers(model), (0.9, 0.95))["clients"]
    assert list(said.values()) == pytest.approx(seen, rel=0.1)


def test_late_shares_are_their_inverse():
    web = qm.Service("web", [qm.Entry("page", 0.1, {"query": 2}, fixed=True)], 4, "app")
    deep = qm.Service("db", [qm.Entry("query", 0.05)], 2, "app")
    found = qm.solve_layers(qm.Layered(USERS, [web, deep], [APP]))
    times = qm.percentiles(found, (0.3, 0.95))["clients"]
    late = qm.late_shares(found, tuple(times.values()))["clients"]
    assert list(late.values()) == pytest.approx([0.7, 0.05], rel=1e-4)


@pytest.mark.parametrize("processor", ["web threads", "threads of web", "no queue"])
def test_names_are_the_users_and_a_service_may_take_no_time(processor):
    web = qm.Service("web", [qm.Entry("page", 0.1, {"note": 1.0})], 4, processor)
    note = qm.Service("note", [qm.Entry("note", 0.0)], 2, processor)
    found = qm.solve_layers(qm.Layered(USERS, [web, note], [qm.Processor(processor)]))
    assert qm.percentiles(found, 0.95)["clients"][0.95] > found["clients"].response_time


def test_what_takes_no_time_has_no_percentiles():
    web = qm.Service("web", [qm.Entry("page", 0.0)], 4, "app")
    found = qm.solve_layers(qm.Layered(USERS, [web], [APP]))
    assert found["clients"].throughput == pytest.approx(30.0)
    assert qm.percentiles(found, 0.95)["clients"][0.95] == 0.0
    assert qm.late_shares(found, 1.0)["clients"][1.0] == 0.0


def test_the_record():
    """Of the recorded models some, with room for the worst of them."""
    off = [abs(e) for each in errors(7).values() for e in each[0.95]]
    assert sorted(off)[len(off) // 2] < 0.1
    assert max(off) < 0.35
