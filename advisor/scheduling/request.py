"""What is asked of a timetable: one request a task, in slots."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Literal

from advisor.configuration.configuration import Configuration
from advisor.configuration.hours import DAY, Window, clock, duration
from advisor.configuration.schema import BatchTask
from advisor.predicting.workload import has_load
from advisor.scheduling.day import Day, beginning


@dataclass(frozen=True, slots=True)
class Request:
    """One task, how long it takes, and where it may start."""

    name: str
    #: Whether the model knows what the task asks of the server.
    known: bool
    #: The hours it may run in.
    window: Window
    #: How long it takes. [min]
    minutes: int
    #: Slots it may start in, in order of time; beyond midnight they go on counting.
    starts: tuple[int, ...]
    #: Slots that it touches.
    length: int
    #: Minute at which it starts whatever the timetable, None if it may be moved.
    placed: int | None
    #: Whether it has no choice; a task that may move can be placed where it is today.
    fixed: bool
    #: Whether today's place keeps its window; one that has none may stay where it starts.
    may_stay: bool
    #: Minute at which it starts today.
    now: int
    #: The tasks that must have ended before, and those that must not run beside it.
    after: tuple[str, ...]
    not_with: tuple[str, ...]
    #: Whether its time is that of an idle server, and grows beside others.
    by_work: bool
    #: Minute at which the day of the tasks begins, the same for all of them.
    origin: int

    def begins(self, slot: int, day: Day) -> int:
        """The minute of the day at which it starts, in one of its slots."""
        return self.placed if self.placed is not None else slot * day.slot % DAY


def requests_of(
    configuration: Configuration, day: Day, *, longer: dict[str, int] | None = None,
    any_time: bool = False,
) -> tuple[Request, ...]:  # fmt: skip
    """The requests of a configuration; FileError if it does not say how long a task takes.

    ``longer`` has minutes for tasks that take longer than on an idle server; with ``any_time``
    those that are not fixed may run as if they had no windows.
    """
    settings = configuration.settings
    allowed = [
        Window(0, 0) if any_time and not batch.fixed else batch.window or settings.workload.off_peak
        for batch in settings.batch
    ]
    index = {batch.name: i for i, batch in enumerate(settings.batch)}
    origin = beginning(
        [_occupied(b, w) for b, w in zip(settings.batch, allowed, strict=True)],
        settings.workload.peak,
        [tuple(index[name] for name in batch.after) for batch in settings.batch],
        [_minutes(configuration, i) for i in range(len(settings.batch))],
    )
    found = []
    for i, (batch, window) in enumerate(zip(settings.batch, allowed, strict=True)):
        minutes = _minutes(configuration, i)
        if longer:
            minutes = longer.get(batch.name, minutes)
        today = batch.window or settings.workload.off_peak
        now = today.start if batch.start is None else batch.start
        whole = batch.duration is None and batch.work is None and not any_time
        placed = now if batch.fixed or whole else None
        anywhere = batch.window is None and batch.start is not None
        starts, length = _starts(day, window, minutes, placed, origin)
        found.append(
            Request(
                batch.name, has_load(configuration, batch), window, minutes, starts, length, placed,
                placed is not None,
                anywhere or (now - window.start) % DAY + minutes <= window.length,
                now,
                batch.after,
                batch.not_with,
                batch.work is not None,
                origin,
            )
        )  # fmt: skip
    return tuple(found)


def at_present(request: Request, day: Day) -> Request:
    """The request for the place it has today."""
    starts, length = _starts(day, request.window, request.minutes, request.now, request.origin)
    return replace(request, placed=request.now, starts=starts, length=length)


def _occupied(batch: BatchTask, window: Window) -> Window:
    """When a task runs if it is fixed, and its window otherwise."""
    if not batch.fixed:
        return window
    start = window.start if batch.start is None else batch.start
    length = batch.duration or batch.work
    return Window(start, (start + ceil(length / 60)) % DAY) if length else window


def _minutes(configuration: Configuration, i: int) -> int:
    batch = configuration.settings.batch[i]
    length = batch.duration or batch.work
    if length is not None:
        return max(1, ceil(length / 60 - 1e-9))
    if batch.window is not None:
        return batch.window.length
    problem = 'needs duration (such as "2 h") or a window to have a place in the timetable'
    raise configuration.document.error(("batch", i), problem)


def _starts(
    day: Day, window: Window, minutes: int, placed: int | None, origin: int
) -> tuple[tuple[int, ...], int]:
    """Slots a task may start in, and how many it touches."""
    if placed is not None:
        start = origin + (placed - origin) % DAY
        first = start // day.slot
        return (first,), min(-(-(start + minutes) // day.slot) - first, len(day))
    length = -(-minutes // day.slot)
    if length > len(day):
        return (), length
    if window.length == DAY:
        first = -(-origin // day.slot)
        return tuple(range(first, first + len(day))), length
    opens = origin + (window.start - origin) % DAY
    first, end = -(-opens // day.slot), (opens + window.length) // day.slot
    return tuple(range(first, end - length + 1)), length


@dataclass(frozen=True, slots=True)
class Wish:
    """Something asked of the timetable."""

    #: That a task has a place; that it starts after another has ended; that the two never run
    #: together.
    kind: Literal["place", "after", "apart"]
    #: Indices of the requests; ``other`` is the task itself for a place.
    task: int
    other: int

    def words(self, requests: Sequence[Request]) -> str:
        """The wish in words."""
        task, other = requests[self.task], requests[self.other]
        if self.kind == "after":
            return f"{task.name} after {other.name}"
        if self.kind == "apart":
            return f"{task.name} not with {other.name}"
        long = duration(task.minutes)
        if task.placed is not None:
            return f"{task.name} ({long}) fixed at {clock(task.placed)}"
        if task.window.length == DAY:
            return f"{task.name} ({long}) at any time"
        return f"{task.name} ({long}) within {task.window}"


def wishes_of(requests: Sequence[Request]) -> Iterator[Wish]:
    """All that is asked: a place for each task, then what comes after what, and what is apart."""
    index = {request.name: i for i, request in enumerate(requests)}
    for i in range(len(requests)):
        yield Wish("place", i, i)
    for i, request in enumerate(requests):
        for name in dict.fromkeys(request.after):
            yield Wish("after", i, index[name])
    pairs = (
        tuple(sorted((i, index[name])))
        for i, request in enumerate(requests)
        for name in request.not_with
    )
    for i, j in dict.fromkeys(pairs):
        yield Wish("apart", i, j)
