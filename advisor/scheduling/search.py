"""The search for a timetable: bisection over feasibility programs, checked against the network.

Whether some timetable keeps every slot's response time at or below a level is asked of a
mixed-integer program. It knows the network only by cuts: sets of tasks that, beside so many users,
were solved and found too slow. A timetable that it finds is solved slot by slot; whatever set is
too slow becomes a cut, reduced to the tasks that make it so, for all slots with as many users.
A cut takes it that more users never wait less, and beyond `FEW_TASKS` that more tasks never help.
When no timetable is left, the level is a bound. So the bound and the timetable are both the
network's own, and only the way between them is guided by a linear surrogate: what each task adds
to the response time alone, and what it takes of each station.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic

import numpy as np

from advisor.scheduling.conflict import infeasible
from advisor.scheduling.program import Limit, Outcome, Program, Starts, decide
from advisor.scheduling.response import Responses
from advisor.scheduling.staying import staying
from advisor.scheduling.surrogate import Surrogate, surrogate_of
from qmodel.errors import NotApplicable

#: The search ends when bound and timetable are this close. [1]
TOLERANCE = 1e-4
#: Programs solved for one level, and in all, before it is left undecided: the same everywhere.
ROUNDS, PROGRAMS = 40, 150

#: Among so few tasks it is looked into whether one more lets users wait less, by holding up others.
FEW_TASKS = 10
#: Entries of the stations' rows beyond which they hold the search up more than they help.
LARGE = 25_000

INTERRUPTED, TIME_LIMIT = "interrupted", "time limit"

Progress = Callable[[float, float], None]


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
    #: What ended the search before bound and timetable met, empty if nothing did.
    stopped: str


@dataclass(frozen=True, slots=True)
class _Cut:
    """Tasks that are too slow together beside so many users."""

    users: int
    tasks: frozenset[int]
    time: float


@dataclass(slots=True)
class _Search:
    """What a search knows; it changes as the search goes on.

    ``guides`` are the parts of the surrogate that are still of use: 2 with the stations'
    capacity, 1 with the response time alone, 0 none.
    """

    program: Program
    responses: Responses
    deadline: float
    progress: Progress | None
    best: Starts = ()
    worst: float = float("inf")
    bound: float = 0.0
    programs: int = 0
    guides: int = 2
    stopped: str = ""
    cuts: dict[tuple[int, frozenset[int]], _Cut] = field(default_factory=dict)


def search(
    program: Program,
    responses: Responses,
    deadline: float,
    progress: Progress | None = None,
) -> Found:
    """Find the timetable whose worst slot is best; tasks whose move gains nothing stay.

    It stops at a deadline of `time.monotonic` at the latest; progress is told the worst slot so far
    and the bound [s]. Infeasible if nothing meets all that is asked.
    """
    it = _Search(program, responses, deadline, progress)
    try:
        _first(it)
        surrogate = surrogate_of(program, responses)
        it.guides = 2 if surrogate.size <= LARGE else 1
        _bisect(it, surrogate)
    except KeyboardInterrupt:
        if not it.best:
            raise
        it.stopped = INTERRUPTED
    level = max(it.worst, it.bound * (1 + TOLERANCE))
    it.program, it.best = staying(program, it.best, responses, level)
    it.worst = _worst(it, it.best)
    return Found(it.program, it.best, it.worst, min(it.bound, it.worst), it.stopped)


def _first(it: _Search) -> None:
    """Some timetable, and what no timetable can improve on."""
    outcome = decide(it.program, gap=1.0, seconds=max(_left(it), 5.0))
    if outcome.status == "impossible":
        raise infeasible(it.program)
    if outcome.status == "undecided":
        raise Undecided("no timetable was found in time; longer slots make the search shorter")
    _take(it, outcome.starts)
    today = it.program.today()
    if today is not None and it.program.meets(today):
        _take(it, today)  # a timetable should not be worse than none
    placed = {i for i, r in enumerate(it.program.requests) if len(r.starts) == 1}
    it.bound = max(
        _time(it, n, [i for i in running if i in placed])
        for n, running in zip(it.program.day.users, it.program.sets(it.best), strict=True)
    )


def _bisect(it: _Search, surrogate: Surrogate) -> None:
    """Halve the way between the bound and the best timetable until they meet."""
    low = it.bound
    # The bound itself comes first: most nights are empty enough to meet it.
    level, rounds = low * (1 + TOLERANCE / 2), ROUNDS // 4
    while not it.stopped:
        answer = _within(it, surrogate, level, rounds)
        if answer is not True:
            low = level
        if answer is False:
            it.bound = level
        if it.worst - low <= TOLERANCE * it.worst:
            break
        level, rounds = (low + it.worst) / 2, ROUNDS
    if it.worst - it.bound > TOLERANCE * it.worst and not it.stopped:
        it.stopped = "some levels were left undecided"


def _within(it: _Search, surrogate: Surrogate, level: float, rounds: int) -> bool | None:
    """Whether some timetable keeps every slot within a level; None if that stays open."""
    for _ in range(rounds):
        if it.programs >= PROGRAMS:
            it.stopped = "limit of programs"
            return None
        if _left(it) <= 0.0:
            it.stopped = TIME_LIMIT
            return None
        it.programs += 1
        outcome = _decide(it, surrogate, level)
        if outcome.status != "found":
            return False if outcome.status == "impossible" else None
        if _take(it, outcome.starts, level):
            return True
        _cut(it, surrogate, outcome.starts, level)
    return None


def _decide(it: _Search, surrogate: Surrogate, level: float) -> Outcome:
    """A timetable that no cut forbids at a level, as well guided as the program's size allows."""
    limits = list(_limits(it, level))
    while it.guides:
        outcome = decide(
            it.program,
            limits=[*surrogate.within(level, stations=it.guides > 1), *limits],
            costs=surrogate.costs,
            gap=0.05,
            nodes=50,
            seconds=min(_left(it) / 3, 10.0),
        )
        if outcome.status != "undecided":
            return outcome
        it.guides -= 1
    return decide(it.program, limits=limits, gap=1.0, seconds=min(_left(it), 10.0))


