"""Whole users for shares, and the batch tasks that meet at the peak."""

import copy
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import advisor
from advisor.configuration.hours import Window
from advisor.predicting.prediction import outlook
from advisor.predicting.workload import asked_by_rate, peak_sets
from advisor.scheduling.response import at_slot
from calibration.hardware.task import shares
from tests.advisor.configurations import EXAMPLES, QUIET, batch, configured, quiet
from tests.tables import asked, rows

PARTS = st.lists(st.floats(0.01, 1.0), min_size=1, max_size=5)


@given(PARTS, st.integers(1, 300))
@settings(max_examples=100, deadline=None)
def test_shares_add_up_and_nobody_leaves_when_one_more_comes(parts, users):
    one, more = shares(users, parts), shares(users + 1, parts)
    assert sum(one) == users
    assert all(a <= b for a, b in zip(one, more, strict=True))
    # Nobody is further than one user for each other class from the exact share.
    exact = [users * part / sum(parts) for part in parts]
    assert all(abs(a - e) < len(parts) for a, e in zip(one, exact, strict=True))


@pytest.mark.parametrize(("users", "parts", "whole"), rows(__file__, "shares"))
def test_shares(users, parts, whole):
    assert shares(users, parts) == whole


def together(*tasks):
    """The sets of tasks that run together at some time of the peak."""
    return {
        frozenset(task.name for task in running) for running in peak_sets(quiet(batch=list(tasks)))
    } - {frozenset()}


def test_a_class_has_the_throughput_of_the_hour_of_its_time():
    """Little's law at 500 users, though the invoices meet 400 only, an hour later."""
    nightly = advisor.load_config(EXAMPLES / "nightly_jobs.toml")
    workload = nightly.settings.workload
    for each in outlook(nightly).classes:
        if each.batch:
            continue
        users = 500 * next(c.share for c in workload.classes if c.name == each.name)
        time = each.response_time.mid + workload.think_time
        assert each.throughput.mid * time == pytest.approx(users, rel=0.01)


def test_tasks_meet_only_where_their_windows_do():
    a = batch("a", ("08:00", "10:00"), cpu="1 s")
    b = batch("b", ("10:00", "12:00"), cpu="1 s")
    c = batch("c", ("11:59", "13:00"), cpu="1 s")
    assert {"b", "c"} in together(a, b, c)
    assert not any({"a", "b"} <= running for running in together(a, b, c))
    assert {"a", "b"} in together(a, {**b, "window": ["09:59", "12:00"]})


@pytest.mark.parametrize(("window", "runs"), rows(__file__, "windows"))
def test_only_what_touches_the_peak_runs_beside_users(window, runs):
    task = batch("a", asked(window, globals()), cpu="1 s")
    assert together(task) == ({frozenset({"a"})} if runs else set())
    users = advisor.predict(quiet(batch=[task])).outlook.classes[0].response_time
    alone = advisor.predict(quiet()).outlook.classes[0].response_time
    assert (users.mid > alone.mid) is runs


def test_a_task_without_a_window_or_a_load_does_not_run():
    tasks = [batch("a", None, cpu="1 s"), batch("b")]
    assert together(*tasks) == set()
    assert advisor.predict(quiet(batch=tasks)).outlook == advisor.predict(quiet()).outlook


def test_a_task_without_a_window_runs_off_peak():
    """Also where that reaches into the peak; in an hour that is asked about as told."""
    late = quiet(workload={"peak": ["08:00", "23:00"]}, batch=[batch("a", None, cpu="1 s")])
    assert [len(running) for running in peak_sets(late)] == [0, 1]
    for running in ([], ["a"]):
        (found,) = peak_sets(at_slot(late, 5, 1.0, running))
        assert [task.name for task in found] == running


def test_each_metric_is_that_of_its_worst_hour():
    """One task fills the LAN before noon, the other the processor after it."""
    lan = batch("lan", ("09:00", "10:00"), cpu="0 s", lan_kb=100)
    cpu = batch("cpu", ("15:00", "16:00"), cpu="1 s")
    by_lan, by_cpu, both = (
        advisor.predict(quiet(batch=tasks)).outlook for tasks in ([lan], [cpu], [lan, cpu])
    )
    times = [o.classes[0].response_time for o in (by_lan, by_cpu, both)]
    assert times[2] == max(times[:2], key=lambda r: r.mid)
    for name in ("cpu", "disk", "lan"):
        shares = [o.resource(name).utilization for o in (by_lan, by_cpu, both)]
        assert shares[2].mid == max(share.mid for share in shares[:2])


def test_nobody_at_work_is_nobody_and_not_zero_seconds():
    classes = [
        {"name": "few", "cpu": "1 s", "share": 0.1},
        {"name": "many", "cpu": "1 s", "share": 0.9},
    ]
    outlook = advisor.predict(quiet(workload={"users": 1, "class": classes})).outlook
    assert all(c.response_time.mid > 0 for c in outlook.classes)
    assert [c.name for c in outlook.classes] == ["many"]


MINUTES = st.integers(0, 24 * 60 - 1)


@given(MINUTES, MINUTES, MINUTES, MINUTES)
@settings(max_examples=50, deadline=None)
def test_windows_overlap_where_they_share_a_minute(a, b, c, d):
    one, other = Window(a, b), Window(c, d)
    minutes = set(one.minutes(1))
    assert len(minutes) == one.length
    assert minutes == {m for m in range(24 * 60) if m in one}
    shared = bool(minutes & set(other.minutes(1)))
    assert one.overlaps(other) is other.overlaps(one) is shared


def test_windows_read_and_print():
    assert str(Window.parse("22:00", "06:30")) == "22:00-06:30"
    assert [w.length for w in (Window(0, 0), Window(60, 0), Window(0, 60))] == [1440, 1380, 60]
    assert all(x < y for x, y in pairwise(list(Window(600, 720).minutes())))


def test_a_class_of_less_than_one_user_is_named_with_the_users_it_takes():
    data = copy.deepcopy(QUIET)
    data["workload"]["users"] = 200
    data["workload"]["class"] = [
        {"name": name, "share": share, "cpu": "0.1 s"}
        for name, share in (("mail", 0.999), ("b", 0.0005), ("c", 0.0005))
    ]
    first, second = configured(data).warnings
    assert 'class "b" is left out; it has a user from 1000 users on' in first
    assert "workload.class[1].share: 0.0005 of 200 users is less than one user" in first
    assert '"c"' in second
    data["workload"]["users"] = 1000
    (only,) = configured(data).warnings
    assert '"c" is left out; it has a user from 1001 users' in only
    data["workload"]["users"] = 1001
    assert not configured(data).warnings


def test_classes_have_the_part_of_requests_that_their_users_ask_for(written):
    text = Path("examples/nightly_jobs.toml").read_text().partition("[[batch]]")[0]
    users = advisor.load_config(written("a.toml", text + 'delay = "4 s"\n')).with_users(100)
    parts = asked_by_rate(users)
    rates = [each.throughput.mid for each in outlook(users).classes]
    assert rates == pytest.approx([sum(rates) * part for part in parts], rel=2e-3)
    assert parts[1] < 0.12  # of users 0.2
    (late,) = [e for e in outlook(users.with_rate(20.0, parts)).classes if e.name == "enter order"]
    assert late.throughput.mid == pytest.approx(20.0 * parts[1])
