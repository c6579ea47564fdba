"""SCH001 to SCH003: batch work and work that comes again at the peak, search without an index."""

from dataclasses import replace

import pytest

import advisor
from advisor import review
from advisor.engine import case_of
from advisor.predicting.prediction import outlook
from tests.advisor.cases import ask, below, reviewed
from tests.advisor.configurations import batch, measured, quiet
from tests.advisor.oracle import solve
from tests.tables import rows


def at(start, end, **keys):
    return quiet(batch=[batch(window=(start, end), cpu="1 s", **keys)])


@pytest.mark.parametrize("resource", ["cpu", "disk", "lan"])
@pytest.mark.parametrize(("share", "fires"), [(below(0.05), False), (0.05, True)])
def test_boundary_of_share(resource, share, fires):
    case = case_of(at("10:00", "12:00"))
    shares = {"cpu": 0.0, "disk": 0.0, "lan": 0.0, resource: share}
    found = ask("SCH001", replace(case, shares_alone=lambda _task: shares))
    assert bool(found) is fires
    assert all(resource in f.message for f in found)


def test_each_task_is_named_with_its_own_key():
    tasks = [batch("a", cpu="1 s"), batch("b", None, cpu="1 s"), batch("c", cpu="1 s")]
    found = ask("SCH001", quiet(batch=tasks))
    assert [f.key for f in found] == [("batch", 0, "window"), ("batch", 2, "window")]


@pytest.mark.parametrize("window", [("10:05", "10:10"), ("08:01", "08:02"), ("17:50", "18:30")])
def test_what_the_rule_sees_the_model_sees(window):
    """However short the window: an option that ends a peak load is not called useless."""
    found = review(quiet(batch=[batch(window=window, cpu="1 s")]))
    assert any(c.batch for c in found.outlook.classes)
    assert [a.rule for a in found.advice] == ["SCH001"]


def test_a_name_means_the_same_to_the_rule_and_to_the_model():
    """A batch task called like a measured one, without ``task``: run by both or by neither."""
    found = review(measured(batch=[batch("rebuild_view")]))
    fires = any(f.rule == "SCH001" for f in found.findings)
    assert fires is any(c.batch for c in found.outlook.classes)


def test_tasks_in_different_hours_are_offered_the_night_together():
    """Each hides what moving the other would bring."""
    tasks = [batch("a", ("09:00", "10:00"), cpu="1 s"), batch("b", ("14:00", "15:00"), cpu="1 s")]
    found = ask("SCH001", quiet(batch=tasks))
    moved = [[key for key, _ in o.change.settings] for f in found for o in f.options]
    a, b = ("batch", 0, "window"), ("batch", 1, "window")
    assert sorted(moved) == [[a], [a, b], [b]]
    review = advisor.review(quiet(batch=tasks))
    assert [key for key, _ in review.advice[0].option.change.settings] == [a, b]


@pytest.mark.parametrize(("duration", "together"), [("28800 s", 1), ("28800.5 s", 0)])
def test_tasks_that_say_no_duration_take_none_of_the_night(duration, together):
    day = ("08:00", "18:00")
    tasks = [batch("a", day, cpu="1 s", duration=duration), batch("b", day, cpu="1 s")]
    found = ask("SCH001", quiet(batch=tasks))
    moved = [len(o.change.settings) for f in found for o in f.options]
    assert moved.count(2) == together


@pytest.mark.parametrize(("start", "keys", "fires"), rows(__file__, "starts"))
def test_a_start_without_a_window_is_where_it_says(start, keys, fires):
    work = quiet(batch=[batch(window=None, start=start, cpu="1 s", **keys)])
    assert bool(ask("SCH001", work)) is fires
    assert any(c.batch for c in advisor.predict(work).outlook.classes) is fires


def test_who_is_moved_into_the_night_no_longer_starts_by_day():
    work = quiet(batch=[batch(window=None, start="10:00", duration="1 h", cpu="1 s")])
    (found,) = ask("SCH001", work)
    (option,) = found.options
    after = option.change.apply(work)
    assert ask("SCH001", after) == []
    assert after.settings.batch[0].start is None


@pytest.mark.parametrize(("window", "length", "said", "key"), rows(__file__, "windows"))
def test_a_task_moves_inside_its_window_or_it_is_said(window, length, said, key):
    work = quiet(batch=[batch(window=window, start="10:00", duration=length, cpu="1 s")])
    (found,) = ask("SCH001", work)
    (option,) = found.options
    assert option.change.title == f"run {work.settings.batch[0].name} off-peak, {said}"
    assert {at[-1] for at, value in option.change.settings if value is not None} == {key}
    assert ask("SCH001", option.change.apply(work)) == []


def test_a_fixed_task_stays_whoever_leaves():
    stays = batch(start="10:00", fixed=True, cpu="1 s")
    crowded = quiet(workload={"users": 60}, batch=[stays], targets={"response_time": "2 s"})
    (found,) = ask("SCH001", crowded)
    assert found.options == ()
    assert not any(
        key[0] == "batch" for a in review(crowded).advice for key, _ in a.option.change.settings
    )


def repeating(cpu="20 s", pause="60 s", **keys):
    return quiet(batch=[batch(cpu=cpu, pause=pause, **keys)])


@pytest.mark.parametrize(("share", "fires"), [(below(0.05), False), (0.05, True)])
def test_boundary_of_repeated_share(share, fires):
    case = replace(case_of(repeating()), shares_alone=lambda _task: {"cpu": share})
    assert bool(ask("SCH002", case)) is fires


def test_a_pause_is_a_think_time():
    """One user and one task, one processor: the network, by the plain recursion."""
    configuration = quiet(
        workload={"users": 4, "think_time": "10 s"},
        user={"cpu": "1 s", "disk_kb": 0, "lan_kb": 0},
        batch=[batch(cpu="1 s", pause="10 s")],
    )
    found = outlook(configuration)
    # The task is one more user then.
    utilization = solve([5], [10.0], [[1.0]])[0][0]
    assert found.resource("cpu").utilization.mid == pytest.approx(utilization, rel=1e-9)


def test_half_as_often_is_nearly_half_the_load():
    found = reviewed("SCH002", repeating())
    (advice,) = [a for a in (*found.advice, *found.rejected) if a.rule == "SCH002"]
    (cpu,) = [e for e in advice.effect if e.metric == "utilization of cpu"]
    users = outlook(quiet()).resource("cpu").utilization.mid
    before, after = cpu.before.mid - users, cpu.after.mid - users
    assert before == pytest.approx(20 / 80, rel=0.15)
    assert after == pytest.approx(20 / 140, rel=0.15)


def test_a_pause_counts_for_the_share_of_a_task_alone():
    (found,) = ask("SCH001", repeating())
    assert found.evidence[0].value == pytest.approx(25.0)
    (found,) = ask("SCH001", measured(batch=[batch("rebuild", task="rebuild_view", pause="1 s")]))
    assert found.evidence[0].value == pytest.approx(50.0, abs=1.0)
