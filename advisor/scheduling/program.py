"""The timetable as a mixed-integer program: one binary variable a task and slot it may start in."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from advisor.scheduling.day import Day
from advisor.scheduling.request import Request, Wish, wishes_of

Numbers = NDArray[np.float64]
Starts = tuple[int, ...]
Row = list[tuple[int, float]]
#: Nodes of the search tree after which a program is left undecided.
NODES = 2_000


@dataclass(frozen=True, slots=True)
class Program:
    """A column for each start of a task, and rows of the wishes."""

    requests: tuple[Request, ...]
    day: Day
    wishes: tuple[Wish, ...]
    #: Task and slot of each start.
    columns: tuple[tuple[int, int], ...]
    rows: Any
    #: The wishes by which each row holds: its own, and the place of the task it comes after.
    needs: tuple[tuple[int, ...], ...]
    low: Numbers
    high: Numbers

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.columns)

    def meets(self, starts: Starts) -> bool:
        """Whether starts keep every wish."""
        chosen = np.zeros(self.width)
        for column, (i, start) in enumerate(self.columns):
            chosen[column] = starts[i] == start
        value = self.rows @ chosen
        return bool(np.all((value >= self.low - 1e-9) & (value <= self.high + 1e-9)))

    def today(self) -> Starts | None:
        """The starts of today, None if some are not among those asked for."""
        slot = self.day.slot
        found = []
        for request in self.requests:
            same = [
                s
                for s in request.starts
                if request.begins(s, self.day) == request.now
                and (request.placed is not None or request.now % slot == 0)
            ]
            found.extend(same[:1])
        return tuple(found) if len(found) == len(self.requests) else None

    def sets(self, starts: Starts) -> tuple[tuple[int, ...], ...]:
        """The tasks that run in each slot."""
        found: list[list[int]] = [[] for _ in range(len(self.day))]
        for i, (request, start) in enumerate(zip(self.requests, starts, strict=True)):
            for s in range(start, start + request.length):
                found[s % len(self.day)].append(i)
        return tuple(map(tuple, found))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a program."""

    #: Undecided if a limit was met before anything was found.
    status: Literal["found", "impossible", "undecided"]
    #: Slot in which each task starts, if all wishes were asked for.
    starts: Starts = ()


def program_of(requests: Sequence[Request], day: Day) -> Program:
    """The program of some requests."""
    wishes = tuple(wishes_of(requests))
    columns = tuple((i, start) for i, r in enumerate(requests) for start in r.starts)
    running: list[Row] = [[] for _ in range(len(requests) * len(day))]
    for column, (i, start) in enumerate(columns):
        for s in range(start, start + requests[i].length):
            running[i * len(day) + s % len(day)].append((column, 1.0))
    rows: list[Row] = []
    needs: list[tuple[int, ...]] = []
    low: list[float] = []
    high: list[float] = []
    for w, wish in enumerate(wishes):
        if wish.kind == "place":
            found = [[(c, 1.0) for _, c in _starts(columns, wish.task)]]
        elif wish.kind == "after":
            # A task that has started by a slot needs the other one ended by then.
            length = requests[wish.other].length
            mine, others = _starts(columns, wish.task), _starts(columns, wish.other)
            found = [
                [
                    *((c, 1.0) for start, c in mine if start <= at),
                    *((c, -1.0) for start, c in others if start + length <= at),
                ]
                for at, _ in mine
            ]
        else:
            pairs = (
                running[wish.task * len(day) + s] + running[wish.other * len(day) + s]
                for s in range(len(day))
            )
            found = [pair for pair in pairs if pair]
        rows.extend(found)
        # Places come first among the wishes, in the order of the tasks.
        needs.extend([(w, wish.other) if wish.kind == "after" else (w,)] * len(found))
        low.extend([1.0 if wish.kind == "place" else -np.inf] * len(found))
        high.extend([0.0 if wish.kind == "after" else 1.0] * len(found))
    return Program(
        tuple(requests), day, wishes, columns, _sparse(rows, len(columns)), tuple(needs),
        np.array(low), np.array(high),
    )  # fmt: skip


def decide(
    program: Program, *, costs: Numbers | None = None, wishes: Collection[int] | None = None,
    gap: float = 0.0, seconds: float = 10.0,
) -> Outcome:  # fmt: skip
    """Solve a program at the least cost of its columns, or as near to that as ``gap``, relative.

    All wishes must hold, or those that are given; then starts are not told. After `NODES` nodes of
    the search tree it is left undecided: a limit that, unlike the seconds, is the same on every
    machine.
    """
    rows, low, high = program.rows, program.low, program.high
    if wishes is not None:
        asked = set(wishes)
        kept = [r for r, needed in enumerate(program.needs) if asked.issuperset(needed)]
        rows, low, high = rows[kept], low[kept], high[kept]
    if not program.columns:
        return Outcome("found" if np.all(low <= 0.0) else "impossible")
    constraints = [LinearConstraint(_narrow(rows), low, high)] if low.size else []
    found = milp(
        np.zeros(program.width) if costs is None else costs,
        integrality=np.ones(program.width, dtype=int),
        bounds=Bounds(0.0, 1.0),
        constraints=constraints,
        options={"time_limit": max(seconds, 0.1), "node_limit": NODES, "mip_rel_gap": gap},
    )
    if found.x is None:
        return Outcome("impossible" if found.status == 2 else "undecided")
    if wishes is not None:
        return Outcome("found")
    at = {i: start for c, (i, start) in enumerate(program.columns) if found.x[c] > 0.5}
    return Outcome("found", tuple(at[i] for i in range(len(program.requests))))


def _starts(columns: Sequence[tuple[int, int]], task: int) -> list[tuple[int, int]]:
    return [(start, c) for c, (i, start) in enumerate(columns) if i == task]


def _sparse(rows: Sequence[Row], width: int) -> Any:
    row = np.array([r for r, entries in enumerate(rows) for _ in entries], dtype=int)
    column = np.array([c for entries in rows for c, _ in entries], dtype=int)
    value = np.array([v for entries in rows for _, v in entries], dtype=float)
    return csr_array((value, (row, column)), shape=(len(rows), width))


def _narrow(rows: Any) -> Any:
    """A sparse array whose indices are as wide as SciPy before 1.15 passes to the solver."""
    found = rows.tocsr().copy()
    found.indices, found.indptr = found.indices.astype(np.int32), found.indptr.astype(np.int32)
    return found
