"""Hours of the day: windows that may cross midnight."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from qmodel.documents.fields import KeyProblem, fraction

DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Window:
    """From one time of day to another, in minutes after midnight; it may cross midnight."""

    start: int
    end: int

    @classmethod
    def parse(cls, start: str, end: str) -> "Window":
        """A window from two texts such as "22:00"; raises ValueError on any other text."""
        return cls(minutes_of(start), minutes_of(end))

    @property
    def length(self) -> int:
        """Minutes from start to end; a window that ends where it starts is a whole day."""
        return (self.end - self.start) % DAY or DAY

    def __contains__(self, minute: int) -> bool:
        return (minute - self.start) % DAY < self.length

    def minutes(self, step: int = 15) -> Iterator[int]:
        """Times of day inside, every ``step`` minutes."""
        for offset in range(0, self.length, step):
            yield (self.start + offset) % DAY

    def overlaps(self, other: "Window") -> bool:
        """Whether some minute lies in both."""
        return self.start in other or other.start in self

    def __str__(self) -> str:
        return f"{clock(self.start)}-{clock(self.end)}"


def minutes_of(text: str) -> int:
    """Minutes after midnight of a time such as "22:00"; raises ValueError on any other text."""
    hours, colon, minutes = text.partition(":")
    if not (colon and hours.isdecimal() and minutes.isdecimal() and len(minutes) == 2):
        raise ValueError(f'expected "HH:MM", got {text!r}')
    if int(hours) > 23 or int(minutes) > 59:
        raise ValueError(f'expected "00:00" to "23:59", got {text!r}')
    return int(hours) * 60 + int(minutes)


def clock(minutes: int) -> str:
    """A time of day as text."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@dataclass(frozen=True, slots=True)
class UserProfile:
    """Shares of the users, each from one time of day until the next one."""

    #: Minutes after midnight, in order, and the share that is at work from then on. [1]
    steps: tuple[tuple[int, float], ...]

    @classmethod
    def parse(cls, written: Mapping[str, Any]) -> "UserProfile":
        """A profile as a file writes it.

        InvalidInput for what is no time of day, a share outside 0 to 1, or a time given twice.
        """
        found: dict[int, float] = {}
        for key, value in written.items():
            try:
                minute, share = minutes_of(key), fraction(value)
            except ValueError as error:
                raise KeyProblem(str(error), key) from None
            if minute in found:
                raise KeyProblem("this time is given twice; give it once", key)
            found[minute] = share
        if not any(found.values()):
            raise KeyProblem('expected shares such as "08:00" = "100 %", no user is ever at work')
        return cls(tuple(sorted(found.items())))

    @classmethod
    def by_peak(cls, peak: Window, elsewhere: float) -> "UserProfile":
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


def duration(minutes: int) -> str:
    """Minutes as hours and minutes."""
    hours, rest = divmod(minutes, 60)
    parts = [f"{hours} h"] if hours else []
    return " ".join([*parts, *([f"{rest} min"] if rest or not hours else [])])
