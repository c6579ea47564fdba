"""How tasks get on beside users and each other, and the time that their work then takes."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from advisor.scheduling.program import Program, Starts
from advisor.scheduling.response import Responses

#: Clocks of tasks are set by the minute.
HALF_A_MINUTE = 0.5


def speeds(program: Program, starts: Starts, responses: Responses) -> tuple[float | None, ...]:
    """Mean speed of each task over its time, alone on an idle server being 1. [1]

    None for a task whose demands are not known.
    """
    found: list[float | None] = []
    for i, request in enumerate(program.requests):
        if not request.known:
            found.append(None)
            continue
        total = 0.0
        parts = _parts(program, i, starts[i])
        for s, minutes in parts:
            total += minutes * _speed(program, starts, responses, i, s)
        found.append(total / request.minutes)
    return tuple(found)


def short_of_time(
    program: Program, starts: Starts, responses: Responses, work: Sequence[int]
) -> dict[str, int]:
    """Tasks whose work does not fit their time, and the minutes that it would take.

    Parameters
    ----------
    program : Program
        What was asked.
    starts : tuple of int
        The timetable.
    responses : Responses
        The network, slot by slot.
    work : sequence of int
        Minutes each task takes on an idle server. [min]
    """
    found = {}
    for request, speed, needed in zip(
        program.requests, speeds(program, starts, responses), work, strict=True
    ):
        if request.by_work and speed and not request.fixed:
            done = speed * request.minutes
            if done < needed - HALF_A_MINUTE:
                found[request.name] = ceil(request.minutes + (needed - done) / speed - 1e-9)
    return found


def _parts(program: Program, i: int, start: int) -> list[tuple[int, float]]:
    """Slots of a task, and its minutes in each."""
    request, slot = program.requests[i], program.day.slot
    begins = start * slot
    if request.placed is not None:
        begins += request.placed % slot
    ends = begins + request.minutes
    return [
        (s % len(program.day), min(ends, (s + 1) * slot) - max(begins, s * slot))
        for s in range(start, start + request.length)
    ]


def _speed(program: Program, starts: Starts, responses: Responses, i: int, s: int) -> float:
    requests = program.requests
    name = requests[i].name
    running = [requests[j].name for j in program.sets(starts)[s] if requests[j].known]
    alone = responses.state(0, (name,)).batch_times[name]
    beside = responses.state(program.day.users[s], running).batch_times[name]
    return min(alone / beside, 1.0)
