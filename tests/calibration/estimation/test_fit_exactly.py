"""The fitting core number by number: scales, ends of the search, what the data do not see."""

import math

import numpy as np
import pytest

from calibration.estimation.fit import RATIO, REAL, Fit, NotCalibratable, Search, check_count, fit
from calibration.printed_tables.run import Measurement


def measured(values, deviation=0.1):
    return [Measurement(v, deviation) for v in values]


def test_a_search_by_ratios_is_logarithmic_and_stays_finite():
    assert Search().ratio
    assert RATIO.inward(math.e) == 1.0
    assert RATIO.inward(math.e, 7.0) == 1.0  # a ratio has no unit
    assert RATIO.outward(1.0, 7.0) == math.e
    assert RATIO.outward(1e6) == math.exp(225.0) < math.inf
    assert RATIO.outward(-1e6) == math.exp(-225.0) > 0.0
    assert RATIO.outward(225.5) == math.exp(225.0)
    assert RATIO.outward(-225.5) == math.exp(-225.0)


def test_a_linear_search_counts_in_units_of_its_start():
    assert (REAL.ratio, REAL.low, REAL.high) == (False, -math.inf, math.inf)
    assert REAL.inward(6.0, 3.0) == 2.0
    assert REAL.inward(7.0, 2.0) == 3.5
    assert REAL.outward(2.0, 3.0) == 6.0
    assert REAL.inward(6.0) == REAL.outward(6.0) == 6.0


def test_what_a_fit_derives():
    found = Fit(
        (1.0, 2.0, 3.0), (2.0, 3.0, 0.0), ((4.0, -3.0, 0.0), (-3.0, 9.0, 0.0), (0.0, 0.0, 0.0)),
        (0.5, -1.0, 2.0, 0.0, 0.0),
    )  # fmt: skip
    assert found.chi_square == 5.25
    assert found.degrees_of_freedom == 2
    assert found.blind == ()


@pytest.mark.parametrize("search", [None, [RATIO], [REAL], [Search(ratio=False, low=0.0)]])
@pytest.mark.parametrize("start", [1e-3, 1.5, 40.0])
def test_mean_and_its_error_whatever_the_scale(search, start):
    found = fit(lambda p: [p[0]] * 4, measured([4.0, 5.0, 6.0, 7.0], 0.2), [start], search)
    assert found.values[0] == pytest.approx(5.5, rel=1e-9)
    assert found.standard_errors[0] == pytest.approx(0.1, rel=1e-6)
    assert found.covariance[0][0] == pytest.approx(0.01, rel=1e-6)
    assert found.residuals == pytest.approx([-7.5, -2.5, 2.5, 7.5], rel=1e-6)


def test_a_start_of_zero_and_values_below_zero():
    found = fit(lambda p: [p[0]] * 2, measured([-3.0, -5.0]), [0.0], [REAL])
    assert found.values[0] == pytest.approx(-4.0, rel=1e-9)
    found = fit(lambda p: [p[0]] * 2, measured([-3.0, -5.0]), [-2.0], [REAL])
    assert found.values[0] == pytest.approx(-4.0, rel=1e-9)
    assert found.standard_errors[0] == pytest.approx(0.1 / math.sqrt(2.0), rel=1e-6)


def test_a_search_ends_at_its_limits():
    below = fit(
        lambda p: [p[0]] * 2, measured([1.0, 2.0]), [5.0], [Search(ratio=False, low=3.0, high=9.0)]
    )
    assert below.values[0] == pytest.approx(3.0, abs=1e-6)
    above = fit(
        lambda p: [p[0]] * 2, measured([20.0, 30.0]), [5.0],
        [Search(ratio=False, low=3.0, high=9.0)],
    )  # fmt: skip
    assert above.values[0] == pytest.approx(9.0, abs=1e-6)


def test_two_parameters_on_two_scales_are_correlated_as_a_line_is():
    x = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    y = 7.0 - 2.0 * x
    deviations = [0.1, 0.2, 0.1, 0.4, 0.1, 0.3]
    found = fit(
        lambda p: [p[0] + p[1] * v for v in x],
        [Measurement(float(v), d) for v, d in zip(y, deviations)], [20.0, -0.5], [RATIO, REAL],
    )  # fmt: skip
    design = np.stack([np.ones(6), x], 1) / np.array(deviations)[:, None]
    expected = np.linalg.inv(design.T @ design)
    assert found.values == pytest.approx((7.0, -2.0), rel=1e-7)
    assert np.array(found.covariance) == pytest.approx(expected, rel=1e-5)
    errors = np.sqrt(np.diag(expected))
    assert found.standard_errors == pytest.approx(errors, rel=1e-5)
    assert found.blind == ()


def test_a_weak_parameter_is_not_taken_for_an_unseen_one():
    data = measured([1.0, 1.0, 1.0, 1.0])
    found = fit(
        lambda p: [p[0] + 1e-5 * (p[1] - 1.0) * s for s in (1, -1, 1, -1)], data, [2.0, 2.0]
    )
    assert found.blind == ()
    assert found.values == pytest.approx((1.0, 1.0), rel=1e-4)
    assert found.standard_errors[1] == pytest.approx(0.05 / 1e-5, rel=1e-3)


