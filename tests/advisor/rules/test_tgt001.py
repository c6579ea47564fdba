"""TGT001: what was promised, missed for certain or perhaps."""

from dataclasses import replace

import pytest

from advisor.engine import case_of
from calibration.evidence.ensemble import Range
from tests.advisor.cases import above, ask, below, busy, skipped
from tests.advisor.configurations import batch, measured, quiet
from tests.advisor.oracle import solve

#: Low and high ends of the prediction around a limit of 2, and the level they deserve.
ENDS = [
    (1.0, below(2.0), None),
    (1.0, 2.0, None),
    (1.0, above(2.0), "warning"),
    (2.0, 3.0, "warning"),
    (above(2.0), 3.0, "error"),
]


@pytest.mark.parametrize(("low", "high", "level"), ENDS)
def test_boundary_of_response_time(low, high, level):
    case = case_of(quiet(targets={"response_time": "2 s"}))
    classes = [
        replace(c, response_time=Range(low, (low + high) / 2, high)) for c in case.outlook.classes
    ]
    found = ask("TGT001", replace(case, outlook=replace(case.outlook, classes=tuple(classes))))
    assert [(f.level, f.key) for f in found] == (
        [(level, ("targets", "response_time"))] if level else []
    )


@pytest.mark.parametrize("name", ["cpu", "disk", "lan"])
@pytest.mark.parametrize(("low", "high", "level"), ENDS)
def test_boundary_of_utilization(name, low, high, level):
    case = case_of(quiet(targets={"utilization": "50 %"}))
    outlook = busy(case.outlook, **{name: Range(low / 4, (low + high) / 8, high / 4)})
    found = ask("TGT001", replace(case, outlook=outlook))
    assert [(f.level, f.key) for f in found] == (
        [(level, ("targets", "utilization"))] if level else []
    )
    assert all(name in f.message for f in found)
    shown = [(e.value, e.unit, e.threshold) for f in found for e in f.evidence]
    assert shown == [(pytest.approx(100.0 * (low + high) / 8), "%", 50.0)] * len(found)


@pytest.mark.parametrize(("target", "fires"), [("0.1 s", True), ("1000 s", False)])
def test_as_written(target, fires):
    assert bool(ask("TGT001", quiet(targets={"response_time": target}))) is fires


def test_batch_tasks_have_no_target_but_slow_users_down():
    configuration = quiet(targets={"response_time": "0.2 s"})
    assert ask("TGT001", configuration) == []
    slower = quiet(targets={"response_time": "0.2 s"}, batch=[batch(cpu="30 s")])
    found = ask("TGT001", slower)
    assert [f.evidence[0].metric for f in found] == ["response time of edit"]


def test_what_was_not_measured_is_not_held_to_a_target():
    case = case_of(measured(targets={"utilization": "80 %"}))
    assert ask("TGT001", replace(case, outlook=busy(case.outlook, unseen=1.0))) == []


def test_the_users_that_meet_the_target_are_the_most_that_do():
    configuration = quiet(
        workload={"users": 30},
        user={"cpu": "1 s", "disk_kb": 0, "lan_kb": 0, "write_share": 0.5},
        targets={"response_time": "5 s"},
    )
    (found,) = ask("TGT001", configuration)
    ((_, fit),) = found.options[0].change.settings
    times = {n: solve([n], [10.0], [[1.0]])[1][0] for n in (fit, fit + 1)}
    assert times[fit] <= 5.0 < times[fit + 1]


def test_fewer_users_meet_the_targets_with_the_batch_tasks_moved():
    task = batch(cpu="1 s")
    configuration = quiet(
        workload={"users": 30}, user={"cpu": "1 s"}, batch=[task], targets={"response_time": "5 s"}
    )
    (found,) = ask("TGT001", configuration)
    (option,) = found.options
    assert [key for key, _ in option.change.settings] == [
        ("workload", "users"),
        ("batch", 0, "window"),
    ]
    assert ask("TGT001", option.change.apply(configuration)) == []


def test_nobody_is_sent_elsewhere_where_only_a_batch_task_is_in_the_way():
    targets = {"response_time": "0.25 s"}
    assert ask("TGT001", quiet(targets=targets)) == []
    (found,) = ask("TGT001", quiet(targets=targets, batch=[batch(cpu="1 s")]))
    assert found.options == ()


def test_no_option_where_one_user_misses_the_target():
    (found,) = ask("TGT001", quiet(targets={"response_time": "0.001 s"}))
    assert found.options == ()


@pytest.mark.parametrize("targets", [{}, {"targets": {}}])
def test_skipped_without_targets(targets):
    state, reason = skipped("TGT001", quiet(**targets))
    assert state == "not-applicable"
    assert "no targets" in reason
