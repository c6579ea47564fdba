"""RAID002: one drive missing, or about to be."""

import pytest

from advisor.engine import case_of
from tests.advisor.cases import ask, reviewed
from tests.advisor.configurations import quiet
from tests.advisor.speaking import SPEAKING


def test_the_example_of_the_manual():
    configuration = SPEAKING["RAID002"]()
    (found,) = ask("RAID002", configuration)
    assert found.level == "warning"
    assert "busy 83 %, now 75 %" in found.message
    degraded = quiet(user={"disk_kb": 1000}, workload={"users": 20}, disk={"state": "degraded"})
    busy = case_of(degraded).outlook.resource("disk").utilization.mid
    assert found.evidence[0].value == pytest.approx(busy * 100)


@pytest.mark.parametrize(("volume", "fires"), [(16, False), (600, False), (1000, True)])
def test_quiet_arrays_may_lose_a_drive(volume, fires):
    configuration = quiet(user={"disk_kb": volume}, workload={"users": 20})
    assert bool(ask("RAID002", configuration)) is fires


def test_without_tolerance_there_is_nothing_left_to_serve():
    assert ask("RAID002", quiet(disk={"raid": "raid0"}, user={"disk_kb": 4000})) == []


@pytest.mark.parametrize("state", ["degraded", "rebuilding"])
def test_a_drive_that_is_missing_is_an_error_and_restored(state):
    configuration = quiet(disk={"state": state}, user={"disk_kb": 400, "write_share": 0})
    (found,) = ask("RAID002", configuration)
    assert (found.level, found.key) == ("error", ("disk", "state"))
    (advice,) = (a for a in reviewed("RAID002", configuration).advice if a.rule == "RAID002")
    assert advice.effect[0].change.mid < 0
    assert advice.option.change.apply(configuration).settings.disk.state == "normal"


def test_arrivals_that_a_degraded_array_cannot_serve_need_twice_the_drives():
    """Reads at 15/s keep drives half busy; with one missing there is no steady state at 30/s."""
    configuration = quiet(
        workload={"arrival_rate": "90 /s"},
        disk={"drives": 3},
        user={"cpu": "0.001 s", "disk_kb": 16, "lan_kb": 0, "write_share": 0},
    )
    (found,) = ask("RAID002", configuration)
    assert found.level == "error"
    (option,) = found.options
    assert option.change.settings == ((("disk", "drives"), 6),)
    assert option.change.title == "use 6 drives, so that one may be missing"
