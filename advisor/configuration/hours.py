"""Hours of the day: windows that may cross midnight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Window:
    """From one time of day to another, in minutes after midnight; it may cross midnight.

    Examples
    --------
    >>> night = Window.parse("22:00", "06:00")
    >>> night.length, 23 * 60 in night, 12 * 60 in night
    (480, True, False)
    """

    start: int
    end: int

    @classmethod
    def parse(cls, start: str, end: str) -> Window:
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

    def overlaps(self, other: Window) -> bool:
        """Whether some minute lies in both.

        Examples
        --------
        >>> Window.parse("08:00", "18:00").overlaps(Window.parse("22:00", "06:00"))
        False
        """
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
    """A time of day as text.

    Examples
    --------
    >>> clock(22 * 60 + 5)
    '22:05'
    """
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
