"""CPU001: the processor is the bottleneck and 60 % busy."""

import pytest

from tests.advisor.cases import ask, case_with
from tests.advisor.configurations import measured


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
