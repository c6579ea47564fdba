"""The most users that keep within a limit: near where the targets are crossed, and then in full."""

from collections.abc import Callable
from functools import cache
from math import isqrt

from advisor.configuration.configuration import Configuration
from advisor.predicting.highest_load import USUAL, first_crossings, limits_of
from advisor.predicting.outlook import Outlook
from advisor.predicting.prediction import outlook
from calibration.hardware.task import shares

#: How much of what is allowed an outlook takes: within the limit up to 1. [1]
ShareOfLimit = Callable[[Outlook], float]


def most_users(configuration: Configuration, share: ShareOfLimit) -> int:
    """Largest number of users, up to the configured one, that keeps within a limit at the peak.

    Parameters
    ----------
    configuration : Configuration
        Its users are the most that are asked about.
    share : callable
        An outlook to how much of the limit it takes; taken to grow with the users.

    Returns
    -------
    int
        0 if no number does, or if only so few would that some class has no user left.
    """

    @cache
    def full(users: int) -> float:
        return share(outlook(configuration.with_users(users)))

    high = configuration.settings.workload.users
    if full(high) <= 1.0:
        return high
    # The fewest users that leave somebody in each class.
    parts = [c.share for c in configuration.settings.workload.classes]
    most = configuration.settings.workload.users
    low = 1
    while low < most and not all(shares(low, parts)):
        low = min(2 * low, most)
    if low >= high or full(low) > 1.0:
        return 0
    limits = limits_of(configuration, USUAL)
    crossed = [load for way, load, _ in first_crossings(configuration, limits) if way.axis == 0]
    low, high = _bracket(full, low, high, int(max(low, min(1.0, *crossed) * high)))
    # The last number within the limit, if ``low`` is and ``high`` is not.
    while high - low > 1:
        # By ratios at first: the fewer the users, the sooner they are solved.
        middle = isqrt(low * high) if high > 4 * low else (low + high) // 2
        low, high = (middle, high) if full(middle) <= 1.0 else (low, middle)
    return low


def _bracket(full: Callable[[int], float], low: int, high: int, guess: int) -> tuple[int, int]:
    """A narrow pair about a guess: the first within the limit, the second beyond it."""
    step = 1
    if full(guess) <= 1.0:
        low = guess
        while low + step < high and full(low + step) <= 1.0:
            low, step = low + step, 2 * step
        return low, min(high, low + step)
    high = guess
    while high - step > low and full(high - step) > 1.0:
        high, step = high - step, 2 * step
    return max(low, high - step), high
