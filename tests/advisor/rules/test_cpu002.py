"""CPU002: processors busy 60 % with the users alone; one more of them, or faster ones."""

import pytest

from advisor import review
from advisor.engine import case_of
from qmodel import ClosedClass, DelayStation, Network, QueueingStation, solve
from tests.advisor.cases import ask, below, case_with, rule, skipped
from tests.advisor.configurations import AS_TESTED, RECOMMENDED, batch, example, quiet
from tests.advisor.speaking import SPEAKING

BUSY = {"server": {"cpus": 3}, "workload": {"users": 30}, "user": {"cpu": "1 s"}}


def test_one_more_and_as_much_faster():
    (found,) = ask("CPU002", SPEAKING["CPU002"]())
    more, faster = found.options
    assert more.change.settings == ((("server", "cpus"), 4),)
    ((key, speed),) = faster.change.settings
    assert key == ("server", "cpu_speed")
    assert speed == pytest.approx(4 / 3, abs=1e-6)


def test_the_example_of_the_manual():
    (found,) = ask("CPU002", SPEAKING["CPU002"]())
    assert round(found.evidence[0].value) == 84
    assert "busy 84 %" in rule("CPU002").manual


@pytest.mark.parametrize(("share", "fires"), [(below(0.60), False), (0.60, True), (0.95, True)])
def test_boundary(share, fires):
    assert bool(ask("CPU002", case_with(cpu=share))) is fires


def test_another_bottleneck_is_left_to_other_rules():
    assert ask("CPU002", case_with(cpu=0.70, disk=0.75)) == []


def test_batch_tasks_at_the_peak_are_no_reason_to_buy():
    assert ask("CPU002", quiet(batch=[batch(cpu="10 s")])) == []


def test_netware_of_1995_ran_on_one_processor():
    state, reason = skipped("CPU002", example(AS_TESTED))
    assert state == "not-applicable"
    assert "one processor" in reason
    assert ask("CPU002", example(RECOMMENDED)) == []


def test_the_same_capacity_in_faster_processors_is_never_slower():
    """The model's effects: both cut the time, the faster ones at least as much."""
    found = {
        dict(a.option.change.settings).get(("server", "cpus")): a
        for a in (*review(quiet(**BUSY)).advice, *review(quiet(**BUSY)).rejected)
        if a.rule == "CPU002"
    }
    more, faster = found[4], found[None]
    assert not more.rejected
    assert faster.effect[0].change.mid < more.effect[0].change.mid < -0.01


def test_the_effect_is_that_of_a_station_with_one_server_more():
    """Solved apart from the advisor: processor, four drives, LAN, 10 s of thinking."""
    configuration = quiet(
        server={"cpus": 3},
        workload={"users": 30},
        user={
            "cpu": "1 s",
            "disk_kb": 0,
            "lan_kb": 0,
        },
    )
    (found,) = ask("CPU002", configuration)
    after = case_of(found.options[0].change.apply(configuration)).outlook
    network = Network(
        [QueueingStation("cpu", 4), DelayStation("user")],
        [ClosedClass("edit", 30)],
        [[1.0, 10.0]],
    )
    time = solve(network).response_times[0] - 10.0
    assert after.response_time("edit").mid == pytest.approx(time, rel=1e-9)
