"""CPU001 to CPU003: the processor is the bottleneck, or the workstation is."""

import pytest

from advisor.engine import case_of
from advisor.rules.cpu002_more_processors import COUNTS, FASTER
from tests.advisor.cases import ask, case_with
from tests.advisor.configurations import AS_TESTED, EXAMPLES, batch, example, measured, quiet
from tests.advisor.speaking import SPEAKING


def test_a_busy_processor_gets_faster_ones_offered_fastest_first():
    (found,) = ask("CPU001", measured(workload={"users": 20}))
    assert (found.level, found.key) == ("warning", ("server", "processor"))
    assert [o.change.settings[0][1] for o in found.options] == ["Pentium/100", "Pentium/90"]


@pytest.mark.parametrize(("disk", "fires"), [(0.71, False), (0.69, True)])
def test_only_the_bottleneck_is_worth_replacing(disk, fires):
    assert bool(ask("CPU001", case_with(measured(), cpu=0.70, disk=disk))) is fires


def test_the_fastest_is_named_but_nothing_is_offered():
    case = case_with(measured(server={"processor": "Pentium/100"}), cpu=0.9)
    (found,) = ask("CPU001", case)
    assert found.options == ()


def test_each_faster_processor_s_speed_is_evidence_with_its_source():
    (found,) = ask("CPU001", case_with(measured(), cpu=0.9))
    speeds = {e.metric: e for e in found.evidence if e.metric.startswith("speed of")}
    hundred = speeds["speed of a Pentium/100 relative to the Pentium/66"]
    assert hundred.value == pytest.approx(1.20)
    assert "row rebuild_p66" in hundred.source
    # Half as many cycles again: about half of the time goes with the bus.
    assert (
        1.0
        < speeds["speed of a Pentium/90 relative to the Pentium/66"].value
        < hundred.value
        < 100 / 66
    )


def test_speeds_are_relative_to_the_processor_there_is():
    case = case_with(measured(server={"processor": "486DX/50"}), cpu=0.9)
    (found,) = ask("CPU001", case)
    (speed,) = [
        e for e in found.evidence if e.metric == "speed of a Pentium/66 relative to the 486DX/50"
    ]
    known = case.system.processors
    assert speed.value == pytest.approx(known["Pentium/66"].value / known["486DX/50"].value)
    assert speed.value > 1.0


BUSY = {"server": {"cpus": 3}, "workload": {"users": 30}, "user": {"cpu": "1 s"}}


def offered(configuration):
    """Number and speed that are offered."""
    (found,) = ask("CPU002", configuration)
    changes = dict(setting for option in found.options for setting in option.change.settings)
    return changes.get(("server", "cpus")), changes.get(("server", "cpu_speed"))


def test_the_least_that_is_enough_is_offered():
    """By brute force: what is offered is enough, and the step before it is not."""
    configuration = SPEAKING["CPU002"]()
    count, speed = offered(configuration)

    def enough(**server):
        changed = quiet(server={"cpus": 3, **server}, workload={"users": 30}, user={"cpu": "1 s"})
        return case_of(changed).outlook.resource("cpu").utilization.mid < 0.60

    for key, steps, chosen in (("cpus", COUNTS, count), ("cpu_speed", FASTER, speed)):
        before = max((each for each in steps if each < chosen), default=None)
        assert enough(**{key: chosen})
        assert before is None or not enough(**{key: before})


@pytest.mark.parametrize(
    ("target", "words"), [("85 %", "to keep cpu below 60 %"), ("82 %", "to meet the targets")]
)
def test_missed_targets_decide_before_the_threshold(target, words):
    configuration = quiet(**BUSY, targets={"utilization": target})
    (found,) = ask("CPU002", configuration)
    assert f"offered is the least {words}" in found.message
    assert offered(configuration) == ((6, 1.75) if "below" in words else (4, 1.1))


def test_where_no_step_is_enough_the_first_is_offered_and_it_says_so():
    """A target that the think time alone forbids; more processors than eight times as many."""
    configuration = quiet(server={"cpus": 1}, workload={"users": 2000}, user={"cpu": "1 s"})
    (found,) = ask("CPU002", configuration)
    assert "no step that was tried is enough" in found.message
    assert offered(configuration) == (2, 1.1)


def test_processors_of_the_catalogue_are_the_steps_where_it_is_followed():
    configuration = example(EXAMPLES / "new_server.toml", workload={"users": 700})
    (found,) = ask("CPU002", configuration)
    settings = [option.change.settings for option in found.options]
    assert settings == [((("server", "cpus"), 2),), ((("server", "processor"), "server 16 cores"),)]
    for option in found.options:
        after = case_of(option.change.apply(configuration)).outlook
        assert after.resource("cpu").utilization.mid < 0.60


def test_another_bottleneck_is_left_to_other_rules():
    assert ask("CPU002", case_with(cpu=0.70, disk=0.75)) == []


def test_batch_tasks_at_the_peak_are_no_reason_to_buy():
    assert ask("CPU002", quiet(batch=[batch(cpu="10 s")])) == []


def test_the_paper_s_server_leaves_two_thirds_to_the_workstation():
    (found,) = ask("CPU003", example(AS_TESTED))
    assert (found.level, found.state, found.key) == (
        "note",
        "symptom",
        ("targets", "response_time"),
    )
    time, share = found.evidence
    assert time.value == pytest.approx(1035, abs=1)
    assert time.threshold == 1600
    assert share.value == pytest.approx(time.value / 16)
    assert not found.options


@pytest.mark.parametrize(("target", "level"), [("1030 s", "error"), ("1040 s", "note")])
def test_no_server_meets_what_the_workstation_alone_takes(target, level):
    (found,) = ask("CPU003", example(AS_TESTED, targets={"response_time": target}))
    assert found.level == level


def test_boundary_of_half_the_target():
    """1035 s are half of 2070 s; so many users miss both targets."""
    for target, fires in (("2060 s", True), ("2080 s", False)):
        configuration = example(
            AS_TESTED, workload={"users": 40}, targets={"response_time": target}
        )
        assert bool(ask("CPU003", configuration)) is fires


def test_demands_without_a_workstation_are_the_server_s():
    configuration = quiet(user={"cpu": "5 s"}, targets={"response_time": "1 s"})
    assert ask("CPU003", configuration) == []
