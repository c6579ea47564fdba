"""What is asked of a timetable, wish by wish, so that those that conflict can be named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from advisor.configuration.hours import DAY, clock
from advisor.scheduling.request import Request
from advisor.scheduling.words import duration


@dataclass(frozen=True, slots=True)
class Wish:
    """Something asked of the timetable.

    Parameters
    ----------
    kind : {"place", "after", "apart"}
        That a task has a place; that it starts after another has ended; that the two never run
        together.
    task, other : int
        Indices of the requests; ``other`` is the task itself for a place.
    """

    kind: Literal["place", "after", "apart"]
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
