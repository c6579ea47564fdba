"""The system of 1997: the figures that experiments found, and what became of them."""

from dataclasses import replace
from itertools import pairwise

import pytest

from calibration.agreements.agreement import agreement
from calibration.hardware.server import server_network
from calibration.hardware.task import Load
from calibration.systems import load_system
from calibration.systems.groupwise52 import ethernet, memory
from calibration.systems.groupwise52.ethernet import Run
from qmodel import solve
from scripts.paper_agreement.groupwise52_disk import relative_time


@pytest.fixture(scope="module")
def found():
    return {c.published.cell: c for c in agreement(load_system("groupwise52")).comparisons}


def cell(found, place):
    return found[f"groupwise52/{place}"]


def test_the_rule_of_thumb_as_experiments_found_it():
    rule, threads = memory.rule_of_thumb(), memory.threads()
    assert threads == 42
    printed = {100: 42.0, 250: 104.0, 500: 116.0, 1000: 137.0}
    needs = {u: rule.need({"thread": threads, "connection": u}) / 1e6 for u in printed}
    assert needs == pytest.approx({100: 97.0, 250: 104.5, 500: 117.0, 1000: 142.0})
    errors = {u: needs[u] / printed[u] - 1.0 for u in printed}
    assert errors == pytest.approx({100: 1.31, 250: 0.005, 500: 0.009, 1000: 0.036}, abs=0.0005)


def test_the_calibrated_rule_beats_the_rule_of_thumb_at_a_thousand_users(found):
    fitted = memory.calibrated()
    assert fitted.fit.values[0] == pytest.approx(0.048, abs=1e-6)
    here = cell(found, "table_1:1000:memory")
    errors = {name: abs(here.error_of(value)) for name, value in here.by_model}
    assert errors["connection fitted"] < errors["rule of thumb"] < 0.04
    assert abs(here.error) < 0.03
    assert here.inside
    assert here.extrapolated


def test_a_hundred_users_fail_and_say_why(found):
    here = cell(found, "table_1:100:memory")
    assert here.error > 1.3
    assert not here.inside
    assert "14.5 threads" in here.known_failure
    base = 8.0 + 0.05 * 100.0
    assert (42.0 - base) / 2.0 == pytest.approx(14.5)


def test_ethernet_fitted_at_one_rate_predicts_the_other(found):
    """The target: within 5 %."""
    fitted = [cell(found, f"table_3:{row}:throughput") for row in ("100_4", "100_10")]
    unseen = [cell(found, f"table_3:{row}:throughput") for row in ("10_4", "10_10")]
    assert all(c.status == "fitted" for c in fitted)
    assert all(c.status == "held out" and c.inside for c in unseen)
    assert sum(abs(c.error) for c in fitted) / 2.0 < 0.016
    assert sum(abs(c.error) for c in unseen) / 2.0 < 0.011


def test_throughput_of_a_segment_grows_with_clients_to_what_contention_leaves():
    between = ethernet.calibrated().fit.values[0]
    alone = ethernet.throughput(Run(1, 100e6), between)
    # One client alone: the frames of a megabit and the time between, one after the other.
    assert alone == pytest.approx(1.0 / (between + 1e6 * 1538.0 / 1518.0 / 100e6), rel=1e-9)
    rates = [ethernet.throughput(Run(n, 100e6), between) for n in range(1, 9)]
    assert all(a < b for a, b in pairwise(rates))
    assert rates[-1] < 100.0 * 1518.0 / 1538.0


def test_eight_drives_and_the_raid_levels(found):
    assert abs(cell(found, "table_2:eight_drives:response_time").error) < 0.01
    raid = cell(found, "claims:raid0_gain:value")
    assert (raid.published.low, raid.published.high) == pytest.approx((0.8, 0.9))
    assert raid.inside
    assert dict(raid.by_model) == pytest.approx(
        {"as in 1995": 0.989, "nothing but drives": 1.0 / (0.75 + 0.25 * 4.0)}, abs=5e-4
    )
    assert all(not raid.published.low < value < raid.published.high for _, value in raid.by_model)
    assert "E-G97-05" in raid.note
    # Whatever share of the operations writes, Table 2 leaves RAID 5 under 3 %.
    share = 1.0 - 803.0 / 823.0
    worst = relative_time(share / (1.0 - 1.0 / 8.0), 8, work=4.0)
    best = relative_time(share / (1.0 - 1.0 / 8.0), 8)
    assert worst / best - 1.0 < 0.03
    for row, share in (("raid5_usable_3", 2 / 3), ("raid5_usable_14", 13 / 14)):
        assert cell(found, f"claims:{row}:value").predicted.mid == pytest.approx(100.0 * share)


@pytest.mark.parametrize(("clients", "rate"), [(4, 100e6), (10, 100e6), (4, 10e6), (10, 10e6)])
def test_the_task_of_a_configuration_is_the_calibrated_segment(clients, rate):
    """But for how many clients are taken to contend at once."""
    system = load_system("groupwise52")
    member = system.members[0]
    task = member.tasks()["netbench"]
    hardware = replace(system.reference, lan=replace(system.reference.lan, rate=rate))
    network = server_network(hardware, [Load("netbench", task, clients)]).network
    moved = solve(network).throughputs[0] * 8.0  # Mb/s
    between = ethernet.calibrated().fit.values[0]
    assert moved == pytest.approx(ethernet.throughput(Run(clients, rate), between), rel=0.015)
