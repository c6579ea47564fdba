"""Phase-type distributions by a two-moment fit; see THEORY.md."""

from dataclasses import dataclass
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np

from qmodel.numerics.arrays import Complex

#: Highest order.
MOST = 32
#: Distance from an integer, or from an SCV of 1, that is rounding.
NEAR = 1e-9


class PhaseType(NamedTuple):
    """A phase-type distribution."""

    #: alpha, the initial distribution. [1]
    start: tuple[float, ...]
    #: T, rates from phase to phase; the diagonal has the total rate out, negative. [1/s]
    generator: tuple[tuple[float, ...], ...]

    @property
    def moves(self) -> list[tuple[float, list[tuple[int, float]]]]:
        """Of each phase: the rate of absorption, and the phases that follow, with rates. [1/s]"""
        ends = [-sum(row) for row in self.generator]
        return [  # without what is rounding
            (end * (end > -NEAR * row[i]), [(j, rate) for j, rate in enumerate(row) if rate > 0.0])
            for i, (end, row) in enumerate(zip(ends, self.generator, strict=True))
        ]


def fit_phase_type(mean: float, scv: float) -> PhaseType:
    """The phase-type distribution of this mean [s] and squared coefficient of variation."""
    if abs(scv - 1.0) < NEAR:
        return PhaseType((1.0,), ((-1.0 / mean,),))
    if scv > 1.0:
        first = 0.5 * (1.0 + sqrt((scv - 1.0) / (scv + 1.0)))
        second = 1.0 - first
        rates = 2.0 * first / mean, 2.0 * second / mean
        return PhaseType((first, second), ((-rates[0], 0.0), (0.0, -rates[1])))
    scv = max(scv, 1.0 / MOST)
    count = max(2, ceil(1.0 / scv - NEAR))
    # With probability ``shorter`` the first of the phases is skipped.
    shorter = (count * scv - sqrt(count * (1.0 + scv) - count * count * scv)) / (1.0 + scv)
    shorter = max(0.0, shorter) if shorter > 1e-12 else 0.0
    rate = (count - shorter) / mean
    start = (1.0 - shorter, shorter, *[0.0] * (count - 2))
    row = (*[0.0] * (count - 1), -rate, rate, *[0.0] * (count - 2))
    return PhaseType(start, tuple(row[count - 1 - i : 2 * count - 1 - i] for i in range(count)))


#: SCV below which the waiting time behind such services has a distribution with bends.
NEARLY_CONSTANT = 0.05


@dataclass(frozen=True, slots=True)
class ServiceTime:
    """The sum of ``times`` independent times of one distribution."""

    #: Of one. [s]
    mean: float
    #: Of one. [1]
    scv: float = 1.0
    #: How many are added up.
    times: int = 1

    @property
    def nearly_constant(self) -> bool:
        """Whether waiting times behind it have a distribution with bends."""
        return self.scv < NEARLY_CONSTANT

    def transform(self, s: Complex) -> Complex:
        """Laplace-Stieltjes transform E exp(-s T)."""
        return self._single(s) if self.times == 1 else self._single(s) ** self.times

    def _single(self, s: Complex) -> Complex:
        x = s * self.mean
        if self.scv == 1.0:
            return 1.0 / (1.0 + x)
        if self.scv < 1e-9:
            return np.exp(-x)
        if self.scv < 1.0:
            return np.exp(np.log1p(x * self.scv) / -self.scv)
        p = 0.5 * (1.0 + sqrt((self.scv - 1.0) / (self.scv + 1.0)))
        first, second = p / (1.0 + x / (2.0 * p)), (1.0 - p) / (1.0 + x / (2.0 * (1.0 - p)))
        return first + second

    def residual_transform(self, s: Complex) -> Complex:
        """The same of the residual time at a random moment, (1 - E exp(-s T)) / (s E T)."""
        x = s * self.mean
        near = np.abs(x) < 1e-5  # where the difference below has no digits left
        safe = np.where(near, 1.0, x)
        whole = (1.0 - self._single(np.asarray(safe / self.mean, complex))) / safe
        residual: Complex = np.where(near, 1.0 - 0.5 * (1.0 + self.scv) * x, whole) ** self.times
        return residual
