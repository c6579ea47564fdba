"""CAP001 and CAP002: resources that are busy with the users alone, or would be with 5 % more."""

from dataclasses import replace

import pytest

from advisor.engine import case_of
from calibration.estimation.interval import Range
from tests.advisor.cases import ask, below, busy, case_with
from tests.advisor.configurations import EXAMPLES, RECOMMENDED, batch, example, measured, quiet
from tests.advisor.oracle import solve


def test_the_evidence_is_the_utilization_in_per_cent():
    (found,) = ask("CAP001", case_with(disk=0.86))
    (evidence,) = found.evidence
    assert (evidence.metric, evidence.unit, evidence.how) == (
        "utilization of disk", "%", "computed",
    )  # fmt: skip
    assert evidence.value == pytest.approx(86.0, rel=1e-12)


@pytest.mark.parametrize("of_a_paper", [True, False])
def test_the_source_of_fewer_users_is_the_paper_for_its_processor_only(of_a_paper):
    name = {"name": "search"}
    small = {"raid": "raid5", "drives": 3, "stripe": "16 KB"}
    configuration = (
        measured(user=name, server={"cpus": 8}, disk=small, workload={"users": 200})
        if of_a_paper
        else quiet(user={"cpu": "1 s", "disk_kb": 900}, workload={"users": 200})
    )
    sources = {
        f.message.split()[0]: option.sources[0]
        for f in ask("CAP001", configuration)
        for option in f.options
    }
    measured_here = "no further load at 80 to 90" in sources["cpu"]
    assert measured_here is of_a_paper
    assert of_a_paper or sources["cpu"] == "a planner's convention"
    assert sources.get("disk", "a planner's convention") == "a planner's convention"


def test_each_resource_is_named_once():
    found = ask("CAP001", case_with(cpu=0.99, disk=0.85, lan=0.2))
    assert [(f.level, f.message.split()[0]) for f in found] == [
        ("error", "cpu"),
        ("warning", "disk"),
    ]


def test_batch_tasks_do_not_count():
    configuration = quiet(batch=[batch(cpu="1 s")])
    assert ask("CAP001", configuration) == []
    case = case_with(configuration, cpu=0.5)
    assert ask("CAP001", replace(case, outlook=busy(case.outlook, cpu=1.0))) == []


@pytest.mark.parametrize(
    ("hidden", "high", "fires"),
    [(("unseen queue",), below(0.80), False), (("unseen queue",), 0.80, True), ((), 1.0, False)],
)
def test_what_was_not_measured_is_a_symptom_where_a_calibration_sees_it(hidden, high, fires):
    """The bottleneck of some calibration, and busy at the upper end: nothing to buy for it."""
    case = case_with(measured(), **{"not measured": Range(0.0, 0.1, high)})
    found = ask("CAP001", replace(case, alone=replace(case.alone, hidden=hidden)))
    assert [(f.level, f.state, f.options) for f in found] == [("warning", "symptom", ())] * fires
    assert all("unseen queue" in f.message for f in found)


def test_the_users_that_fit_are_the_most_that_fit():
    # One processor of 1 s, 10 s of thinking: utilization X D by the plain recursion.
    configuration = quiet(workload={"users": 30}, user={"cpu": "1 s", "disk_kb": 0, "lan_kb": 0})
    (found,) = ask("CAP001", configuration)
    (option,) = found.options
    ((key, fit),) = option.change.settings
    assert key == ("workload", "users")
    share = {n: solve([n], [10.0], [[1.0]])[0][0] for n in (fit, fit + 1)}
    assert share[fit] < 0.80 <= share[fit + 1]
    assert option.effort == "server"


def test_the_users_that_fit_are_still_the_same_mix():
    classes = [
        {"name": "edit", "cpu": "1 s", "share": 0.9},
        {"name": "search", "cpu": "1 s", "share": 0.1},
    ]
    (found,) = ask("CAP001", quiet(workload={"users": 60, "class": classes}))
    (option,) = found.options
    ((_, fit),) = option.change.settings
    assert fit >= 6  # with five users or fewer nobody searches


def carried(finding):
    return next(e for e in finding.evidence if e.metric == "users that the server carries")


@pytest.mark.parametrize(("users", "carries"), [(12, None), (16, None), (17, 17)])
def test_boundary_of_the_recommended_server(users, carries):
    """It carries 17 users: one more takes the processor to its target of 80 %."""
    found = ask("CAP002", example(RECOMMENDED, workload={"users": users}))
    assert bool(found) is (carries is not None)
    for finding in found:
        assert finding.evidence[0].value == max(users + 1, round(users * 1.05))
        assert carried(finding).value == carries


def test_what_it_says_is_carried_is_carried():
    """Of 5 % more so many are below 80 % and on target, and one more is not."""
    configuration = quiet(user={"cpu": "0.02 s", "lan_kb": 0}, workload={"users": 395})
    (found,) = ask("CAP002", configuration)
    carries = int(carried(found).value)
    assert 395 < carries < carried(found).threshold == 415
    for users, holds in ((carries, True), (carries + 1, False)):
        outlook = case_of(configuration.with_users(users)).outlook
        assert (max(r.utilization.mid for r in outlook.resources) < 0.80) is holds


def test_the_paper_is_named_for_its_own_systems_only():
    (paper,) = ask("CAP002", example(EXAMPLES / "domino5_raid.toml", workload={"users": 1900}))
    assert [e.value for e in paper.evidence if e.how == "measured"] == [4.0, 80.0]
    (own,) = ask("CAP002", quiet(user={"cpu": "0.02 s", "lan_kb": 0}, workload={"users": 395}))
    assert {e.how for e in own.evidence} == {"computed"}
