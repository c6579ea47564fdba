"""Requests that cannot all be met: the smallest set of wishes that conflict.

The smallest set is found by hitting sets: a set of wishes is a conflict exactly if it shares a
wish with every set whose dropping makes the rest possible. The smallest set that hits all those
known so far is either possible, which gives another one to hit, or the smallest conflict.

References
----------
A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, "Smallest MUS extraction with minimal
hitting set dualization", CP 2015.
"""

from collections.abc import Sequence
from time import monotonic

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from advisor.configuration.hours import clock
from advisor.scheduling.program import Program, decide
from qmodel.errors import QmodelError

#: Sets to hit before a conflict from which nothing can be left out is good enough.
ROUNDS = 60


class Infeasible(QmodelError):
    """No timetable meets all that is asked.

    Attributes
    ----------
    conflict : tuple of str
        The wishes that conflict, in words.
    smallest : bool
        Whether no conflict has fewer wishes; otherwise none of these can be left out.
    """

    def __init__(self, conflict: Sequence[str], *, smallest: bool = True, hint: str = "") -> None:
        (*first, last) = conflict
        if first:
            text = f"no timetable can have {'; '.join(first)}; and {last}: change one of them"
        else:
            text = f"no timetable can have {last}"
        super().__init__(text + (f" ({hint})" if hint else ""))
        self.conflict = tuple(conflict)
        self.smallest = smallest


def infeasible(program: Program, seconds: float = 20.0) -> Infeasible:
    """The error that names the conflict of a program that is impossible."""
    deadline = monotonic() + seconds
    core, smallest = _smallest(program, deadline), True
    if core is None:
        core, smallest = _irreducible(program, deadline), False
    hint = ""
    if len(core) == 1:
        request = program.requests[program.wishes[core[0]].task]
        if request.minutes <= request.window.length:
            slot = program.day.slot
            hint = f"it does not fit into whole slots of {slot} min; shorter slots may do"
    elif any(program.wishes[w].kind == "after" for w in core):
        begins = clock(program.requests[0].origin)
        hint = f"all of it within a day that begins at {begins}, so that it parts least of them"
    words = [program.wishes[w].words(program.requests) for w in core]
    return Infeasible(words, smallest=smallest, hint=hint)


def _smallest(program: Program, deadline: float) -> tuple[int, ...] | None:
    """The smallest conflict, None if that takes too long."""
    to_hit: list[tuple[int, ...]] = []
    for _ in range(ROUNDS):
        core = _hitting(to_hit, len(program.wishes))
        left = deadline - monotonic()
        if left <= 0.0:
            return None
        outcome = decide(program, hard=core, gap=0.0, seconds=left)
        if outcome.status == "impossible":
            return core
        if outcome.status == "undecided" or not outcome.dropped:
            return None
        to_hit.append(outcome.dropped)
    return None


def _hitting(to_hit: Sequence[Sequence[int]], count: int) -> tuple[int, ...]:
    """A smallest set that shares something with each of some sets."""
    if not to_hit:
        return ()
    rows = np.zeros((len(to_hit), count))
    for row, each in zip(rows, to_hit, strict=True):
        row[list(each)] = 1.0
    # Wishes that come first are named first: among equals those weigh a little less.
    cost = 1.0 + np.arange(count) / (10.0 * count * count)
    found = milp(
        cost, integrality=np.ones(count, dtype=int), bounds=Bounds(0.0, 1.0),
        constraints=LinearConstraint(rows, 1.0, np.inf), options={"mip_rel_gap": 0.0},
    )  # fmt: skip
    return tuple(int(w) for w in np.flatnonzero(np.asarray(found.x) > 0.5))


def _irreducible(program: Program, deadline: float) -> tuple[int, ...]:
    """A conflict from which nothing can be left out, as far as the time goes."""
    core = tuple(range(len(program.wishes)))
    for wish in reversed(core):
        if monotonic() > deadline:
            break
        rest = tuple(w for w in core if w != wish)
        if decide(program, hard=rest, gap=1.0, seconds=2.0).status == "impossible":
            core = rest
    return core
