"""LAN001: the busiest segment carries 60 % of what it can."""

import pytest

from tests.advisor.cases import ask, below, case_with
from tests.advisor.configurations import quiet


def offered(finding):
    return dict(setting for option in finding.options for setting in option.change.settings)


def test_a_full_segment_gets_another_and_the_next_rate_offered():
    (found,) = ask("LAN001", quiet(user={"lan_kb": 4000}))
    assert found.key == ("lan", "rate")
    assert found.state == "problem"
    assert offered(found) == {("lan", "segments"): 2, ("lan", "rate"): "100 Mb/s"}


def test_a_quiet_segment_is_passed():
    assert ask("LAN001", quiet()) == []


@pytest.mark.parametrize(
    ("share", "level"),
    [(below(0.60), None), (0.60, "warning"), (below(0.90), "warning"), (0.90, "error")],
)
def test_boundary(share, level):
    found = ask("LAN001", case_with(lan=share))
    assert [f.level for f in found] == ([level] if level else [])


@pytest.mark.parametrize(("volume", "fires"), [(74, False), (75, True)])
def test_boundary_as_written(volume, fires):
    # 1 MB/s usable of 8 Mb/s; 8 messages of 75 KB a second are 60 % of it.
    configuration = quiet(
        lan={"rate": "8 Mb/s", "usable_share": 1},
        workload={"arrival_rate": "8 /s"},
        user={"cpu": "0.001 s", "disk_kb": 0, "lan_kb": volume},
    )
    assert bool(ask("LAN001", configuration)) is fires


@pytest.mark.parametrize(("cpu", "state"), [(0.69, "problem"), (0.71, "symptom")])
def test_a_segment_that_is_not_the_bottleneck_is_a_symptom(cpu, state):
    (found,) = ask("LAN001", case_with(lan=0.70, cpu=cpu))
    assert found.state == state


def test_the_fastest_ethernet_can_only_be_split():
    configuration = quiet(lan={"rate": "100 Gb/s", "segments": 3})
    (found,) = ask("LAN001", case_with(configuration, lan=0.7))
    assert offered(found) == {("lan", "segments"): 4}
