"""Random service and interarrival times of a given mean and squared coefficient of variation.

The default has the distributions that the analysis assumes: phase-type by two moments
(`qmodel.numerics.phase_type`), and constant at SCV 0. Others have the same two moments.

References
----------
.. [1] A. M. Law, "Simulation Modeling and Analysis," 5th ed., McGraw-Hill, 2015, ch. 8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log1p, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qmodel.errors import InvalidInput
from qmodel.model.validation import finite, sequence

Array = NDArray[np.float64]
#: Draws so many times.
Sampler = Callable[[np.random.Generator, int], Array]

#: Distributions by name.
FAMILIES = ("phase-type", "gamma", "lognormal", "pareto")


class Times:
    """A distribution that can be drawn from.

    Parameters
    ----------
    mean : float
        [s]
    scv : float
        Squared coefficient of variation. [1]
    family : str or sequence of float
        One of `FAMILIES`, or measured times, which are drawn with equal probability and scaled to
        the mean; then the SCV is theirs.
    what : str
        What these times are, for errors.

    Examples
    --------
    >>> times = Times(2.0, 4.0, "lognormal").draw(np.random.default_rng(1), 200_000)
    >>> round(float(times.mean()), 1), round(float(times.var() / times.mean()**2))
    (2.0, 4)
    """

    def __init__(self, mean: float, scv: float, family: Any = "phase-type", what: str = "") -> None:
        self.mean, self.scv, self.family = mean, scv, family
        self.values: Array | None = None
        if not isinstance(family, str):
            self.values = _measured(sequence(family, f"times of {what}"), mean, what)
        elif family not in FAMILIES:
            raise InvalidInput(
                f"distribution of {what} is {family!r}, expected one of {', '.join(FAMILIES)}, or "
                "a list of measured times"
            )

    def draw(self, random: np.random.Generator, number: int) -> Array:
        """So many independent times."""
        if self.values is not None:
            return random.choice(self.values, number)
        if self.scv == 0.0:
            return np.full(number, self.mean)
        if self.family == "lognormal":
            spread = log1p(self.scv)
            normal = random.standard_normal(number)
            return np.asarray(self.mean * np.exp(normal * sqrt(spread) - 0.5 * spread))
        if self.family == "pareto":  # P(T > t) = (low / t)^shape from ``low`` on
            shape = 1.0 + sqrt(1.0 + 1.0 / self.scv)
            low = self.mean * (shape - 1.0) / shape
            return np.asarray(low * np.exp(random.standard_exponential(number) / shape))
        if self.scv == 1.0:
            return self.mean * random.standard_exponential(number)
        if self.family == "gamma":
            return random.gamma(1.0 / self.scv, self.mean * self.scv, number)
        if self.scv > 1.0:  # hyperexponential of balanced means
            first = 0.5 * (1.0 + sqrt((self.scv - 1.0) / (self.scv + 1.0)))
            p = np.where(random.random(number) < first, first, 1.0 - first)
            return np.asarray(random.standard_exponential(number) * self.mean / (2.0 * p))
        # An Erlang distribution of k phases, or with some probability of one less.
        k = ceil(1.0 / self.scv - 1e-9)
        root = sqrt(max(0.0, k * (1.0 + self.scv) - k * k * self.scv))
        shorter = (k * self.scv - root) / (1.0 + self.scv)
        phases = np.where(random.random(number) < shorter, k - 1.0, float(k))
        return np.asarray(random.standard_gamma(phases) * self.mean / (k - shorter))


def _measured(values: Sequence[Any], mean: float, what: str) -> Array:
    """Measured times, scaled to a mean."""
    times = np.array([finite(v, f"a measured time of {what}") for v in values])
    if not len(times) or times.min() < 0.0 or not times.max() > 0.0:
        raise InvalidInput(f"measured times of {what}: expected numbers >= 0 that are not all 0")
    return np.asarray(times * (mean / times.mean()))
