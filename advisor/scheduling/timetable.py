"""The timetable: where each task goes, and what users wait, slot by slot, before and after."""

from dataclasses import dataclass
from math import inf
from typing import Literal

from advisor.configuration.configuration import Configuration
from advisor.configuration.hours import DAY
from calibration.estimation.interval import Range


@dataclass(frozen=True, slots=True)
class Placement:
    """When one task runs."""

    name: str
    #: Minute of the day at which it starts, today and in the timetable. [min]
    now: int
    start: int
    #: The time it is given. [min]
    minutes: int
    #: Whether it had no choice.
    fixed: bool
    #: Whether it starts after the midnight that follows the beginning of the tasks' day.
    next_day: bool
    #: Whether the model knows what it asks of the server.
    known: bool
    #: How fast it gets on beside users and other tasks, alone on an idle server being 1; None
    #: where its demands are not known. [1]
    speed: float | None
    #: What a crontab runs.
    command: str

    @property
    def end(self) -> int:
        """Minute of the day at which its time is over. [min]"""
        return (self.start + self.minutes) % DAY

    @property
    def moved(self) -> bool:
        """Whether it starts at another time than today."""
        return self.start != self.now


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot of the day."""

    #: Minute of the day. [min]
    start: int
    #: At work. [customers]
    users: int
    #: Tasks that run today, and in the timetable.
    before: tuple[str, ...]
    after: tuple[str, ...]
    #: Users' mean response time without tasks, today, and in the timetable; None where no user
    #: is at work. [s]
    alone: Range | None
    time_before: Range | None
    time_after: Range | None

    @property
    def slower_before(self) -> float:
        """How much longer response times are today than without tasks, relative. [1]"""
        return _slower(self.alone, self.time_before)

    @property
    def slower_after(self) -> float:
        """How much longer response times are in the timetable than without tasks, relative. [1]"""
        return _slower(self.alone, self.time_after)


@dataclass(frozen=True, slots=True)
class Wait:
    """Response times over the day."""

    #: Minute of the day. [min]
    start: int
    #: Users' mean response time. [s]
    time: Range


@dataclass(frozen=True, slots=True)
class PromisedTime:
    """What a target limits, at the slowest slot."""

    #: As "p95 of edit".
    what: str
    #: The target. [s]
    limit: float
    #: Today, and in the timetable. [s]
    before: Range
    after: Range


@dataclass(frozen=True, slots=True)
class Timetable:
    """An off-peak timetable, and how good it is."""

    configuration: Configuration
    #: Length of a slot. [min]
    minutes: int
    #: Minute at which the day of the tasks begins. [min]
    begins: int
    #: The tasks, as the configuration lists them.
    placements: tuple[Placement, ...]
    #: The day from midnight.
    slots: tuple[Slot, ...]
    #: No timetable has a better worst slot. [s]
    bound: float
    #: What ended the search before it was done, empty if nothing did.
    stopped: str
    #: What the figures rest on, and what they leave out.
    notes: tuple[str, ...]
    #: Response times that targets limit.
    promised: tuple[PromisedTime, ...] = ()

    @property
    def worst_before(self) -> Slot | None:
        """The slowest slot today."""
        return self._slowest("time_before")

    @property
    def worst_after(self) -> Slot | None:
        """The slowest slot in the timetable."""
        return self._slowest("time_after")

    @property
    def longest_waits(self) -> tuple[Wait, Wait] | None:
        """Users' longest wait today and in the timetable; None if no user is ever at work."""
        before, after = self.worst_before, self.worst_after
        if not (before and before.time_before and after and after.time_after):
            return None
        return Wait(before.start, before.time_before), Wait(after.start, after.time_after)

    @property
    def gap(self) -> float:
        """How far the worst slot may be above the best possible one, relative. [1]"""
        waits = self.longest_waits
        if waits is None or waits[1].time.mid <= self.bound:
            return 0.0
        return waits[1].time.mid / self.bound - 1.0 if self.bound else inf

    @property
    def movable(self) -> bool:
        """Whether some task has a choice."""
        return not all(each.fixed for each in self.placements)

    def _slowest(self, when: Literal["time_before", "time_after"]) -> Slot | None:
        """The first of the slowest slots."""
        known = [slot for slot in self.slots if getattr(slot, when)]
        return max(known, key=lambda slot: getattr(slot, when).mid, default=None)

    def placement(self, name: str) -> Placement:
        """The placement of a task."""
        (found,) = (each for each in self.placements if each.name == name)
        return found


def _slower(alone: Range | None, time: Range | None) -> float:
    if alone is None or time is None or not alone.mid:
        return 0.0
    return time.mid / alone.mid - 1.0
