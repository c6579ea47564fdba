"""Tasks stay where they are today wherever their move gains nothing.

A move gains something if without it users would wait longer at the worst time of the day, or
noticeably longer in the minutes that it changes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from advisor.configuration.hours import DAY
from advisor.planning.effects import NOTICEABLE
from advisor.scheduling.program import Program, Starts, program_of
from advisor.scheduling.request import Request, at_present
from advisor.scheduling.response import Responses


def staying(
    program: Program, starts: Starts, responses: Responses, level: float
) -> tuple[Program, Starts]:
    """The timetable with every task placed where it is today whose move gains nothing.

    ``level`` is what users may wait in the worst slot. [s]
    """
    found, at = program, starts
    movable = [i for i, r in enumerate(program.requests) if r.placed is None and r.may_stay]
    back = True
    while back:
        back = False
        for tasks in (movable, *([i] for i in movable)):
            then = _put_back(found, at, tasks) if tasks else None
            if then and _as_good((found, at), then, responses, level):
                found, at = then
                movable = [i for i in movable if i not in tasks]
                back = True
    return (program_of(found.requests, found.day), at) if found is not program else (program, at)


def _put_back(
    program: Program, starts: Starts, tasks: Iterable[int]
) -> tuple[Program, Starts] | None:
    """Some tasks where they are today, None if that breaks a wish."""
    requests = list(program.requests)
    at = list(starts)
    for i in tasks:
        requests[i] = at_present(requests[i], program.day)
        at[i] = requests[i].starts[0]
    then = replace(program, requests=tuple(requests))
    return (then, tuple(at)) if all(kept(then, tuple(at))) else None


def kept(program: Program, starts: Starts) -> Iterator[bool]:
    """Whether each wish but the places is kept."""
    requests, slots = program.requests, len(program.day)
    for wish in program.wishes:
        mine, other = requests[wish.task], requests[wish.other]
        start, before = starts[wish.task], starts[wish.other]
        if wish.kind == "after":
            yield start >= before + other.length
        elif wish.kind == "apart":
            yield not _slots(mine, start, slots) & _slots(other, before, slots)


def _slots(request: Request, start: int, count: int) -> set[int]:
    return {s % count for s in range(start, start + request.length)}


def _as_good(
    moved: tuple[Program, Starts], back: tuple[Program, Starts], responses: Responses, level: float
) -> bool:
    """Whether users wait no longer: in no slot beyond the level, nor in all minutes that differ."""
    day = back[0].day
    known = {i: request.name for i, request in enumerate(back[0].requests) if request.known}
    for users, running in zip(day.users, back[0].sets(back[1]), strict=True):
        names = [known[i] for i in running if i in known]
        if users and responses.time(users, names) > level:
            return False
    here = there = 0.0
    minutes = sorted({*range(0, DAY, day.slot), *_turns(*moved), *_turns(*back), DAY})
    for start, end in pairwise(minutes):
        users = day.users[start // day.slot]
        one, other = _running(*moved, start), _running(*back, start)
        if users and one != other:
            here += (end - start) * users * responses.time(users, one)
            there += (end - start) * users * responses.time(users, other)
    return there <= here * (1.0 + NOTICEABLE)


def _turns(program: Program, starts: Starts) -> Iterator[int]:
    """Minutes of the day at which a task starts or ends."""
    for request, start in zip(program.requests, starts, strict=True):
        begins = request.begins(start, program.day)
        yield from (begins, (begins + request.minutes) % DAY)


def _running(program: Program, starts: Starts, minute: int) -> tuple[str, ...]:
    """The tasks with known demands that run in a minute of the day."""
    return tuple(
        request.name
        for request, start in zip(program.requests, starts, strict=True)
        if request.known and (minute - request.begins(start, program.day)) % DAY < request.minutes
    )
