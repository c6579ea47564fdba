"""Between which numbers of users something passes its limit: false position, as Illinois has it.

M. Dowell and P. Jarratt, "A modified regula falsi method for computing the root of an equation,"
BIT 11, 1971, pp. 168-174.
"""

from collections.abc import Callable
from math import ceil, floor

#: How near both ends are at last, over the users: a 200th of them. [1]
NEAR = 0.005


def narrowed(
    off: Callable[[int], float], low: int, high: int, fine: float = NEAR
) -> tuple[int, int]:
    """A number of users that is within a limit and one that is not, at most ``fine`` apart or 1.

    ``off`` is how far beyond the limit so many are, not above 0 at ``low`` and above 0 at ``high``.
    """
    below, above, last = off(low), off(high), 0
    while high - low > max(1, fine * high):
        part = -below / (above - below)
        # On a grid that searches share, the place beyond in the direction of the farther end.
        grid, rounded = max(1, int(0.7 * fine * high)), ceil if part < 0.5 else floor
        middle = grid * rounded((low + part * (high - low)) / grid)
        middle = max(low + 1, min(high - 1, middle))
        # An end that stays counts half, or it would stay for long.
        if (found := off(middle)) > 0.0:
            high, above, below = middle, found, below * (0.5 if last > 0 else 1.0)
        else:
            low, below, above = middle, found, above * (0.5 if last < 0 else 1.0)
        last = 1 if found > 0.0 else -1
    return low, high
