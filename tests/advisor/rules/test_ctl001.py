"""CTL001: the two controllers of 1995, by their tables."""

import pytest

from calibration.printed_tables.table import load_table
from tests.advisor.cases import ask, reviewed
from tests.advisor.configurations import AS_TESTED, RECOMMENDED, example, measured
from tests.advisor.speaking import searching


def evidence(finding, metric):
    (found,) = (e for e in finding.evidence if e.metric == metric)
    return found


def test_the_saving_of_the_text_is_a_slower_run():
    """Table 4-5: 71 % of 87 s against 79 % of 80 s."""
    (found,) = ask("CTL001", searching(controller="SMART"))
    assert "E-N95-10" in found.message
    table = load_table("notes31/table_4_5")
    for row, name in (("smart", "SMART"), ("fast_scsi_2", "Fast SCSI-2")):
        busy, time = (table.cell(row, column).value for column in ("cpu", "response_time"))
        assert evidence(found, f"processor time of a search, {name}").value == pytest.approx(
            busy * time
        )
    saved = 1 - 0.71 * 87 / (0.79 * 80)
    assert round(saved, 3) == 0.023  # as much as replicates differ by
    assert evidence(found, "time, SMART over Fast SCSI-2").value == pytest.approx(8.75)


def test_editing_on_the_other_controller_is_inside_the_noise():
    (found,) = ask("CTL001", measured(disk={"controller": "Fast SCSI-2"}))
    difference = evidence(found, "time, SMART over Fast SCSI-2")
    assert difference.value == pytest.approx(-0.588, abs=5e-4)
    assert abs(difference.value) < difference.threshold


def test_striping_by_software_stands_beside_a_plain_controller_only():
    metric = "processor utilization, software stripes"
    (plain,) = ask("CTL001", measured(disk={"controller": "Fast SCSI-2"}))
    assert evidence(plain, metric).value == 89
    (array,) = ask("CTL001", searching(controller="SMART"))
    assert metric not in {e.metric for e in array.evidence}


@pytest.mark.parametrize("path", [AS_TESTED, RECOMMENDED])
def test_editing_on_the_array_controller_is_passed(path):
    assert ask("CTL001", example(path)) == []


def test_the_other_controller_is_tried_and_not_recommended():
    found = reviewed("CTL001", searching(controller="SMART"))
    assert not [a for a in found.advice if a.rule == "CTL001"]
    (tried,) = (a for a in found.rejected if a.rule == "CTL001")
    assert all(e.change.mid == 0.0 for e in tried.effect)
