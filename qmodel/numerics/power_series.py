"""Power series with positive coefficients: what convolution needs of them, for any numbers.

The functions take floats or decimals; they add, multiply and divide from left to right and
subtract nothing, so every result is good to a few roundings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import frexp, ldexp
from sys import modules
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from decimal import Decimal  # 7 ms that few networks need

    Number = TypeVar("Number", float, Decimal)
    Result = TypeVar("Result")

#: Running products are scaled by this power of two, exactly, before floats overflow or underflow.
_SHIFT = 500
#: Multiplications in a product for which NumPy is imported, where it is not there already.
LARGE = 30_000
#: Digits of the decimals that step in where floats are too narrow.
_DIGITS = 30


def in_decimals(compute: Callable[[Callable[[float], Decimal]], Result]) -> Result:
    """What ``compute`` makes of a type of numbers that neither overflow nor underflow."""
    from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext

    with localcontext(Context(prec=_DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        return compute(Decimal)


def products(ratios: Iterable[Number], one: Number) -> list[Number]:
    """1, then the running products of ``ratios``, all times a constant if they are floats.

    The constant is a power of two that brings the largest to between 1/2 and 1. Products that are
    too small for a float beside the largest become 0.
    """
    value = one
    if not isinstance(value, float):
        exact = [value]
        for ratio in ratios:
            value *= ratio
            exact.append(value)
        return exact
    blocks = _blocks(ratios)
    # The exponent of the largest.
    top = max(height + frexp(max(block))[1] for height, block in blocks if max(block))
    series: list[Number] = []
    for height, block in blocks:
        if height - top > -1000:
            scale = ldexp(1.0, height - top)
            series += [product * scale for product in block]
        else:  # the power of two alone would be 0, though not times the products
            series += [ldexp(product, height - top) for product in block]
    return series


def wide_products(ratios: Iterable[float]) -> list[tuple[float, int]]:
    """1, then the running products of ``ratios``, each between 1/2 and 1 times a power of two."""
    running = []
    for height, block in _blocks(ratios):
        for product in block:
            mantissa, exponent = frexp(product)
            running.append((mantissa, height + exponent))
    return running


def _blocks(ratios: Iterable[float]) -> list[tuple[int, list[float]]]:
    """Running products in blocks that are so many powers of two higher than they are written."""
    large, small = ldexp(1.0, _SHIFT), ldexp(1.0, -_SHIFT)
    value, height = 1.0, 0
    block = [value]
    blocks = [(height, block)]
    for ratio in ratios:
        value *= ratio
        if not small < value < large and value:
            up = _SHIFT if value > 1.0 else -_SHIFT
            value = ldexp(value, -up)
            height += up
            block = []
            blocks.append((height, block))
        block.append(value)
    return blocks


def geometric(series: Sequence[Number], ratio: Number) -> list[Number]:
    """``series`` times 1 + ratio x + ratio^2 x^2 + ...: every single server is such a factor."""
    last = ratio * 0
    coefficients = []
    for value in series:
        last = value + ratio * last
        coefficients.append(last)
    return coefficients


def product(series: Sequence[Number], head: Sequence[Number], ratio: Number) -> list[Number]:
    """``series`` times a factor that starts with ``head`` and goes on in steps of ``ratio``."""
    steps = len(head) - 1
    tail = geometric(series, ratio)
    coefficients = [ratio * 0] * steps
    coefficients += [head[-1] * value for value in tail]
    coefficients = coefficients[: len(series)]
    if isinstance(ratio, float) and ("numpy" in modules or steps * len(series) > LARGE):
        return _by_arrays(coefficients, series, head)
    for j in range(min(steps, len(series)) - 1, -1, -1):
        weight = head[j]
        coefficients[j:] = [
            before + weight * v for before, v in zip(coefficients[j:], series, strict=False)
        ]
    return coefficients


def _by_arrays(coefficients: Any, series: Any, head: Sequence[Any]) -> list[Any]:
    """The same sums in the same order, bit for bit, over arrays."""
    import numpy as np

    found, given = np.array(coefficients), np.array(series)
    with np.errstate(all="ignore"):
        for j in range(min(len(head) - 1, len(found)) - 1, -1, -1):
            found[j:] += head[j] * given[: len(found) - j]
    sums: list[Any] = found.tolist()
    return sums


def coefficient(first: Sequence[Number], second: Sequence[Number], n: int) -> Number:
    """Coefficient ``n`` of the product of two series."""
    total = first[0] * 0
    for a, b in zip(first[: n + 1], second[n::-1], strict=False):
        total += a * b
    return total
