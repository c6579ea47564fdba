"""Laws fitted to published numbers: against closed forms, and intervals that cover."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from calibration.agreements.ensemble import NINETY_PERCENT
from calibration.agreements.fitted_formula import Law, Point, fit_law
from calibration.agreements.published import published
from calibration.estimation.fit import NotCalibratable

LINE: Law = Law("line", "", lambda p, x: p[0] * x, (("slope", "1", 1.0),))
TWO: Law = Law("two", "", lambda p, x: p[0] + p[1] * x, (("a", "1", 1.0), ("b", "1", 1.0)))

CELL = published("domino5_raid/table_1", "2", "users")


def points(numbers, noise=0.02):
    return [
        Point(replace(CELL, row=str(x), low=y, high=y, half_unit=0.0), x, noise)
        for x, y in numbers.items()
    ]


def test_weighted_least_squares_of_one_factor():
    numbers = {1.0: 10.3, 2.0: 19.1, 4.0: 41.0}
    found = fit_law(LINE, points(numbers))
    # Relative noise: minimise the sum of (1 - a x / y)^2.
    slopes = [x / y for x, y in numbers.items()]
    best = sum(slopes) / sum(s * s for s in slopes)
    assert found.fit.values[0] == pytest.approx(best, rel=1e-9)
    assert found.value(8.0) == pytest.approx(8.0 * best)


def test_the_interval_is_that_of_the_parameter_and_one_measurement():
    found = fit_law(LINE, points({1.0: 10.0, 2.0: 20.0, 4.0: 40.0}))
    assert found.scatter == 1.0
    mean = found.mean(lambda values: values[0] * 8.0)
    assert mean.mid == pytest.approx(80.0)
    assert mean.high / mean.mid == pytest.approx(np.exp(NINETY_PERCENT * 0.02 / sqrt(3.0)))
    more = found.predict(points({8.0: 1.0})[0])
    assert more.high - more.mid == pytest.approx(
        sqrt((mean.high - mean.mid) ** 2 + (NINETY_PERCENT * 0.02 * 80.0) ** 2)
    )
    assert (more.low, more.high) == pytest.approx(
        (more.mid - (more.high - more.mid), more.high), rel=1e-3
    )


def test_the_prediction_does_not_know_the_number_it_is_held_against():
    found = fit_law(LINE, points({1.0: 10.0, 2.0: 20.0}))
    one, other = (found.predict(points({8.0: number})[0]) for number in (1.0, 1000.0))
    assert one == other


def test_a_law_that_misses_its_points_is_widened_by_birges_ratio():
    good, bad = (fit_law(LINE, points({1.0: 10.0, 2.0: second})) for second in (20.0, 26.0))
    assert good.scatter == 1.0
    assert bad.scatter == pytest.approx(sqrt(bad.fit.chi_square))
    assert bad.scatter > 3.0
    assert bad.model().parameters[0].standard_error == pytest.approx(
        bad.fit.standard_errors[0] * bad.scatter
    )
    assert bad.widened.standard_errors[0] == pytest.approx(bad.fit.standard_errors[0] * bad.scatter)
    assert bad.widened.chi_square == pytest.approx(bad.fit.degrees_of_freedom)


def test_two_parameters_want_four_numbers():
    with pytest.raises(NotCalibratable, match="at least 4"):
        fit_law(TWO, points({1.0: 3.0, 2.0: 4.0, 3.0: 5.0}))
    assert fit_law(TWO, points({x: 2.0 + x for x in (1.0, 2.0, 3.0, 5.0)})).fit.values == (
        pytest.approx((2.0, 1.0))
    )


def test_ninety_percent_intervals_hold_ninety_percent():
    """Drawn data sets; 95 % of the time at least 127 of 150 if the interval is one of 90 %."""
    random = np.random.default_rng(5)
    inside = 0
    for _ in range(150):
        drawn = {x: (3.0 + 2.0 * x) * (1.0 + 0.02 * random.standard_normal()) for x in range(1, 7)}
        found = fit_law(TWO, points(drawn))
        truth = (3.0 + 2.0 * 9.0) * (1.0 + 0.02 * random.standard_normal())
        inside += truth in found.predict(points({9.0: truth})[0])
    # Birge's ratio only ever widens, so a few more than nine in ten.
    assert 127 <= inside <= 148
