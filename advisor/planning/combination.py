"""Options that serve the targets only together, found where steps one by one do not.

All single options and all pairs are tried, then the best few combinations grow by one option at a
time, as long as that brings them nearer to the targets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.findings.records import EFFORTS, Advice
from advisor.findings.targets import share_of_targets
from advisor.planning.effects import NOTICEABLE, effects, felt
from advisor.planning.regret import seen_by
from advisor.planning.served import MET, Graveness, graveness, served
from advisor.planning.solved import Solved, changes_of, keys_of
from advisor.planning.together import meeting_together

#: Combinations of more than two options that are grown further.
FEW = 4
#: Options in one combination at most.
MOST = 6

Order = tuple[Graveness, int, int]


@dataclass(frozen=True, slots=True)
class _Combination:
    """Options in an order in which they can be made."""

    steps: tuple[Advice, ...]
    #: By targets, time and effort.
    order: Order
    #: How much of its target the worst metric takes. [1]
    share: float
    #: Whether no target is missed that is met as it is.
    harmless: bool


def best_combination(
    solved: Solved, advice: Sequence[Advice], member: str, steps: Sequence[Advice]
) -> list[Advice]:
    """The options that together leave the fewest targets missed; those of the steps if none do.

    Parameters
    ----------
    solved : Solved
        Knows what is predicted.
    advice : sequence of Advice
        Every option; also those that alone are worse, too small, or trades.
    member : str
        The calibration asked, all of them if empty.
    steps : sequence of Advice
        What was found one by one.
    """
    options = [
        a
        for a in advice
        if a.effect and a.option.effort != "server" and a.reason != "outside range"
    ]
    start, best = (_combined(solved, each, member) for each in ((), tuple(steps)))
    assert start is not None
    assert best is not None
    level, nearest = [start, best], float("inf")
    for count in range(1, MOST + 1):
        level = list(_grown(solved, level, options, member))
        good = [each for each in level if each.harmless]
        best = min([best, *good], key=lambda each: (each.order[0], each is not best, each.order))
        found = min((each.share for each in level), default=nearest)
        if best.order[0] == MET or (count > 2 and found > nearest * (1.0 - NOTICEABLE)):
            break
        nearest = min(found, nearest)
        if count > 1:
            level = sorted(level, key=lambda each: (each.order[0], each.share))[:FEW]
    if best.order[0] != MET and not member:
        return list(meeting_together(solved, options) or best.steps)
    return list(best.steps)


def _grown(
    solved: Solved, level: Sequence[_Combination], options: Sequence[Advice], member: str
) -> Iterator[_Combination]:
    """Each combination with one option more whose keys nothing in it sets."""
    known: set[frozenset[int]] = set()
    for each in level:
        done = {key for step in each.steps for key in keys_of(step)}
        for option in options:
            key = frozenset(map(id, (*each.steps, option)))
            if keys_of(option) & done or key in known:
                continue
            found = _combined(solved, (*each.steps, option), member)
            if found is not None:  # in another order they may be made
                known.add(key)
                yield found


def _combined(solved: Solved, steps: tuple[Advice, ...], member: str) -> _Combination | None:
    then = solved.prediction(changes_of(steps))
    if isinstance(then, str):
        return None
    before, after = seen_by(solved.now, member), seen_by(then, member)
    missed = solved.missed(after)
    effort = sum(EFFORTS.index(each.option.effort) for each in steps)
    time = round(felt(tuple(effects(before, after))) / NOTICEABLE)
    return _Combination(
        steps,
        (graveness(missed), time, effort),
        share_of_targets(solved.start, after.outlook),
        not served(solved.missed(before), missed).caused,
    )
