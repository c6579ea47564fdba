"""Search for a timetable: tasks are moved while that lessens the added waiting; see THEORY.md."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from time import monotonic

import numpy as np

from advisor.scheduling.conflict import infeasible
from advisor.scheduling.program import Numbers, Program, Starts, decide
from advisor.scheduling.response import Responses
from advisor.scheduling.staying import kept, staying
from qmodel.errors import NotApplicable

#: Bound and timetable this close are the same, and a gain below is none. [1]
TOLERANCE = 1e-4
#: Pairs of places tried each time that no single move helps.
PAIRS = 3_000
#: What a move costs, of the most that any start of a task costs: less is not worth one. [1]
MOVED = 0.01

INTERRUPTED, TIME_LIMIT = "interrupted", "time limit"

Progress = Callable[[float, float], None]
#: Response time of the worst slot [s], and waiting of all users in all slots.
Score = tuple[float, float]


class Undecided(NotApplicable):
    """No timetable was found in time, and none was ruled out."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best timetable of a search."""

    #: What was asked, with those tasks placed that stay where they are today.
    program: Program
    #: Slot in which each task starts.
    starts: Starts
    #: Response time of the worst slot. [s]
    worst: float
    #: No timetable does better than this. [s]
    bound: float
    #: What ended the search early, empty if nothing did.
    stopped: str


def search(
    program: Program, responses: Responses, deadline: float, progress: Progress | None = None
) -> Found:
    """Find a timetable whose worst slot no move improves; tasks whose move gains nothing stay.

    It stops at a deadline of `time.monotonic` at the latest; progress is told the worst slot so far
    and the bound [s]. Infeasible if nothing meets all that is asked.
    """
    best = _first(program, responses, max(deadline - monotonic(), 5.0))
    fixed = {i for i, r in enumerate(program.requests) if len(r.starts) == 1}
    bound = _score(program, responses, best, fixed)[0]
    stopped = ""
    try:
        for best in _better(program, responses, best, bound):  # noqa: B020, each follows the last
            if progress:
                progress(_score(program, responses, best)[0], bound)
            if monotonic() >= deadline:
                stopped = TIME_LIMIT
                break
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    level = max(_score(program, responses, best)[0], bound * (1 + TOLERANCE))
    program, best = staying(program, best, responses, level)
    worst = _score(program, responses, best)[0]
    return Found(program, best, worst, min(bound, worst), stopped)


def _first(program: Program, responses: Responses, seconds: float) -> Starts:
    """The timetable that adds the least waiting, or today's where that is not worse."""
    outcome = decide(program, costs=_costs(program, responses), gap=0.05, seconds=seconds)
    if outcome.status == "impossible":
        raise infeasible(program)
    if outcome.status == "undecided":
        raise Undecided("no timetable was found in time; longer slots make the search shorter")
    today = program.today()
    known = [outcome.starts, *([today] if today and program.meets(today) else [])]
    return min(known, key=lambda starts: _score(program, responses, starts))


def _costs(program: Program, responses: Responses) -> Numbers:
    """Waiting added to all users by each start; of equals today's is better, then the earlier."""
    day = program.day
    costs = np.zeros(program.width)
    for column, (i, start) in enumerate(program.columns):
        request = program.requests[i]
        if request.known:
            slots = [day.users[s % len(day)] for s in range(start, start + request.length)]
            costs[column] = sum(n * min(responses.added(n, request.name), 1e9) for n in slots if n)
    costs /= max(float(costs.max(initial=0.0)), 1e-12)
    for column, (i, start) in enumerate(program.columns):
        request = program.requests[i]
        costs[column] += 1e-4 * (start - request.starts[0]) / len(day)
        costs[column] += MOVED * (request.begins(start, day) != request.now)
    return costs


def _better(
    program: Program, responses: Responses, starts: Starts, bound: float
) -> Iterator[Starts]:
    """Timetables, each better than the one before, the given one first."""
    movable = [i for i, r in enumerate(program.requests) if len(r.starts) > 1]
    score = _score(program, responses, starts)
    yield starts
    improved = True
    while improved and score[0] > bound * (1 + TOLERANCE):
        improved = False
        for moves in (*((i,) for i in movable), *combinations(movable, 2)):
            if len(moves) == 2 and improved:
                break
            for then in _moved(program, starts, moves):
                found = _score(program, responses, then)
                if found[0] < score[0] * (1 - TOLERANCE) or (
                    found[0] <= score[0] and found[1] < score[1] * (1 - TOLERANCE)
                ):
                    starts, score, improved = then, found, True
                    yield starts


def _moved(program: Program, starts: Starts, tasks: Sequence[int]) -> Iterator[Starts]:
    """Every timetable with some tasks elsewhere that keeps all wishes, few of very many."""
    places = list(product(*(program.requests[i].starts for i in tasks)))
    for place in places[:: 1 + len(places) // PAIRS]:
        then = list(starts)
        for i, start in zip(tasks, place, strict=True):
            then[i] = start
        if tuple(then) != starts and all(kept(program, tuple(then))):
            yield tuple(then)


def _score(
    program: Program, responses: Responses, starts: Starts, only: set[int] | None = None
) -> Score:
    """The score of a timetable, or of some of its tasks."""
    worst = waiting = 0.0
    for users, running in zip(program.day.users, program.sets(starts), strict=True):
        if users:
            tasks = running if only is None else [i for i in running if i in only]
            names = [program.requests[i].name for i in tasks if program.requests[i].known]
            time = responses.time(users, names)
            worst, waiting = max(worst, time), waiting + users * time
    return worst, waiting
