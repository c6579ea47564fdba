"""A predicted number with its interval."""

from dataclasses import dataclass

#: Standard deviations to either side of a 90 % and a 95 % interval of the normal distribution.
NINETY, NINETY_FIVE = 1.6449, 1.96


@dataclass(frozen=True, slots=True)
class Range:
    """A predicted number: the middle of the members, and the ends of the 90 % interval."""

    low: float
    mid: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high
