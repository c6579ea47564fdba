"""TGT001: what was promised, missed for certain or perhaps."""

from dataclasses import replace

import pytest

from advisor.engine import case_of, review
from calibration.estimation.interval import Range
from tests.advisor.cases import above, ask, below, busy
from tests.advisor.configurations import batch, measured, quiet
from tests.advisor.oracle import solve
from tests.tables import asked, rows

#: Low and high ends of the prediction around a limit of 2, and the level they deserve.
ENDS = [
    (1.0, below(2.0), None), (1.0, 2.0, None), (1.0, above(2.0), "warning"), (1.0, 3.0, "warning"),
    (1.0, 3.01, "error"), (above(2.0), 3.0, "error"),
]  # fmt: skip


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


#: Drives with parity take most of the time and are hardly busy.
SLOW = {
    "user": {"cpu": "0.05 s", "disk_kb": 80, "lan_kb": 4, "write_share": "50 %"},
    "targets": {"response_time": "0.1 s"},
}


def keys_of(finding):
    return [key for option in finding.options for key, _ in option.change.settings]


def test_no_number_of_users_is_offered_where_one_user_misses_the_target():
    (found,) = ask("TGT001", quiet(targets={"response_time": "0.001 s"}))
    assert ("workload", "users") not in keys_of(found)
    assert "one user alone takes" in found.message
    (found,) = ask(
        "TGT001",
        quiet(workload={"users": 60}, user={"cpu": "1 s"}, targets={"response_time": "5 s"}),
    )
    assert ("workload", "users") in keys_of(found)
    assert "one user alone" not in found.message


def test_what_is_slow_and_not_busy_gets_what_answers_sooner():
    configuration = quiet(**SLOW)
    case = case_of(configuration)
    parts = case.parts_of_time("edit")
    assert parts.longest == "disk"
    assert parts.whole == pytest.approx(case.outlook.classes[0].response_time.mid)
    assert parts.demand < parts.whole == pytest.approx(sum(parts.at.values()))
    (found,) = ask("TGT001", case)
    assert "are spent at the drives" in found.message
    assert {("disk", "raid"), ("disk", "drive")} <= set(keys_of(found))
    advised = review(configuration)
    ours = [a for a in advised.advice if a.rule == "TGT001"]
    assert {("disk", "raid"), ("disk", "drive")} <= {
        key for a in ours for key, _ in a.option.change.settings
    }
    assert all(a.effect[0].change.mid < -0.1 for a in ours)
    assert not advised.plan.missed


@pytest.mark.parametrize(("changes", "key"), rows(__file__, "slow"))
def test_so_do_a_slow_processor_and_a_slow_lan(changes, key):
    (found,) = ask("TGT001", quiet(**changes, targets={"response_time": "0.2 s"}))
    assert keys_of(found)[-1] == asked(key, globals())


def test_where_the_drives_are_busy_their_own_rules_speak():
    busier = quiet(**{**SLOW, "workload": {"users": 100}})
    assert case_of(busier).outlook.resource("disk").utilization.mid >= 0.4
    (found,) = ask("TGT001", busier)
    assert ("disk", "drive") not in keys_of(found)
    assert ask("DSK001", busier)


def test_the_least_that_meets_the_target_is_offered():
    speeds = []
    for target in ("0.42 s", "0.3 s", "0.001 s"):
        (found,) = ask(
            "TGT001",
            quiet(
                user={"cpu": "0.5 s", "disk_kb": 0, "lan_kb": 0}, targets={"response_time": target}
            ),
        )
        speeds += [v for o in found.options for k, v in o.change.settings if k[1] == "cpu_speed"]
    assert speeds == [1.5, 2.0, 3.0]
