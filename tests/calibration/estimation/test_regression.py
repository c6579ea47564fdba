"""Demands by regression on the utilization law, against answers by hand."""

import numpy as np
import pytest

from calibration.estimation.regression import mean_demand, regressed_demands


def test_weights_pull_towards_the_sharper_run():
    found = regressed_demands([[1.0], [1.0]], [0.2, 0.4], [0.01, 1.0])
    assert found == [pytest.approx((0.2 * 1e4 + 0.4) / (1e4 + 1.0))]


def test_many_classes_are_told_apart_and_none_falls_below_nothing():
    rng = np.random.default_rng(1)
    demands = np.array([0.1, 0.0, 0.4, 0.03])
    x = rng.uniform(0.2, 2.0, (30, 4))
    busy = x @ demands * (1 + 0.01 * rng.normal(size=30))
    found = regressed_demands(x.tolist(), busy.tolist(), busy.tolist())
    assert found == pytest.approx(demands, abs=0.01)
    assert min(found) >= 0.0


def test_the_mean_of_two_runs_and_its_standard_error():
    found = mean_demand([("at noon", 0.2), ("at night", 0.4)])
    assert (found.value, found.standard_error) == (pytest.approx(0.3), pytest.approx(0.1))
