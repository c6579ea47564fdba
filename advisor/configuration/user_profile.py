"""How many of the users are at work, from hour to hour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from advisor.configuration.hours import DAY, Window, minutes_of
from qmodel.documents.fields import KeyProblem
from qmodel.documents.units import quantity


@dataclass(frozen=True, slots=True)
class UserProfile:
    """Shares of the users, each from one time of day until the next one.

    Parameters
    ----------
    steps : tuple of (int, float)
        Minutes after midnight, in order, and the share that is at work from then on. [1]

    Examples
    --------
    >>> profile = UserProfile.parse({"08:00": "100 %", "18:00": 0.1})
    >>> profile.most(7 * 60 + 45, 15), profile.most(7 * 60 + 50, 15), profile.most(0, 15)
    (0.1, 1.0, 0.1)
    """

    steps: tuple[tuple[int, float], ...]

    @classmethod
    def parse(cls, written: Mapping[str, Any]) -> UserProfile:
        """A profile as a file writes it.

        Raises
        ------
        qmodel.InvalidInput
            For what is no time of day, a share outside 0 to 1, or a time given twice.
        """
        found: dict[int, float] = {}
        for key, value in written.items():
            try:
                minute, share = minutes_of(key), quantity(value, "fraction")
            except ValueError as error:
                raise KeyProblem(str(error), key) from None
            if not 0.0 <= share <= 1.0:
                raise KeyProblem(f"must be from 0 to 1 (or 0 % to 100 %), got {value}", key)
            if minute in found:
                raise KeyProblem("this time is given twice", key)
            found[minute] = share
        if not any(found.values()):
            raise KeyProblem('expected shares such as "08:00" = "100 %", no user is ever at work')
        return cls(tuple(sorted(found.items())))

    @classmethod
    def by_peak(cls, peak: Window, elsewhere: float) -> UserProfile:
        """Everybody at the peak, and the same share all the rest of the day."""
        if peak.length == DAY:
            return cls(((0, 1.0),))
        return cls(tuple(sorted([(peak.start, 1.0), (peak.end, elsewhere)])))

    def most(self, start: int, length: int) -> float:
        """The largest share within some minutes of the day. [1]"""
        before = [share for minute, share in self.steps if minute <= start % DAY]
        at_start = before[-1] if before else self.steps[-1][1]
        within = (share for minute, share in self.steps if 0 < (minute - start) % DAY < length)
        return max(at_start, *within, 0.0)
