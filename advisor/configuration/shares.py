"""Users of each class, in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence


def shares(users: int, parts: Sequence[float]) -> list[int]:
    """Whole users for each part, by Sainte-Lague's divisors; they add up to ``users``.

    With more users no part gets fewer, which largest remainders do not promise.

    Examples
    --------
    >>> shares(10, [0.5, 0.25, 0.25]), shares(11, [0.5, 0.25, 0.25])
    ([5, 3, 2], [5, 3, 3])
    """
    total = sum(parts)
    sure = max(0, users - len(parts))
    whole = [int(sure * part / total + 0.5) for part in parts]
    while sum(whole) < users:
        i = max(range(len(parts)), key=lambda i: (parts[i] / (2 * whole[i] + 1), -i))
        whole[i] += 1
    return whole


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
