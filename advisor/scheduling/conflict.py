"""Wishes that conflict: together they cannot be met, and none can be left out; see THEORY.md."""

from collections.abc import Sequence
from time import monotonic

from advisor.configuration.hours import clock
from advisor.scheduling.program import Program, decide
from qmodel.errors import QmodelError


class Infeasible(QmodelError):
    """No timetable meets all that is asked.

    Attributes
    ----------
    conflict : tuple of str
        Wishes that conflict, in words; without any of them the others could be met.
    """

    def __init__(self, conflict: Sequence[str], *, hint: str = "") -> None:
        (*first, last) = conflict
        if first:
            text = f"no timetable can have {'; '.join(first)}; and {last}: change one of them"
        else:
            text = f"no timetable can have {last}"
        super().__init__(text + (f" ({hint})" if hint else ""))
        self.conflict = tuple(conflict)


def infeasible(program: Program, seconds: float = 20.0) -> Infeasible:
    """The error that names a conflict of a program that is impossible."""
    deadline = monotonic() + seconds
    every = tuple(range(len(program.wishes)))
    # From either end, for of two conflicts one may be much shorter.
    found = [_explained(program, (), some, deadline) for some in (every, every[::-1])]
    core = min(found, key=len)
    hint = ""
    if len(core) == 1:
        request = program.requests[program.wishes[core[0]].task]
        if request.minutes <= request.window.length:
            slot = program.day.slot
            hint = f"it does not fit into whole slots of {slot} min; shorter slots may do"
    elif any(program.wishes[w].kind == "after" for w in core):
        begins = clock(program.requests[0].origin)
        hint = f"all in a day that begins at {begins}, chosen to split as few of them as possible"
    return Infeasible([program.wishes[w].words(program.requests) for w in sorted(core)], hint=hint)


def _explained(
    program: Program, base: tuple[int, ...], rest: Sequence[int], deadline: float, *,
    more: bool = False,
) -> tuple[int, ...]:  # fmt: skip
    """Wishes of ``rest`` that conflict with ``base``; past the deadline some may be too many.

    ``more`` says that the base alone may be impossible by now.
    """
    left = deadline - monotonic()
    if more and left > 0.0:
        outcome = decide(program, wishes=base, gap=1.0, seconds=min(left, 2.0))
        if outcome.status == "impossible":
            return ()
    if len(rest) == 1:
        return tuple(rest)
    first, second = rest[: len(rest) // 2], rest[len(rest) // 2 :]
    two = _explained(program, (*base, *first), second, deadline, more=True)
    one = _explained(program, (*base, *two), first, deadline, more=bool(two))
    return (*one, *two)
