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
