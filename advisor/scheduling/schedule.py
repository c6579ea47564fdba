"""``schedule``: a configuration in, a timetable out."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from math import ceil, inf, isfinite
from time import monotonic

from advisor.configuration.configuration import Configuration
from advisor.configuration.hours import clock
from advisor.configuration.promises import time_name
from advisor.findings.targets import held_times, promised
from advisor.findings.words import percent
from advisor.scheduling.day import OFF_PEAK_SHARE, day_of
from advisor.scheduling.program import Program, Starts, program_of
from advisor.scheduling.request import Request, requests_of
from advisor.scheduling.response import Responses
from advisor.scheduling.search import INTERRUPTED, TIME_LIMIT, Found, search
from advisor.scheduling.timetable import Placement, PromisedTime, Slot, Timetable
from qmodel.errors import InvalidInput, Unstable

#: Rounds in which tasks that are given as work are given more time.
ROUNDS = 6
#: A task that is slower than this beside others is worth a note. [1]
SLOWED = 0.9


def schedule(
    configuration: Configuration, *, slot: int = 15, any_time: bool = False,
    time_limit: float = 40.0, progress: Callable[[float, float], None] | None = None,
) -> Timetable:  # fmt: skip
    """Find the hours for batch tasks that keep response times short at the worst time of the day.

    Every task is at work all the time it is given. The time itself is the task's ``duration``,
    as measured at work; where the configuration gives ``work``, as measured on an idle server,
    it is as much longer as the network says the task is slowed down.

    Parameters
    ----------
    configuration : Configuration
        The server, its users and its batch tasks.
    slot : int
        Length of a slot; it divides a day. [min]
    any_time : bool
        Whether tasks that are not fixed may run at any time, to see what their windows cost.
    time_limit : float
        For the search; the best timetable by then is kept. [s]
    progress : callable, optional
        Called with the worst slot's response time so far and its bound. [s]

    Raises
    ------
    advisor.scheduling.conflict.Infeasible
        If the requests cannot all be met; names wishes that conflict, none of them too many.
    qmodel.Unstable
        If users alone arrive faster than the server can serve.
    qmodel.FileError
        If the configuration has no batch tasks or does not say how long one takes.
    """
    settings = configuration.settings
    if not settings.batch:
        raise configuration.document.error(("batch",), "no batch tasks, so nothing to schedule")
    if not (isfinite(time_limit) and time_limit > 0.0):
        raise InvalidInput(f"the time limit must be above 0 s, got {time_limit:g}")
    deadline = monotonic() + time_limit
    day = day_of(settings.workload, slot)
    responses = Responses.of(configuration, day)
    for users in sorted(set(day.users)):
        if not isfinite(responses.time(users, ())):
            raise Unstable(f"users alone leave no steady state at {users} users; nothing to move")
    first = requests = requests_of(configuration, day, any_time=any_time)
    work = [request.minutes for request in first]
    longer: dict[str, int] = {}
    for _ in range(ROUNDS):
        found = search(program_of(requests, day), responses, deadline, progress)
        late = short_of_time(found.program, found.starts, responses, work)
        if not late or found.stopped in {INTERRUPTED, TIME_LIMIT}:
            break
        longer |= late
        requests = requests_of(configuration, day, longer=longer, any_time=any_time)
    return _timetable(configuration, found, responses, first=first, late=late)


def _timetable(
    configuration: Configuration, found: Found, responses: Responses, *, first: Sequence[Request],
    late: Collection[str],
) -> Timetable:  # fmt: skip
    program = found.program
    day, requests = program.day, program.requests
    sets = program.sets(found.starts)
    after = tuple(tuple(requests[i].name for i in running) for running in sets)
    running: list[list[str]] = [[] for _ in range(len(day))]
    for request, placed, start in zip(first, requests, found.starts, strict=True):
        stays = placed.begins(start, day) == request.now  # and takes as long as it does there
        for s in day.covered(request.now, placed.minutes if stays else request.minutes):
            running[s].append(request.name)
    pace = speeds(program, found.starts, responses)
    known = {r.name for r in requests if r.known}
    slots = tuple(
        Slot(
            s * day.slot,
            users,
            tuple(running[s]),
            after[s],
            *(
                responses.range(users, [name for name in names if name in known])
                for names in ((), running[s], after[s])
            ),
        )
        for s, users in enumerate(day.users)
    )
    placements = tuple(
        Placement(
            request.name, request.now, request.begins(start, day), request.minutes, request.fixed,
            start >= len(day), request.known, speed, batch.command,
        )
        for request, start, speed, batch in zip(
            requests, found.starts, pace, configuration.settings.batch, strict=True
        )
    )  # fmt: skip
    timetable = Timetable(
        configuration, day.slot, requests[0].origin, placements, slots, found.bound, found.stopped,
        tuple(_notes(configuration, requests, pace, late)),
    )  # fmt: skip
    if timetable.longest_waits is not None and 0.0 < found.worst < inf:  # as slots are printed
        shown = timetable.longest_waits[1].time.mid / found.worst
        timetable = replace(timetable, bound=found.bound * shown)
    return replace(timetable, promised=tuple(_promised(timetable, responses, known)))


def _promised(
    found: Timetable, responses: Responses, known: Collection[str]
) -> Iterator[PromisedTime]:
    """The targets of response times, each at the slowest slot today and in the timetable."""
    before, after = found.worst_before, found.worst_after
    if not promised(found.configuration) or before is None or after is None:
        return
    now, then = (
        responses.outlook(slot.users, [name for name in running if name in known])
        for slot, running in ((before, before.before), (after, after.after))
    )
    for users, share, limit in held_times(found.configuration, now):
        if (later := then.class_of(users.name)) is not None:
            what = f"{time_name(share)} of {users.name}"
            yield PromisedTime(what, limit, users.within(share), later.within(share))


def _notes(
    configuration: Configuration, requests: Sequence[Request], pace: Sequence[float | None],
    late: Collection[str],
) -> Iterator[str]:  # fmt: skip
    settings = configuration.settings
    workload = settings.workload
    yield "response time is the mean over requests; a task counts as running for its whole duration"
    if workload.profile is None:
        share = OFF_PEAK_SHARE if workload.off_peak_share is None else workload.off_peak_share
        source = "assumed" if workload.off_peak_share is None else "stated"
        yield (
            f"outside the peak, {workload.peak}, {percent(share)} of the users are {source} to be "
            "at work; workload.profile can give it hour by hour"
        )
    if any(r.after for r in requests):
        begins = clock(requests[0].origin)
        yield f"the order of tasks (after) is that of a day that begins at {begins}"
    for request, speed, batch in zip(requests, pace, settings.batch, strict=True):
        if not request.known:
            yield f"{request.name}: its demands are not known, so its effect on users is left out"
        elif request.name in late:
            yield f"{request.name}: its work may need longer than {request.minutes} min"
        elif speed is not None and speed < SLOWED and not request.by_work:
            yield (
                f"{request.name}: runs at {percent(speed)} of the speed it has alone; its duration "
                "is right if measured beside as much other work; if alone, give work = ... instead"
            )
        if request.fixed and not batch.fixed:
            yield (
                f"{request.name}: fills its window, {request.window}, since no duration is given; "
                "with one it can move within the window, with --any-time to any time"
            )


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
        for s, minutes in _parts(program, i, starts[i]):
            total += minutes * _speed(program, starts, responses, i, s)
        found.append(total / request.minutes)
    return tuple(found)


def short_of_time(
    program: Program, starts: Starts, responses: Responses, work: Sequence[int]
) -> dict[str, int]:
    """Tasks whose work, minutes on an idle server, does not fit their time; the minutes needed."""
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
