"""One interval from several models: the quantiles of their weighted mixture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, exp, inf, log, sqrt

from calibration.estimation.interval import Range
from calibration.fitting.fitted_model import NINETY


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one model says of a positive number: its middle, and its errors on a scale of ratios.

    Parameters
    ----------
    model : str
        The model.
    weight : float
        Its part in the mixture. [1]
    middle : float
        Its own value.
    below, above : float
        Standard deviations of the logarithm to either side. [1]
    """

    model: str
    weight: float
    middle: float
    below: float
    above: float

    @property
    def interval(self) -> Range:
        """Its own 90 % interval."""
        return Range(
            self.middle * exp(-NINETY * self.below),
            self.middle,
            self.middle * exp(NINETY * self.above),
        )

    def probability_below(self, logarithm: float) -> float:
        """Half of its mass lies to either side of its middle, each half normal."""
        distance = logarithm - log(self.middle)
        deviation = self.below if distance < 0.0 else self.above
        if not deviation:
            return 0.0 if distance < 0.0 else 1.0
        return 0.5 + 0.5 * erf(distance / deviation / sqrt(2.0))


def mixture(estimates: Sequence[Estimate], most: float = inf) -> Range:
    """The 5 %, 50 % and 95 % quantiles of several models by their weights.

    Parameters
    ----------
    estimates : sequence of Estimate
        At least one.
    most : float
        What the number cannot exceed, 1 for a utilization.

    Examples
    --------
    >>> found = mixture([Estimate("a", 1.0, 10.0, 0.1, 0.2)])
    >>> round(found.low, 3), round(found.mid, 3), round(found.high, 3)
    (8.483, 10.0, 13.895)
    >>> wide = mixture([Estimate("a", 0.5, 10.0, 0.1, 0.1), Estimate("b", 0.5, 20.0, 0.1, 0.1)])
    >>> round(wide.low, 2), round(wide.high, 2)
    (8.8, 22.73)
    """
    low, mid, high = (_quantile(estimates, p) for p in (0.05, 0.5, 0.95))
    return Range(min(low, most), min(mid, most), min(high, most))


def _quantile(estimates: Sequence[Estimate], probability: float) -> float:
    total = sum(e.weight for e in estimates)
    low = min(log(e.middle) - 4.0 * e.below for e in estimates)
    high = max(log(e.middle) + 4.0 * e.above for e in estimates)
    for _ in range(60):
        middle = 0.5 * (low + high)
        below = sum(e.weight * e.probability_below(middle) for e in estimates) / total
        if below < probability:
            low = middle
        else:
            high = middle
    return exp(0.5 * (low + high))
