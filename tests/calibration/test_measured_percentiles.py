"""Percentile columns of a table: read, left out of the fit, and held against the model."""

import pytest

import qmodel as qm
from calibration.fitting.calibrate import calibrate
from calibration.predicting.measured_percentiles import deviations, measured_percentiles
from calibration.recordings.header import read_heading
from calibration.recordings.user_table import parse_user_table

CPU = qm.QueueingStation("cpu", 1, "ps")


def table(stretched=1.0, heading="p95 [ms]", percentiles=True):
    """Runs of one processor of which p95 is that of the model, or longer."""
    rows = [f"users,think_time [s],throughput [1/s],response_time [ms],cpu [%],{heading}"]
    for users in (5, 20, 40):
        network = qm.Network([CPU], [qm.ClosedClass("users", users, 1.0)], [[0.02]])
        found = qm.solve(network)
        p95 = stretched * qm.percentiles(found, 0.95)["users"][0.95]
        last = f"{1e3 * p95:.3f}" if percentiles else ""
        times = f"{1e3 * found.response_times[0]:.4f},{100 * found.station_utilizations[0]:.4f}"
        rows.append(f"{users},1,{found.throughputs[0]:.5f},{times},{last}")
    return parse_user_table("\n".join(rows))


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("p95 [ms]", "p95"),
        ("p99.9 (ms)", "p99.9"),
        ("Latency p99 (ms)", "p99"),
        ("95th percentile (ms)", "p95"),
        ("median response time [s]", "p50"),
    ],
)
def test_percentiles_are_columns(text, quantity):
    assert read_heading(text).quantity == quantity


def test_what_the_model_says_is_met():
    fitted = calibrate(table())
    found = measured_percentiles(fitted, table())
    assert [each.load for each in found] == [5, 20, 40]
    assert all(abs(each.deviation) < 0.02 for each in found)
    (line,) = deviations(found)
    assert line.startswith("measured percentiles are met within")


def test_no_percentile_takes_part_in_the_fit():
    plain, with_tails = calibrate(table(percentiles=False)), calibrate(table(2.0))
    assert with_tails.best.values == plain.best.values
    assert measured_percentiles(plain, table(percentiles=False)) == ()


def test_longer_tails_are_named_with_the_variability_they_ask_for():
    found = measured_percentiles(calibrate(table()), table(2.0))
    assert all(each.deviation == pytest.approx(-0.5, abs=0.02) for each in found)
    assert all(each.scv > 1.5 for each in found)
    worst, asked = deviations(found)
    assert "the model says" in worst
    assert "times vary more than its service, as if with an SCV of" in asked


def test_a_class_has_its_own():
    named = table(heading="p95:users [ms]")
    (first, *_) = measured_percentiles(calibrate(named), named)
    assert (first.of, first.share) == ("users", 0.95)
