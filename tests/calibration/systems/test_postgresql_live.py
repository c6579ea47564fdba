"""The recorded system: predicted at four times its load, and another process recognised."""

import json
from pathlib import Path
from statistics import fmean

import pytest

import calibration as cal
from calibration.agreements.agreement import agreement
from calibration.fitting.calibrate import calibrate
from calibration.printed_tables.table import load_table
from calibration.recordings.load_levels import with_recording
from calibration.recordings.loading import load_recording
from calibration.recordings.user_table import load_user_table
from calibration.systems import load_system
from calibration.systems.postgresql_live import calibrated
from calibration.systems.postgresql_live import measured as at
from qmodel import ClosedClass, Network, QueueingStation, solve

RECORDED = Path(__file__).parents[3] / "examples" / "recorded"


@pytest.fixture(scope="module")
def found():
    return {c.published.cell: c for c in agreement(load_system("postgresql_live")).comparisons}


def runs(found, clients, column, table=at.ALONE):
    """The comparisons of all runs of a number of clients."""
    return [
        found[f"{table}:{row}:{column}"]
        for row in load_table(table).rows
        if row.startswith(f"{clients} clients ")
    ]


def test_four_times_the_load_is_held_out():
    table = load_table(at.ALONE)
    assert max(table.values("users")) == 4 * at.MOST_FITTED
    held_out = {table.cell(row, "users").value for row in at.rows(table, fitted=False)}
    assert held_out == {20.0, 40.0}
    assert {run.population[0] for run in at.data_of(table).runs} == {4, 6, 8, 10}


@pytest.mark.parametrize("clients", [20, 40])
def test_the_targets_hold_at_two_and_four_times_the_load(found, clients):
    """Means over the runs, each of which was predicted alike."""
    throughput, busy, time = (
        runs(found, clients, column) for column in ("throughput", "cpu", "response_time")
    )
    assert {c.status for c in (*throughput, *busy, *time)} == {"held out"}
    assert all(c.extrapolated for c in time)
    measured = fmean(c.published.value for c in throughput)
    assert throughput[0].predicted.mid == pytest.approx(measured, rel=0.05)
    measured = fmean(c.published.value for c in busy)
    assert busy[0].predicted.mid == pytest.approx(measured, abs=0.05)
    assert fmean(c.published.value for c in time) in time[0].predicted


def test_the_rules_of_three_miss_the_throughput_or_the_response_time(found):
    """Otherwise a model would not be needed."""
    times, rates = runs(found, 40, "response_time"), runs(found, 40, "throughput")
    time, rate = (fmean(c.published.value for c in each) for each in (times, rates))
    ours = max(abs(times[0].predicted.mid / time - 1), abs(rates[0].predicted.mid / rate - 1))
    for name in ("no contention", "linear"):
        theirs = max(
            abs(dict(times[0].baselines)[name] / time - 1),
            abs(dict(rates[0].baselines)[name] / rate - 1),
        )
        assert theirs > 2.0 * ours


def test_the_other_process_is_recognised_as_background_load():
    beside = calibrated(at.BESIDE)
    (position,) = (i for i, p in enumerate(beside.best.parameters) if p.sets == "background")
    # One of two processors, and what monitor and kernel take.
    assert beside.best.values[position] == pytest.approx(1.0 / at.PROCESSORS, abs=0.06)
    assert beside.best.standard_errors[position] < 0.02
    assert all("background" in {p.sets for p in m.parameters} for m in beside.admissible)


def test_alone_there_is_no_background_load_to_speak_of():
    alone = calibrated(at.ALONE)
    for model in alone.admissible:
        for parameter, value in zip(model.parameters, model.values):
            if parameter.sets == "background":
                assert value < 0.03


def test_by_the_noise_of_repeated_runs_the_audit_finds_the_other_process_alone():
    """What does not vanish with the users looks like that, or like demands that fall with them."""
    beside, alone = load_table(at.BESIDE), load_table(at.ALONE)
    laws = {each.law for each in cal.audit(beside, at.noise_of(beside)).contradictions}
    assert laws <= {"background load", "demand changes with load"}
    assert laws
    assert not cal.audit(alone, at.noise_of(alone)).contradictions


def test_by_the_noise_of_the_monitors_the_audit_finds_runs_at_another_speed():
    """The machine computed faster at times: the recording's notes say so, the audit shows it."""
    found = cal.audit(load_table(at.ALONE)).contradictions
    faster = {e.rows for e in found if e.law == "utilization law" and "-" in e.message[-6:]}
    assert (f"{at.ALONE}: 20 clients run 1",) in faster


def test_the_best_model_alone_is_a_station_of_two_servers():
    """By the library itself: the table's own numbers, without any of the calibration's code."""
    table = load_table(at.ALONE)
    low = at.rows(table, fitted=True)
    demand = sum(
        at.PROCESSORS * table.cell(r, "cpu").value / table.cell(r, "throughput").value for r in low
    ) / len(low)
    network = Network(
        [QueueingStation("cpu", servers=at.PROCESSORS)],
        [ClosedClass("queries", 40, table.cell(low[0], "think_time").value)],
        [[demand]],
    )
    solution = solve(network)
    measured = fmean(
        table.cell(row, "throughput").value
        for row in table.rows
        if table.cell(row, "users").value == 40
    )
    assert float(solution.throughputs[0]) == pytest.approx(measured, rel=0.05)


def test_the_raw_recording_says_what_the_table_says():
    joined = with_recording(
        load_user_table(RECORDED / "levels.csv"), load_recording(RECORDED / "monitor.json")
    )
    table = load_table(at.ALONE)
    low = at.rows(table, fitted=True)
    assert joined.rows == low
    for column, quantity, of in (
        ("throughput", "throughput", ""),
        ("response_time", "response_time", ""),
        ("cpu", "utilization", "cpu"),
        ("users", "population", ""),
    ):
        printed = [table.cell(row, column).value for row in low]
        assert joined.values(quantity, of) == pytest.approx(printed, rel=1e-3)
    assert set(joined.values("servers", "cpu")) == {at.PROCESSORS}
    fitted = calibrate(joined, noise=at.data_of(table).noise)
    assert fitted.best.value("demand of cpu") == pytest.approx(
        calibrated(at.ALONE).model(fitted.best.name).value("demand of cpu"), rel=1e-2
    )


def test_the_recording_names_no_machine():
    data = json.loads((RECORDED / "monitor.json").read_text(encoding="utf-8"))
    (host,) = data["sysstat"]["hosts"]
    assert host["nodename"] == "server"
    assert host["number-of-cpus"] == at.PROCESSORS
