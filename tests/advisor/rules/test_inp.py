"""INP001 to INP005: what the predictions rest on, and what is missing."""

import pytest

from tests.advisor.cases import ask, skipped
from tests.advisor.configurations import batch, example, measured, quiet
from tests.advisor.speaking import DRIVES, mail_85, ten_drives


@pytest.mark.parametrize(
    ("users", "fires"), [(4, True), (5, False), (10, False), (20, False), (21, True)]
)
def test_inp001_the_runs_that_editing_was_fitted_to(users, fires):
    found = ask("INP001", measured(workload={"users": users}))
    assert bool(found) is fires
    for finding in found:
        assert finding.state == "no-evidence"
        assert finding.evidence[0].threshold == (20.0 if users > 10 else 5.0)


@pytest.mark.parametrize(
    ("task", "fires"),
    [
        (batch(), True),
        (batch(window=("06:00", "08:01")), True),
        (batch(window=("06:00", "08:00")), False),
        (batch(window=None), False),
        (batch(cpu="1 s"), False),
    ],
)
def test_inp002_work_at_the_peak_that_nobody_knows(task, fires):
    assert bool(ask("INP002", quiet(batch=[task]))) is fires


def test_inp002_ends_off_peak():
    configuration = quiet(batch=[batch()])
    (found,) = ask("INP002", configuration)
    (option,) = found.options
    assert ask("INP002", option.change.apply(configuration)) == []


@pytest.mark.parametrize(
    "keys", [{"fixed": True}, {"duration": "9 h", "window": ["07:00", "17:00"]}]
)
def test_inp002_offers_no_hours_that_do_not_fit(keys):
    (found,) = ask("INP002", quiet(batch=[{**batch(), **keys}]))
    assert found.options == ()


@pytest.mark.parametrize(
    ("workload", "fires"),
    [
        ({"think_time": None}, True),
        ({"think_time": "0 s"}, True),
        ({"think_time": "1 ms"}, False),
        ({"think_time": None, "arrival_rate": "1 /s"}, False),
    ],
)
def test_inp003_users_without_a_pause(workload, fires):
    found = ask("INP003", quiet(workload=workload))
    assert bool(found) is fires
    assert all(f.key == ("workload", "think_time") for f in found)


def test_inp003_a_measured_system_knows_the_pauses():
    assert ask("INP003", measured()) == []


@pytest.mark.parametrize(
    ("raid", "fires"), [("raid1e", False), ("raid5", True), ("raid0", True), ("raid6", True)]
)
def test_inp004_levels_that_were_not_measured(raid, fires):
    configuration = example(DRIVES, disk={"raid": raid})
    found = ask("INP004", configuration)
    assert bool(found) is fires
    for finding in found:
        (option,) = finding.options
        assert ask("INP004", option.change.apply(configuration)) == []


def test_inp004_other_programs():
    configuration = example(DRIVES, user={"cpu": "10 ms", "disk_kb": 8, "name": "orders"})
    (found,) = ask("INP004", configuration)
    assert "orders" in found.message


def test_inp005_a_promise_in_seconds():
    (found,) = ask("INP005", mail_85())
    assert found.key == ("targets", "response_time")
    state, reason = skipped("INP005", mail_85(targets={"response_time": None}))
    assert (state, reason) == ("not-applicable", "no response time is promised")


def test_inp003_says_what_the_pause_is():
    (found,) = ask("INP003", quiet(workload={"think_time": None}))
    assert [(e.value, e.unit) for e in found.evidence] == [(0.0, "s")]


@pytest.mark.parametrize(("arrays", "offered"), [(1, True), (2, True), (5, False)])
def test_inp004_offers_raid1e_to_arrays_of_three_drives_and_more(arrays, offered):
    (found,) = ask("INP004", ten_drives(raid="raid1" if arrays == 5 else "raid5", arrays=arrays))
    assert [e.value for e in found.evidence] == [10.0 / arrays]
    assert bool(found.options) is offered
