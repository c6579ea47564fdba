"""Demands by regression on the utilization law, against answers by hand."""

import numpy as np
import pytest

from calibration.estimation.regression import utilization_regression


def test_a_line_with_an_intercept_is_the_textbooks():
    x, y = np.array([1.0, 2.0, 3.0, 5.0]), np.array([0.31, 0.49, 0.72, 1.08])
    found = utilization_regression(x[:, None], y, background=True)
    slope, intercept = np.polyfit(x, y, 1)
    assert found.demands[0] == pytest.approx(slope, rel=1e-10)
    assert found.background == pytest.approx(intercept, rel=1e-10)
    spread = ((y - slope * x - intercept) ** 2).sum() / 2
    assert found.standard_errors[0] == pytest.approx(
        (spread / ((x - x.mean()) ** 2).sum()) ** 0.5, rel=1e-9
    )


def test_weights_pull_towards_the_sharper_run():
    found = utilization_regression([[1.0], [1.0]], [0.2, 0.4], [0.01, 1.0])
    assert found.demands[0] == pytest.approx((0.2 * 1e4 + 0.4) / (1e4 + 1.0))


def test_many_classes_are_told_apart():
    rng = np.random.default_rng(1)
    demands = np.array([0.1, 0.0, 0.4, 0.03])
    x = rng.uniform(0.2, 2.0, (30, 4))
    found = utilization_regression(x, x @ demands * (1 + 0.01 * rng.normal(size=30)))
    for value, error, truth in zip(found.demands, found.standard_errors, demands):
        assert value >= 0.0
        assert abs(value - truth) < 4.0 * max(error, 1e-3)


def test_what_ordinary_least_squares_would_make_negative_is_nothing():
    x = [[1.0, 1.0], [2.0, 1.9], [3.0, 3.1]]
    y = [0.1, 0.21, 0.29]
    assert np.linalg.lstsq(np.array(x), np.array(y), rcond=None)[0][1] < 0.0
    found = utilization_regression(x, y)
    assert found.demands[1] == 0.0
    assert found.standard_errors[1] == 0.0


def test_more_demands_than_runs_are_refused():
    with pytest.raises(ValueError, match="2 demands need at least 2 runs, there are 1"):
        utilization_regression([[1.0, 2.0]], [0.3])


def test_two_classes_that_rise_together_are_still_finite():
    found = utilization_regression([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], [0.3, 0.6, 0.9])
    assert all(np.isfinite([*found.demands, *found.standard_errors]))
    assert found.demands[0] + 2.0 * found.demands[1] == pytest.approx(0.3)
