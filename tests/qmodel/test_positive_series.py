"""Power series with positive coefficients against fractions, also far beyond floats."""

from fractions import Fraction
from math import ldexp

import pytest

from qmodel.numerics import power_series as series

FIRST = [1.0, 3.0, 0.5, 2.0, 0.25]


def times(first, second, most):
    """The product of two series up to a power, by its definition."""
    found = [Fraction(0)] * most
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            if i + j < most:
                found[i + j] += Fraction(a) * Fraction(b)
    return found


@pytest.mark.parametrize("head", [[1.0], [1.0, 4.0], [1.0, 4.0, 0.5, 7.0, 1.0, 2.0, 9.0]])
@pytest.mark.parametrize("ratio", [0.0, 0.5, 3.0])
def test_a_factor_that_goes_on_in_steps(head, ratio):
    factor = [*head, *(head[-1] * ratio**j for j in range(1, 9))]
    assert series.product(FIRST, head, ratio) == times(FIRST, factor, len(FIRST))
    if len(head) == 1:
        assert series.geometric(FIRST, ratio) == times(FIRST, factor, len(FIRST))
    last = len(FIRST) - 1
    assert series.coefficient(FIRST, factor, last) == times(FIRST, factor, len(FIRST))[last]


@pytest.mark.parametrize("ratios", [[0.75, 2.0**600, 2.0**-600], [1.5, 2.0**-600, 2.0**600]])
def test_one_ratio_may_be_half_the_range_of_floats(ratios):
    """Products are scaled no earlier than they must be, or the next would not fit."""
    middle, last = Fraction(ratios[0]) * Fraction(ratios[1]), Fraction(ratios[0])
    found = series.wide_products(ratios)
    exact = [Fraction(m) * Fraction(2) ** e for m, e in found]
    assert exact == [1, Fraction(ratios[0]), middle, last]
    assert all(0.5 <= mantissa < 1.0 for mantissa, _ in found)


def test_products_far_beyond_floats_keep_their_ratios():
    ratios = [2.0**400] * 10 + [2.0**-400] * 10
    found = series.products(ratios, 1.0)
    assert max(found) == 0.5
    assert found[9:12] == [ldexp(0.5, -400), 0.5, ldexp(0.5, -400)]
    assert found[0] == found[20] == 0.0
    wide = series.wide_products(ratios)
    assert [e for _, e in wide] == [1 + 400 * min(j, 20 - j) for j in range(21)]


def test_products_that_vanish_stay_nothing():
    assert series.products([2.0, 0.0, 3.0], 1.0) == [0.25, 0.5, 0.0, 0.0]
    assert series.wide_products([2.0, 0.0])[2][0] == 0.0


def test_decimals_are_exact_and_are_not_scaled():
    from decimal import Decimal

    ratios = [Decimal(3), Decimal("0.5"), Decimal(2) ** 40]
    assert series.products(ratios, Decimal(1)) == [1, 3, Decimal("1.5"), Decimal("1.5") * 2**40]
