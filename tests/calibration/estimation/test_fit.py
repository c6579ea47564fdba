"""The fitting core against answers known beforehand."""

import math

import numpy as np
import pytest

from calibration.estimation.fit import NotCalibratable, fit
from calibration.printed_tables.run import Measurement


def test_a_straight_line_through_the_origin_has_the_textbook_answer():
    x = [1.0, 2.0, 3.0, 4.0]
    noise = 0.1
    y = [2.05, 3.9, 6.1, 7.95]
    found = fit(lambda p: [p[0] * v for v in x], [Measurement(v, noise) for v in y], [1.0])
    slope = sum(a * b for a, b in zip(x, y)) / sum(a * a for a in x)
    assert found.values[0] == pytest.approx(slope, rel=1e-9)
    assert found.standard_errors[0] == pytest.approx(noise / math.sqrt(30.0), rel=1e-6)
    assert found.degrees_of_freedom == 3
    assert found.chi_square == pytest.approx(
        sum(((b - slope * a) / noise) ** 2 for a, b in zip(x, y)), rel=1e-6
    )


def test_weights_pull_the_fit_towards_the_sharper_number():
    found = fit(lambda p: [p[0], p[0]], [Measurement(1.0, 0.1), Measurement(2.0, 1.0)], [1.5])
    assert found.values[0] == pytest.approx((1.0 / 0.01 + 2.0) / (1 / 0.01 + 1), rel=1e-8)


def test_standard_errors_cover_the_truth_as_often_as_they_should():
    rng = np.random.default_rng(1)
    truth = (2.0, 0.5)
    x = np.linspace(0.0, 3.0, 12)
    inside = 0
    trials = 200
    for _ in range(trials):
        y = truth[0] * np.exp(-truth[1] * x) + rng.normal(0.0, 0.05, x.size)
        found = fit(
            lambda p: [p[0] * math.exp(-p[1] * v) for v in x],
            [Measurement(float(v), 0.05) for v in y],
            [1.0, 1.0],
        )
        inside += abs(found.values[0] - truth[0]) < 1.96 * found.standard_errors[0]
    assert 0.92 < inside / trials < 0.98


def test_fewer_than_two_numbers_a_parameter_are_refused():
    with pytest.raises(NotCalibratable, match="at least 4 measured numbers, there are 2"):
        fit(lambda p: [p[0], p[1]], [Measurement(1.0, 0.1)] * 2, [1.0, 1.0])
