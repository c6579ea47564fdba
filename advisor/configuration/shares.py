"""How many users a class needs to have any."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.estimation.shares import shares


def users_for_one(parts: Sequence[float], i: int) -> int:
    """The fewest users of all classes that leave somebody in one of them.

    Examples
    --------
    >>> users_for_one([0.999, 0.0005, 0.0005], 1), users_for_one([0.5, 0.5], 0)
    (1000, 1)
    """
    low, high = 0, 1
    while not shares(high, parts)[i]:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shares(middle, parts)[i] else (middle, high)
    return high
