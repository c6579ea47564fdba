"""What is left of a station's capacity, on which all depends near saturation; see THEORY.md."""

from collections.abc import Iterable
from math import inf

#: Splits a float of 53 bits into halves of 26 (Veltkamp); larger factors would overflow.
_SPLIT = 134217729.0
_LARGEST_SPLIT = 2.0**996


def spare_capacity(limit: float, work: Iterable[tuple[float, float]]) -> float:
    """Capacity less the sum of the products, as if computed in twice the precision. [1]

    ``limit`` is the capacity of the station, its servers or the last rate of a load-dependent one,
    ``work`` arrival rate [1/s] and service demand [s] of each class.
    """
    left, lost = limit, 0.0
    for rate, demand in work:
        product = rate * demand
        difference = left - product
        if difference == -inf:
            return -inf
        # What the subtraction lost, exactly so where left >= product; else nothing is spare.
        lost += (left - difference) - product
        lost -= _rounding_of_product(rate, demand, product)
        left = difference
    return left + lost


def _rounding_of_product(a: float, b: float, product: float) -> float:
    """What ``a * b`` lost when it was rounded to ``product``, exactly (Dekker)."""
    if max(a, b, product) > _LARGEST_SPLIT:
        return 0.0
    shifted = _SPLIT * a
    a_high = shifted - (shifted - a)
    a_low = a - a_high
    shifted = _SPLIT * b
    b_high = shifted - (shifted - b)
    b_low = b - b_high
    return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