def _take(it: _Search, starts: Starts, level: float = 0.0) -> bool:
    """Keep a timetable that is the best, or as good as was asked for; whether it is that."""
    worst = _worst(it, starts)
    if worst < it.worst or worst <= level or not it.best:
        it.best, it.worst = starts, worst
    if it.progress:
        it.progress(it.worst, it.bound)
    return worst <= level


def _worst(it: _Search, starts: Starts) -> float:
    sets = it.program.sets(starts)
    return max(_time(it, n, running) for n, running in zip(it.program.day.users, sets, strict=True))


def _time(it: _Search, users: int, tasks: Sequence[int]) -> float:
    names = [it.program.requests[i].name for i in tasks if it.program.requests[i].known]
    return it.responses.time(users, names) if users else 0.0


def _cut(it: _Search, surrogate: Surrogate, starts: Starts, level: float) -> None:
    """Cuts for each set of tasks in a timetable that is too slow, and for what makes it so."""
    day, added = it.program.day, surrogate.added
    found = set(zip(day.users, it.program.sets(starts), strict=True))
    for users, running in sorted(found):
        if _time(it, users, running) <= level:
            continue
        tasks = whole = [i for i in running if it.program.requests[i].known]
        for i in sorted(tasks, key=lambda i: (added[i], i)):
            rest = [j for j in tasks if j != i]
            if _time(it, users, rest) > level:
                tasks = rest
        for each in (tasks, whole) if _is_small(it) else (tasks,):
            fewest = _fewest(it, users, each, level)
            key = (fewest, frozenset(each))
            it.cuts[key] = _Cut(*key, _time(it, fewest, each))


def _fewest(it: _Search, users: int, tasks: Sequence[int], level: float) -> int:
    """The fewest users beside whom some tasks are still too slow."""
    counts = sorted({n for n in it.program.day.users if 0 < n <= users})
    low, high = 0, len(counts) - 1
    while low < high:
        middle = (low + high) // 2
        if _time(it, counts[middle], tasks) > level:
            high = middle
        else:
            low = middle + 1
    return counts[high]


def _limits(it: _Search, level: float) -> Iterator[Limit]:
    """The cuts that hold at a level, as rows."""
    day = it.program.day
    for cut in it.cuts.values():
        if cut.time > level:
            slots = [s for s, n in enumerate(day.users) if n >= cut.users]
            weights = dict.fromkeys(cut.tasks, 1.0) | dict.fromkeys(_relief(it, cut, level), -1.0)
            rows = it.program.together(weights, slots)
            yield Limit(rows, np.full(len(slots), len(cut.tasks) - 1.0))


def _relief(it: _Search, cut: _Cut, level: float) -> list[int]:
    """Tasks beside which those of a cut are not too slow: they hold up what users wait for."""
    if not _is_small(it):
        return []
    others = [i for i, r in enumerate(it.program.requests) if r.known and i not in cut.tasks]
    return [i for i in others if _time(it, cut.users, [*cut.tasks, i]) <= level]


def _is_small(it: _Search) -> bool:
    return len(it.program.requests) <= FEW_TASKS


def _left(it: _Search) -> float:
    return it.deadline - monotonic()
