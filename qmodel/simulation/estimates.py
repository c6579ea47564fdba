"""What replications counted, as estimates with 95 % intervals; see THEORY.md."""

from collections.abc import Sequence
from functools import cache
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

from qmodel.numerics.arrays import Array
from qmodel.simulation.state import BINS, RATIO

#: Probability that an interval covers what is estimated.
LEVEL = 0.95
#: An interval with controls over that without, at least: a regression is biased where measures are
#: no linear function of the controls, by a part in R of the curvature.
NARROWEST = 1.0 / 3.0


class Estimate(NamedTuple):
    """A value and the half width of its 95 % interval, in the unit of the value.

    Examples
    --------
    >>> estimate = Estimate(2.0, 0.1)
    >>> estimate.low, estimate.high, str(estimate)
    (1.9, 2.1, '2 ± 0.1')
    """

    value: float
    half_width: float

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.value - self.half_width

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.value + self.half_width

    @property
    def relative(self) -> float:
        """The half width over the value; 0 where both are. [1]"""
        return self.half_width / abs(self.value) if self.value else 0.0

    def __str__(self) -> str:
        return f"{self.value:.5g} ± {self.half_width:.2g}"


class Counts(NamedTuple):
    """What one replication counted after its warm-up; arrays by class, or class and station."""

    time: float
    events: int
    area: Array
    work: Array
    visits: Array
    done: Array
    late: Array
    lost: Array
    response: Array
    histogram: Array


def ratio(
    above: Sequence[float] | Array, below: Sequence[float] | Array, controls: Array | None = None
) -> Estimate:
    """The ratio of two sums over replications.

    ``controls``, of shape (R, q), have the expectation 0; see `control_variates`.
    """
    a, b = np.asarray(above, float), np.asarray(below, float)
    total = float(b.sum())
    if not total:
        return Estimate(0.0, 0.0)
    value = float(a.sum()) / total
    if np.count_nonzero(b) < 2:  # one replication says nothing of the others
        return Estimate(value, abs(value))
    differences = a - value * b
    plain = quantile(len(a)) * _deviation(differences) / total
    if controls is None or not controls.size:
        return Estimate(value, plain)
    count, number = controls.shape
    design = np.column_stack([np.ones(count), controls / controls.std(axis=0)])
    inverse = np.linalg.pinv(design.T @ design)
    fit = inverse @ design.T @ differences
    left = float(np.sum((differences - design @ fit) ** 2)) / (count - number - 1)
    deviation = count * sqrt(max(0.0, left * float(inverse[0, 0])))
    width = quantile(count - number) * deviation / total
    return Estimate(value + count * float(fit[0]) / total, max(width, plain * NARROWEST))


@cache
def quantile(replications: int) -> float:
    """Student's t of an interval from so many replications."""
    return float(student.ppf(0.5 + LEVEL / 2.0, replications - 1))


def percentile(histograms: Array, shortest: float, share: float) -> Estimate:
    """The response time within which a share is done: 0.95 asks for the 95th percentile.

    ``histograms`` are those of each replication, shape (R, BINS); ``shortest`` is the lower bound
    of the first bin [s], ratios of neighbouring bounds are `state.RATIO`.
    """
    together = np.cumsum(histograms.sum(axis=0))
    total = float(together[-1])
    if not total or not shortest:  # none, or none that takes any time
        return Estimate(0.0, 0.0)

    def at(part: float) -> float:
        wanted = min(max(part, 0.5 / total), 1.0 - 0.5 / total) * total
        b = int(np.searchsorted(together, wanted))
        before = float(together[b - 1]) if b else 0.0
        within = (wanted - before) / (float(together[b]) - before)
        return float(shortest * RATIO ** (b + within))

    value = at(share)
    # The share of shorter times in each replication, bins cut as for the value.
    place = np.log(value / shortest) / np.log(RATIO)
    b = min(BINS - 1, int(place))
    shorter = histograms[:, :b].sum(axis=1) + (place - b) * histograms[:, b]
    spread = ratio(shorter, histograms.sum(axis=1)).half_width
    # Half of the interval, whose ends are not as far apart: the longer side covered too often.
    return Estimate(value, 0.5 * (at(share + spread) - at(share - spread)))


def _deviation(differences: Array) -> float:
    """Standard deviation of a sum of so many independent differences of mean 0."""
    count = len(differences)
    if count < 2:
        return float("inf")
    return sqrt(count * float(np.var(differences, ddof=1)))
