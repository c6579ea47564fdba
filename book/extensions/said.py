"""For hidden cells: a number printed in the prose is what the library computes.

The tests collect every number in the prose of a page and look for it among the first arguments
of `said` and `given` in the same page.
"""

from __future__ import annotations

from decimal import Decimal


def said(text: str, value: float) -> None:
    """The number as the prose prints it is ``value`` at that many digits.

    Examples
    --------
    >>> said("9.33", 9.3312)
    >>> said("9.34", 9.3312)
    Traceback (most recent call last):
        ...
    AssertionError: the prose says 9.34, the library 9.3312
    """
    printed = Decimal(text.replace(",", "").replace("\N{MINUS SIGN}", "-"))
    half = Decimal(5).scaleb(int(printed.as_tuple().exponent) - 1)
    off = abs(Decimal(value) - printed)
    assert off <= half * Decimal("1.0000001"), f"the prose says {text}, the library {value:.6g}"


def given(*texts: str) -> None:
    """Numbers that the prose chooses or quotes: inputs of an example, years, counts of things."""
    assert all(texts)
