"""The cluster of 2009: response times left out in turn, local replicas, attachments, releases."""

import pytest

from calibration.agreements.agreement import agreement
from calibration.agreements.published import published
from calibration.hardware.server import server_network
from calibration.hardware.task import Load
from calibration.systems import load_system
from calibration.systems.domino85.response_time import STRUCTURES
from calibration.systems.domino85.runs import load_runs
from qmodel import solve
from scripts.paper_agreement.domino85_local_replicas import growth


@pytest.fixture(scope="module")
def found():
    return agreement(load_system("domino85"))


def test_every_run_is_read_from_the_table_that_prints_it_first():
    table = published("domino85/runs", "domino_80", "transactions")
    runs = load_runs()
    assert runs.release_80.value("transactions") == table.value == 15342.0
    assert [run.value("response_time") for run in runs.every] == [33, 28, 30, 31, 37]
    assert [run.share_local for run in runs.every] == [0.2, 0.2, 0.2, 0.2, 0.0]
    assert "network" not in runs.server_based.numbers


def test_users_on_local_replicas_add_up():
    factor = growth(load_runs())
    assert load_runs().local_fraction == 0.5
    assert factor.mid == pytest.approx(1 / 0.9)
    assert (factor.low, factor.high) == pytest.approx((1 / 0.95, 1 / 0.85))


def test_volumes_without_local_replicas_are_within_four_per_cent(found):
    rows = [
        c
        for c in found.comparisons
        if c.case == "no local replicas" and c.metric.startswith(("disk", "transactions"))
    ]
    assert len(rows) == 7
    assert all(abs(c.error) <= 0.0405 for c in rows)
    assert sum(abs(c.error) for c in rows) / len(rows) < 0.04
    assert all(c.inside for c in rows)


def test_the_processor_without_local_replicas_fails_and_is_shown_failing(found):
    failing = [c for c in found.comparisons if c.known_failure]
    assert {c.metric for c in failing} == {"utilization", "response time"}
    (busy,) = (c for c in failing if c.metric == "utilization")
    assert busy.error == pytest.approx(-0.178, abs=0.001)
    assert not busy.inside
    # Even users who ask for nothing could not make up for the rise.
    assert dict(busy.baselines)["local users cost nothing"] < busy.published.value


def test_response_times_beat_a_constant_and_meet_the_target(found):
    rows = [c for c in found.comparisons if c.metric == "response time" and c.status == "left out"]
    ours = sum(abs(c.error) for c in rows) / len(rows)
    constant = sum(abs(c.error_of(dict(c.baselines)["constant"])) for c in rows) / len(rows)
    assert len(rows) == 4
    assert ours < constant
    assert ours < 0.10
    assert all(c.inside for c in rows)


def test_processor_time_is_that_of_two_servers():
    run = load_runs().daos
    for structure in STRUCTURES:
        demand = 2 * 0.395 / (12819 / 60 / structure.servers)
        assert structure.demand(run) == pytest.approx(demand)
        # M/M/2: R = D / (1 - U^2).
        assert structure.processor_time(run) == pytest.approx(1e3 * demand / (1 - 0.395**2))
        assert structure.processor_time(run, 1.5) == pytest.approx(
            1e3 * demand / (1 - (1.5 * 0.395) ** 2)
        )


def test_users_at_their_pace_bring_back_the_measured_rates():
    system = load_system("domino85")
    runs = load_runs()
    busy = []
    for member, servers in zip(system.members, (1, 2), strict=True):
        tasks = member.tasks()
        loads = [
            Load("mail", tasks["mail"], 2400, tasks["mail"].think_time),
            Load("local", tasks["mail_local_replica"], 600, tasks["mail_local_replica"].think_time),
        ]
        solution = solve(server_network(system.reference, loads).network, method="bard-schweitzer")
        rate = float(sum(solution.throughputs)) * 60 * servers
        assert rate == pytest.approx(runs.daos.value("transactions"), rel=0.002)
        busy.append(float(solution.station_utilizations[0]))
    assert busy == pytest.approx([0.395, 0.395], rel=0.005)


def test_tasks_carry_the_volumes_of_their_run():
    for member, servers in zip(load_system("domino85").members, (1, 2), strict=True):
        task = member.tasks()["mail_release_80"]
        rate = 15342 / 60
        assert task.cpu == pytest.approx(2 * 0.481 / (rate / servers))
        assert task.disk_volume == pytest.approx(9.19e6 / rate)
        assert task.disk_volume / task.operation_size == pytest.approx(807 / rate)
        assert task.write_share == pytest.approx(509 / 807)
        assert task.lan_volume == pytest.approx(22400e3 / 8 / rate)
