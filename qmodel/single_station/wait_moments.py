"""A waiting time by its probability and three moments."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

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
    def mixed(cls, parts: Sequence[float], waits: "Sequence[WaitMoments]") -> "WaitMoments":
        """The wait of customers of several kinds, of their parts in all."""
        sums = [0.0] * 4
        for part, one in zip(parts, waits, strict=True):
            for i, value in enumerate((one.probability, one.first, one.second, one.third)):
                sums[i] += part * value
        return cls(*sums)

    @property
    def possible(self) -> bool:
        """Whether these can be the moments of a wait, but for rounding."""
        moments = (self.first, self.second, self.third)
        return -NEAR <= self.probability <= 1.0 + NEAR and all(-NEAR <= m < inf for m in moments)

    def mended(self, time: float) -> "WaitMoments":
        """Where the wait is short beside a service, moments that no wait has are those nearest.

        Of arrivals that are hardly random a reduced process leaves waits so short that their
        moments are within its error. The conditional wait is then exponential.
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

    def ratios(self, other: "WaitMoments") -> tuple[float, ...]:
        """Ratios to the conditional wait of another station, by three moments."""
        mine, others = ((one.first, one.second, one.third) for one in (self, other))
        if not all((*mine, *others, self.probability, other.probability)):
            return (1.0, 1.0, 1.0)
        often = other.probability / self.probability
        return tuple(often * a / b for a, b in zip(mine, others, strict=True))

    def longer(self, ratios: Sequence[float]) -> "WaitMoments":
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
    def of_those_who_wait(self) -> tuple[tuple[float, float], ...] | None:
        """Parts and means of two exponential times with three moments of it, its mean taken as 1.

        It is that exactly where service is hyperexponential or exponential. None where it varies
        less than an exponential time, or no two such times have the moments.
        """
        if self.first == 0.0 or self.probability == 0.0:
            return None
        one = self.first / self.probability
        two = self.second / self.probability / (2.0 * one**2)
        three = self.third / self.probability / (6.0 * one**3)
        # With means x and parts p: sums of p x, p x^2, p x^3 are 1, two, three.
        a, b, c = two - 1.0, three - two, three - two**2
        root = b * b - 4.0 * a * c
        if a <= 1e-6 or root <= 0.0 or c <= 0.0:
            return None
        long, short = (b + sqrt(root)) / (2.0 * a), (b - sqrt(root)) / (2.0 * a)
        part = (1.0 - short) / (long - short)
        return ((part, long), (1.0 - part, short)) if short > 0.0 < part < 1.0 else None
