"""A predicted number with its interval."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Range:
    """A predicted number: the middle of the members, and the ends of the 90 % interval."""

    low: float
    mid: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high
