"""CTL001 to CTL003: the controller, its cache and the channel of the disks."""

import pytest

from advisor.engine import case_of
from advisor.planning.alternatives import whatif
from calibration.printed_tables.table import load_table
from tests.advisor.cases import ask, reviewed
from tests.advisor.configurations import measured, quiet
from tests.advisor.speaking import SPEAKING, searching


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


def test_the_other_controller_is_tried_and_not_recommended():
    found = reviewed("CTL001", searching(controller="SMART"))
    assert not [a for a in found.advice if a.rule == "CTL001"]
    (tried,) = (a for a in found.rejected if a.rule == "CTL001")
    assert all(e.change.mid == 0.0 for e in tried.effect)


def test_what_it_says_to_try_can_be_tried():
    """Half of the writes replaced: the drives have less to do."""
    configuration = quiet(user={"disk_kb": 4000})
    (found,) = ask("CTL002", configuration)
    assert "disk.cache.write_back=true" in found.message
    tried = ("disk.cache.write_back=true", "disk.cache.rewritten=50 %")
    (alternative,) = whatif(configuration, {"a cache": tried}).alternatives
    busy = next(d for d in alternative.differences if (d.quantity, d.of) == ("utilization", "disk"))
    assert busy.difference.mid < -0.01


def test_no_gain_is_promised_that_nobody_measured():
    """Without a share of writes that are replaced the drives have as much to do."""
    found = reviewed("CTL002", quiet(user={"disk_kb": 4000}))
    every = (*found.advice, *found.trades, *found.rejected)
    assert not [a for a in every if a.rule == "CTL002"]


def test_twice_the_rate_is_offered_and_solved():
    configuration = SPEAKING["CTL003"]()
    (found,) = ask("CTL003", configuration)
    (option,) = found.options
    assert option.change.settings == ((("disk", "channel_rate"), "0.2 MB/s"),)
    (advice,) = (a for a in reviewed("CTL003", configuration).advice if a.rule == "CTL003")
    assert advice.effect[0].change.mid < -0.01


def test_the_limit_of_1995_is_held_against_the_volume():
    """One search on 16 KB blocks takes 55 % of 1,700 KB/s (Table 4-8); four at once take more."""
    assert ask("CTL003", searching()) == []
    configuration = measured(
        disk={"raid": "raid0", "stripe": "64 KB", "drives": 8}, server={"processor": "Pentium/100"},
        workload={"users": 4}, user={"name": "search"},
    )  # fmt: skip
    (found,) = ask("CTL003", configuration)
    case = case_of(configuration)
    search = case.outlook.classes[0].throughput.mid
    volume = case.tasks["search"].disk_volume_at(64 * 1024.0)
    assert found.evidence[0].value == pytest.approx(search * volume / 1.7e6 * 100)
    assert not found.options  # without disk.channel_rate the model has no channel
