"""A waiting time by its probability and three moments. Original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from qmodel.single_station.pollaczek import Wait

#: How far a number may be from where it is to be.
NEAR = 1e-6
#: A probability of waiting that is none.
NEVER = 1e-100
#: A wait that is short, over the mean service.
SHORT = 0.2


@dataclass(frozen=True, slots=True)
class WaitMoments:
    """The wait of an arrival."""

    #: Of waiting at all. [1]
    probability: float
    #: Moments of the wait of all customers. [s, s^2, s^3]
    first: float
    second: float
    third: float

    @classmethod
    def mixed(cls, parts: Sequence[float], waits: Sequence[WaitMoments]) -> WaitMoments:
        """The wait of customers of several kinds, of their parts in all."""
        sums = [0.0] * 4
        for part, one in zip(parts, waits, strict=True):
            for i, value in enumerate((one.probability, one.first, one.second, one.third)):
                sums[i] += part * value
        return cls(*sums)

    @classmethod
    def by_cumulants(cls, wait: Wait) -> WaitMoments:
        """From a wait by its mean, variance and third cumulant."""
        second = wait.variance + wait.mean**2
        third = wait.third + 3.0 * wait.variance * wait.mean + wait.mean**3
        return cls(wait.probability, wait.mean, second, third)

    @property
    def possible(self) -> bool:
        """Whether these can be the moments of a wait, but for rounding."""
        moments = (self.first, self.second, self.third)
        return -NEAR <= self.probability <= 1.0 + NEAR and all(-NEAR <= m < inf for m in moments)

    def mended(self, time: float) -> WaitMoments:
        """Where the wait is short beside a service, moments that no wait has are those nearest.

        Of arrivals that are hardly random a reduced process leaves waits so short that their
        moments are within its error. The conditional wait is then exponential.

        Examples
        --------
        >>> WaitMoments(0.5, 0.01, -1e-5, -1e-4).mended(1.0)
        WaitMoments(probability=0.5, first=0.01, second=0.0004, third=2.4e-05)
        """
        short = abs(self.first) < SHORT * time
        possible = min(self.probability, self.first, self.third) >= 0.0
        if not short or (possible and self.second * self.probability >= self.first**2):
            return self
        first, probability = max(0.0, self.first), min(1.0, max(0.0, self.probability))
        if first == 0.0 or probability < NEVER:
            return WaitMoments(0.0, 0.0, 0.0, 0.0)
        mean = first / probability
        return WaitMoments(probability, first, 2.0 * first * mean, 6.0 * first * mean**2)

    def ratios(self, other: WaitMoments) -> tuple[float, ...]:
        """Ratios to the conditional wait of another station, by three moments."""
        mine, others = ((one.first, one.second, one.third) for one in (self, other))
        if not all((*mine, *others, self.probability, other.probability)):
            return (1.0, 1.0, 1.0)
        often = other.probability / self.probability
        return tuple(often * a / b for a, b in zip(mine, others, strict=True))

    def longer(self, ratios: Sequence[float]) -> WaitMoments:
        """The same with its moments that many times as large."""
        one, two, three = ratios
        return WaitMoments(
            self.probability, one * self.first, two * self.second, three * self.third
        )

    @property
    def spread(self) -> float:
        """SCV of the conditional wait, given that a customer waits. [1]"""
        if self.first == 0.0 or self.probability == 0.0:
            return 1.0
        return max(0.0, self.second * self.probability / self.first**2 - 1.0)

    @property
    def wait(self) -> Wait:
        """The same by cumulants. [s, s^2, s^3]"""
        variance = self.second - self.first**2
        third = self.third - 3.0 * self.first * variance - self.first**3
        return Wait(self.probability, self.first, variance, third)
