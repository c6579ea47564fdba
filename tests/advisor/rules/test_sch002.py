"""SCH002: work that comes again and again at the peak; and the pause in the model."""

from dataclasses import replace

import pytest

from advisor.engine import case_of
from advisor.predicting.prediction import outlook
from tests.advisor.cases import ask, below, reviewed
from tests.advisor.configurations import batch, measured, quiet
from tests.advisor.oracle import solve


def repeating(cpu="20 s", pause="60 s", **keys):
    return quiet(batch=[batch(cpu=cpu, pause=pause, **keys)])


def test_it_is_offered_half_as_often():
    configuration = repeating()
    (found,) = ask("SCH002", configuration)
    assert (found.level, found.key) == ("note", ("batch", 0, "pause"))
    (option,) = found.options
    assert option.change.settings == ((("batch", 0, "pause"), "120 s"),)
    (evidence,) = found.evidence
    assert evidence.value == pytest.approx(25.0)  # 20 s of every 80 s
    assert evidence.threshold == pytest.approx(5.0)
    assert option.change.title == "let night work pause for 120 s"


@pytest.mark.parametrize(("share", "fires"), [(below(0.05), False), (0.05, True)])
def test_boundary_of_share(share, fires):
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
