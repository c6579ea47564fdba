"""CPU001 to CPU003: the processor is the bottleneck, or the workstation is."""

import pytest

from advisor.engine import case_of
from advisor.rules.cpu002_more_processors import COUNTS, FASTER
from tests.advisor.cases import ask, case_with
from tests.advisor.configurations import AS_TESTED, EXAMPLES, example, measured, quiet
from tests.advisor.speaking import SPEAKING


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


def offered(configuration):
    """Number and speed that are offered."""
    (found,) = ask("CPU002", configuration)
    changes = dict(setting for option in found.options for setting in option.change.settings)
    return changes.get(("server", "cpus")), changes.get(("server", "cpu_speed"))


def test_the_least_that_is_enough_is_offered():
    """By brute force: what is offered is enough, and the step before it is not."""
    count, speed = offered(SPEAKING["CPU002"]())

    def enough(**server):
        changed = quiet(server={"cpus": 3, **server}, workload={"users": 30}, user={"cpu": "1 s"})
        return case_of(changed).outlook.resource("cpu").utilization.mid < 0.60

    for key, steps, chosen in (("cpus", COUNTS, count), ("cpu_speed", FASTER, speed)):
        before = max((each for each in steps if each < chosen), default=None)
        assert enough(**{key: chosen})
        assert before is None or not enough(**{key: before})


def test_processors_of_the_catalogue_are_the_steps_where_it_is_followed():
    configuration = example(EXAMPLES / "new_server.toml", workload={"users": 700})
    (found,) = ask("CPU002", configuration)
    settings = [option.change.settings for option in found.options]
    assert settings == [((("server", "cpus"), 2),), ((("server", "processor"), "server 16 cores"),)]
    for option in found.options:
        after = case_of(option.change.apply(configuration)).outlook
        assert after.resource("cpu").utilization.mid < 0.60


def test_the_paper_s_server_leaves_two_thirds_to_the_workstation():
    (found,) = ask("CPU003", example(AS_TESTED))
    assert (found.level, found.state, found.key) == (
        "note", "symptom", ("targets", "response_time"),
    )  # fmt: skip
    time, share = found.evidence
    assert time.value == pytest.approx(1035, abs=1)
    assert time.threshold == 1600
    assert share.value == pytest.approx(time.value / 16)
    assert not found.options
