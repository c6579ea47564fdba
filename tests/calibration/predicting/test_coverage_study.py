"""Intervals hold as often as they say (of scripts/coverage_study.py), and what they are made of."""

from math import log, sqrt

import pytest

from calibration.fitting.fitted_model import NINETY
from calibration.fitting.saved import load_calibration
from calibration.predicting.worlds import axes
from calibration.printed_tables.run import REPLICATE_NOISE, runs
from calibration.printed_tables.table import load_table
from scripts import coverage_study as study
from tests.advisor.configurations import ROOT

NAMES = [*study.STRUCTURES_OF_USERS]


def test_parameters_lie_in_their_95_percent_intervals():
    inside = []
    for i in range(18):
        found = study.cover(9_000_000 + i, NAMES[i % len(NAMES)] if i < 14 else "parallel service")
        inside += [each for _, each in found]
    # Some 55 parameters: 95 % give or take three of their standard deviations.
    assert 45 < len(inside) < 65
    assert 0.85 < sum(inside) / len(inside) <= 1.0


def test_one_more_run_lies_in_its_90_percent_interval():
    inside, widths, _ = study.hold_out(9_200_001, "hidden delay")
    assert all(0.0 < width < 0.2 for width in widths)
    assert sum(inside) / len(inside) > 0.7


@pytest.mark.parametrize("hidden", study.HIDDEN[-2:])
def test_demands_by_rate_lie_in_their_90_percent_intervals(hidden):
    found = [each for i in (0, 2) for each in study.demands_by_rate(9_300_000 + i, hidden)]
    assert sum(inside for inside, _ in found) / len(found) > 0.75
    assert all(off < 0.25 for _, off in found)


def test_the_principal_axes_reach_the_ends_of_a_ninety_percent_interval():
    """Summed over the axes, the squares of the moves are the variance of each parameter."""
    calibration = load_calibration(ROOT / "examples" / "calibrated" / "load_test.json")
    for model in calibration.models:
        moved = axes(model, NINETY)
        for i, (parameter, value) in enumerate(zip(model.parameters, model.values)):
            if not parameter.search.ratio:
                continue
            squares = sum(log(up[i] / value) ** 2 for up, _ in moved)
            assert squares == pytest.approx(NINETY**2 * model.covariance[i][i] / value**2, rel=1e-6)
            for up, down in moved:
                assert up[i] * down[i] == pytest.approx(value * value, rel=1e-9)


def test_the_noise_of_a_printed_number_is_that_of_the_run_and_of_its_rounding():
    table = load_table("notes31/table_4_2")
    for run, row in zip(runs(table), table.rows):
        for found, column in (
            (run.response_time, "response_time"), (run.utilization, "cpu"),
            (run.disk_rate, "disk"), (run.lan_rate, "lan"),
        ):  # fmt: skip
            cell = table.cell(row, column)
            own = cell.value * REPLICATE_NOISE[table.column(column).quantity]
            rounding = cell.half_unit / sqrt(3.0)  # of a number anywhere within its last digit
            assert found.standard_deviation == pytest.approx(sqrt(own**2 + rounding**2), rel=1e-12)
            assert rounding > 0.0
