"""A linear picture of the network that guides the search: nothing rests on it.

A task is taken to add to the users' response time what it adds alone, and to take of each station
what it takes alone on an idle server. A slot's limits are soft: how far they are exceeded costs
more than any place a task can have.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import vstack

from advisor.scheduling.program import Limit, Numbers, Program
from advisor.scheduling.response import Responses

#: Numbers of users at which a task's effect is solved; between them it is interpolated.
LEVELS = 4
#: What a move costs, of the most that any start of a task costs: less is not worth one. [1]
MOVED = 0.01


@dataclass(frozen=True, slots=True)
class Surrogate:
    """What the tasks add and take, as rows and costs of a program."""

    program: Program
    #: Response time of each slot without tasks. [s]
    alone: tuple[float, ...]
    #: Task by task and slot by slot, what the task adds. [s]
    adds: tuple[tuple[float, ...], ...]
    #: Of each column: the waiting that a start adds to all users, and of what exceeds a limit.
    costs: Numbers
    limits: tuple[Limit, ...]

    @property
    def added(self) -> tuple[float, ...]:
        """The most each task adds. [s]"""
        return tuple(map(max, self.adds))

    @property
    def size(self) -> int:
        """Entries of the rows for the stations' capacity."""
        return sum(int(limit.rows.nnz) for limit in self.limits)

    def within(self, level: float, *, stations: bool = True) -> Iterator[Limit]:
        """The capacity of the stations, and of each slot below a level of response time."""
        if stations:
            yield from self.limits
        yield Limit(self._time_rows() / level, 1.0 - np.array(self.alone) / level)

    def _time_rows(self) -> Any:
        slots = range(len(self.program.day))
        rows = [
            self.program.together({i: adds[s] for i, adds in enumerate(self.adds) if adds[s]}, [s])
            for s in slots
        ]
        return vstack(rows, format="csr") + self.program.exceeded(slots)


def surrogate_of(program: Program, responses: Responses) -> Surrogate:
    """The surrogate of a program; solves some tens of networks for each task."""
    day = program.day
    counts = sorted({n for n in day.users if n})
    alone = {n: responses.time(n, ()) for n in counts}
    picked = (
        sorted({counts[round(k * (len(counts) - 1) / (LEVELS - 1))] for k in range(LEVELS)})
        if counts
        else []
    )
    adds = []
    for request in program.requests:
        known = [responses.added(n, request.name) if request.known else 0.0 for n in picked]
        finite = [min(a, 1e9) for a in known]
        adds.append(tuple(float(np.interp(n, picked, finite)) if n else 0.0 for n in day.users))
    costs = _costs(program, adds)
    return Surrogate(
        program, tuple(alone.get(n, 0.0) for n in day.users), tuple(adds), costs,
        tuple(_capacity(program, responses)),
    )  # fmt: skip


def _costs(program: Program, adds: Sequence[Sequence[float]]) -> Numbers:
    """Waiting added to all users by each start; of equals today's is better, then the earlier."""
    day = program.day
    costs = np.zeros(program.width)
    for column, (i, start) in enumerate(program.columns):
        slots = range(start, start + program.requests[i].length)
        waiting = [day.users[s % len(day)] * adds[i][s % len(day)] for s in slots]
        costs[column] = sum(waiting)
    most = max(float(costs.max(initial=0.0)), 1e-12)
    costs /= most
    for column, (i, start) in enumerate(program.columns):
        request = program.requests[i]
        costs[column] += 1e-4 * (start - request.starts[0]) / len(day)
        costs[column] += MOVED * (request.begins(start, day) != request.now)
    costs[len(program.columns) :] = 10.0
    return costs


def _capacity(program: Program, responses: Responses) -> Iterator[Limit]:
    """No station is asked for more than it has, or than one task takes of it alone."""
    day, requests = program.day, program.requests
    takes = {
        i: responses.state(0, (request.name,)).utilizations
        for i, request in enumerate(requests)
        if request.known
    }
    users = {n: responses.state(n, ()).utilizations for n in set(day.users) if n}
    slots = range(len(day))
    seen = set()
    for k in range(len(next(iter(takes.values()), ()))):
        shares = {i: busy[k] for i, busy in takes.items() if busy[k] > 1e-6}
        left = np.array([1.0 - users[n][k] if n else 1.0 for n in day.users])
        # Drives of an array are all alike.
        key = (*((i, round(share, 6)) for i, share in shares.items()), round(left.min(), 6))
        if shares and key not in seen and sum(shares.values()) > left.min():
            seen.add(key)
            most = np.maximum(left, max(shares.values()) * (1 + 1e-9))
            yield Limit(program.together(shares, slots) + program.exceeded(slots), most)