def test_a_parameter_that_moves_nothing_is_named_by_its_number():
    data = measured([1.0, 2.0, 3.0, 4.0])
    with pytest.raises(NotCalibratable, match=r"^parameter 2 does not move any of the measured"):
        fit(lambda p: [p[0]] * 4, data, [1.0, 1.0])
    with pytest.raises(NotCalibratable, match=r"^parameter 1 does not move any of the measured"):
        fit(lambda p: [p[1]] * 4, data, [1.0, 1.0])
    found = fit(lambda p: [p[0]] * 4, data, [1.0, 3.0], blind=True)
    assert found.blind == ((1,),)
    assert found.standard_errors[0] == pytest.approx(0.05, rel=1e-6)
    assert found.standard_errors[1] == math.inf
    assert found.values == pytest.approx((2.5, 3.0))
    assert found.covariance[1][1] == 0.0


def test_a_combination_that_moves_nothing_is_named_by_its_members():
    data = measured([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    found = fit(
        lambda p: [p[0] * p[2] * k + p[1] for k in range(6)], data, [1.0, 1.0, 1.0], blind=True
    )
    assert found.blind == ((0, 2),)
    assert found.standard_errors[0] == found.standard_errors[2] == math.inf
    assert found.values[0] * found.values[2] == pytest.approx(1.0, rel=1e-6)
    assert found.values[1] == pytest.approx(1.0, rel=1e-6)
    assert math.isfinite(found.standard_errors[1])


def test_small_numbers_are_as_visible_as_large_ones():
    """What counts is a parameter's column beside the others, not beside 1."""
    for size in (1e-9, 1.0, 1e9):
        found = fit(
            lambda p, size=size: [size * (p[0] + p[1] * k) for k in range(4)],
            [Measurement(size * (1.0 + 2.0 * k), size) for k in range(4)],
            [1.5, 1.5],
        )
        assert found.blind == ()
        assert found.values == pytest.approx((1.0, 2.0), rel=1e-6)
        assert found.standard_errors == pytest.approx((0.7**0.5, 0.2**0.5), rel=1e-4)
    noisy = fit(
        lambda p: [p[0] + p[1] * k for k in range(4)],
        [Measurement(1.0 + 2.0 * k, 1e9) for k in range(4)], [1.0, 2.0], blind=True,
    )  # fmt: skip
    assert noisy.blind == ()
    assert noisy.standard_errors == pytest.approx((1e9 * 0.7**0.5, 1e9 * 0.2**0.5), rel=1e-4)


def dependent(shift):
    """A line and its own shift: the first column is the second and a little of the third."""
    return lambda p: [p[0] * (k + shift) + p[1] * k + p[2] for k in range(6)]


def test_the_strongest_member_of_an_unseen_combination_is_named():
    data = measured([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    with pytest.raises(NotCalibratable, match=r"^parameter 1 does not move"):
        fit(dependent(1.0), data, [1.0] * 3, [REAL] * 3)


@pytest.mark.parametrize(("shift", "members"), [(0.245, (0, 1)), (0.384, (0, 1, 2))])
def test_who_moves_less_than_a_tenth_of_the_most_is_no_member(shift, members):
    data = measured([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert fit(dependent(shift), data, [1.0] * 3, [REAL] * 3, blind=True).blind == (members,)


def test_nothing_that_moves_at_all():
    with pytest.raises(NotCalibratable, match="does not move any of the measured numbers"):
        fit(lambda _: [1.0, 1.0], measured([1.0, 2.0]), [1.0])
    found = fit(lambda _: [1.0, 1.0], measured([1.0, 2.0]), [1.0], blind=True)
    assert (found.blind, found.standard_errors) == (((0,),), (math.inf,))


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_start_without_an_answer_is_refused(value):
    said = r"^the model has no solution at the starting values of the fit$"
    with pytest.raises(NotCalibratable, match=said):
        fit(lambda p: [p[0], value], measured([1.0, 2.0]), [1.0])


def test_a_search_that_does_not_end_says_so():
    with pytest.raises(NotCalibratable, match="did not converge within 2 steps"):
        fit(
            lambda p: [math.exp(-p[0] * k) + p[1] for k in range(6)],
            measured([5.0, 3.0, 2.0, 1.6, 1.5, 1.45]), [20.0, 3.0], evaluations=2,
        )  # fmt: skip


def test_a_loose_tolerance_ends_sooner_and_farther_away():
    calls = {"tight": 0, "loose": 0}

    def model(name):
        def predict(p):
            calls[name] += 1
            return [p[0] * math.exp(-p[1] * k) for k in range(6)]

        return predict

    data = measured([5.0, 3.0, 2.0, 1.6, 1.5, 1.45])
    tight = fit(model("tight"), data, [1.0, 1.0])
    loose = fit(model("loose"), data, [1.0, 1.0], tolerance=1e-2)
    assert calls["loose"] < calls["tight"]
    assert tight.chi_square <= loose.chi_square
    assert tight.values == pytest.approx(loose.values, rel=0.2)


def test_two_numbers_for_each_parameter_are_enough():
    check_count(3, 6)
    for numbers in (5, 0):
        with pytest.raises(
            NotCalibratable, match=f"at least 6 measured numbers, there are {numbers}"
        ):
            check_count(3, numbers)
    with pytest.raises(NotCalibratable, match="4 parameters need at least 8 measured"):
        check_count(4, 7)


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
