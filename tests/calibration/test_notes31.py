"""The system of 1995: what is fitted, what is held out, and how far it is off."""

import pytest

from calibration.agreement import agreement
from calibration.demand import processor_demand
from calibration.run import runs
from calibration.systems import SYSTEM_NAMES, UnknownSystem, load_system
from calibration.table import load_table


@pytest.fixture(scope="module")
def found():
    return agreement(load_system("notes31"))


def error(found, task, metric, population, *, fitted=False):
    (summary,) = (
        s
        for s in found.summaries()
        if (s.task, s.metric, s.population, s.fitted) == (task, metric, population, fitted)
    )
    return summary


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_no_held_out_row_enters_a_fit(name):
    system = load_system(name)
    fitted = {m.run.source for m in system.fitted}
    seen = {source for member in system.members for f in member.fitted for source in f.fitted}
    assert seen == fitted
    assert not fitted & {m.run.source for m in system.held_out}
    values = {(m.task, m.run.population, m.run.response_time.value) for m in system.fitted}
    assert not values & {
        (m.task, m.run.population, m.run.response_time.value) for m in system.held_out
    }


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_at_most_one_parameter_for_two_numbers_and_fits_within_noise(name):
    for member in load_system(name).members:
        for fitted in member.fitted:
            assert len(fitted.fit.values) * 2 <= len(fitted.fit.residuals)
            assert fitted.fit.chi_square < 3 * fitted.fit.degrees_of_freedom


def test_twenty_workstations_are_predicted_from_ten(found):
    time = error(found, "edit", "completion time", 20)
    busy = error(found, "edit", "utilization", 20)
    assert (time.worst, busy.worst) < (0.10, 0.08)
    assert time.worst < 0.10
    assert busy.worst < 0.08
    for member_error in (*time.by_member, *busy.by_member):
        assert member_error[1] < 0.10


def test_the_prediction_beats_the_naive_baselines(found):
    for metric in ("completion time", "utilization"):
        summary = error(found, "edit", metric, 20)
        assert all(summary.error < 0.5 * naive for _, naive in summary.baselines)


def test_the_members_differ_where_the_data_cannot_tell(found):
    (time,) = {
        dict(c.by_member)["client delay"] - dict(c.by_member)["unseen queue"]
        for c in found.comparisons
        if c.source.endswith("Table 4-2, row no_fault_tolerance") and c.metric == "completion time"
    }
    assert time < -50.0
    fitted = error(found, "edit", "completion time", 10, fitted=True)
    errors = [e for _, e in fitted.by_member]
    assert errors[0] == pytest.approx(errors[1], abs=0.002)


def test_one_processor_demand_serves_all_editing_runs():
    rows = [
        *runs(load_table("notes31/table_4_2")),
        runs(load_table("notes31/table_4_3"))[1],  # its first row is printed in Table 4-2 too
        *runs(load_table("notes31/table_4_4")),
        *runs(load_table("notes31/table_4_7")),
    ]
    estimate = processor_demand(rows)
    assert len(rows) == 8
    assert estimate.variation == pytest.approx(0.031, abs=0.0005)


def test_the_misprinted_workstation_count_is_corrected_and_nothing_else():
    printed = runs(load_table("notes31/table_4_7", "printed"))
    corrected = runs(load_table("notes31/table_4_7"))
    assert {r.population for r in printed} == {20}
    assert {r.population for r in corrected} == {10}
    assert [r.response_time for r in printed] == [r.response_time for r in corrected]


def test_processor_speeds_are_those_of_the_view_rebuild():
    speeds = load_system("notes31").processors
    assert speeds["Pentium/100"].value == pytest.approx(1.20)
    assert speeds["Pentium/100"].value / speeds["486DX/50"].value == pytest.approx(2.56)
    assert speeds["Pentium/66"].value < speeds["Pentium/90"].value < speeds["Pentium/100"].value


def test_batch_tasks_take_lan_and_disk_from_the_right_tables():
    tasks = load_system("notes31").members[0].tasks()
    # 219.98 KB/s is LAN traffic although it is printed under "Disk Throughput" (E-N95-01).
    assert tasks["replicate_write"].lan_volume == pytest.approx(219_980.0)
    assert tasks["replicate_write"].disk_volume == pytest.approx(186_140.0)
    assert tasks["rebuild_view"].cpu == pytest.approx(0.999)


def test_an_unknown_system_names_the_nearest():
    with pytest.raises(UnknownSystem, match="did you mean 'notes31'"):
        load_system("notes32")
