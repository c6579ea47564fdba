"""Percentiles of a distribution that is known by its tail."""

from __future__ import annotations

from collections.abc import Callable


def quantile(exceeds: Callable[[float], float], p: float, scale: float) -> float:
    """The smallest time that at most a share 1 - p of the customers exceeds, to the last bit. [s]

    Parameters
    ----------
    exceeds : callable
        Probability that a time exceeds its argument, falling from at most 1 to 0. [1]
    p : float
        Share of customers that stay within the percentile, 0 <= p < 1. [1]
    scale : float
        A time of about the size of the mean, > 0, where the search starts. [s]

    Examples
    --------
    >>> from math import exp
    >>> round(quantile(lambda t: exp(-t), p=0.5, scale=1.0), 12)
    0.69314718056
    """
    left = 1.0 - p
    if exceeds(0.0) <= left:
        return 0.0
    low, high = 0.0, scale
    while exceeds(high) > left:
        low, high = high, 2.0 * high
    while True:
        middle = low + 0.5 * (high - low)
        if not low < middle < high:
            return high
        if exceeds(middle) > left:
            low = middle
        else:
            high = middle
