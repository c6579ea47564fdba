"""Steps taken one after the other: each the best of what is left, by targets, time and effort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.configuration.changes import Change
from advisor.findings.records import EFFORTS, Advice, Effect
from advisor.findings.targets import promised
from advisor.planning.combination import best_combination
from advisor.planning.effects import NOTICEABLE, effects, felt
from advisor.planning.regret import seen_by
from advisor.planning.rejection import waits_longer, why_rejected
from advisor.planning.served import MET, Served, graveness, served
from advisor.planning.solved import Solved, changes_of, keys_of
from advisor.predicting.outlook import Prediction


@dataclass(frozen=True, slots=True)
class Taken:
    """An option as the next step: what it does, and its rank among all that could be."""

    advice: Advice
    after: Prediction
    found: tuple[Effect, ...]
    targets: Served
    order: tuple[int, int, int, int, int]


def chosen(solved: Solved, advice: Sequence[Advice], member: str = "") -> list[Taken]:
    """The steps, by all calibrations or by the one named.

    Where steps one by one leave a target missed, options that serve it only together are looked
    for; parts that the steps after them made needless are left out.
    """
    steps = _taken(solved, advice, member)
    mine = [each.advice for each in steps]
    missed = solved.missed(steps[-1].after if steps else seen_by(solved.now, member))
    if missed:
        mine = best_combination(solved, advice, member, mine)
        steps = _taken(solved, advice, member, mine)
    needed = _needed(solved, [each.advice for each in steps], member)
    return steps if len(needed) == len(steps) else _taken(solved, advice, member, needed)


def may_be_a_step(advice: Advice) -> bool:
    """Options that serve all users, could be solved alone, and that no other makes pointless."""
    if advice.option.effort == "server" or not advice.effect:
        return False
    return advice.reason not in {"dominated", "outside range"}


def _taken(
    solved: Solved, advice: Sequence[Advice], member: str, first: Sequence[Advice] = ()
) -> list[Taken]:
    """The first steps as they are given, then the best of what is left, and so on."""
    steps: list[Taken] = []
    left = [a for a in advice if may_be_a_step(a)]
    while True:
        reached = steps[-1].after if steps else seen_by(solved.now, member)
        changes = changes_of([each.advice for each in steps])
        next_ = first[len(steps) : len(steps) + 1]
        every = (_try(a, solved, changes, (reached, member)) for a in next_ or left)
        tried = [t for t in every if t and (next_ or _worth(t, solved, reached))]
        if not tried:
            return steps
        best = min(tried, key=lambda t: t.order)
        steps.append(best)
        done = keys_of(best.advice)
        left = [a for a in left if not keys_of(a) & done]


def _try(
    advice: Advice,
    solved: Solved,
    changes: tuple[Change, ...],
    reached: tuple[Prediction, str],
) -> Taken | None:
    """The option after the steps so far, None where they leave no room for it."""
    option = advice.option
    then = solved.prediction((*changes, option.change))
    if isinstance(then, str):
        return None
    before, member = reached
    after = seen_by(then, member)
    found = tuple(effects(before, after, solved.shown))
    missed = solved.missed(after)
    ends_failure = bool(option.benefit) and advice.finding.level == "error"
    rank = 3 if option.benefit else 2 if option.effort == "part" else 1
    # A difference too small to measure is a tie, which goes to the option named first.
    order = (
        0 if ends_failure else 1,
        len(missed),
        rank,
        round(felt(found) / NOTICEABLE),
        EFFORTS.index(option.effort),
    )
    return Taken(advice, after, found, served(solved.missed(before), missed), order)


def _worth(step: Taken, solved: Solved, reached: Prediction) -> bool:
    """Whether an option is worth taking after the steps so far."""
    if step.targets.serves:
        return True
    option = step.advice.option
    enough = promised(solved.start) and not solved.missed(reached)
    if step.targets.caused or (enough and option.effort == "part" and not option.benefit):
        return False
    if felt(step.found) > -NOTICEABLE and not option.benefit:
        return False
    # A trade is no step, unless by now it costs no response time.
    return not (why_rejected(option, step.found, step.targets) or waits_longer(step.found))


def _needed(solved: Solved, steps: Sequence[Advice], member: str) -> list[Advice]:
    """The steps without those parts without which the targets are met all the same."""
    found = list(steps)
    if not promised(solved.start):
        return found
    for step in reversed(steps):
        if step.option.effort == "part" and not step.option.benefit:
            rest = [each for each in found if each is not step]
            after = _after(solved, rest, member)
            if after is not None and graveness(solved.missed(after)) == MET:
                found = rest
    return found


def _after(solved: Solved, steps: Sequence[Advice], member: str) -> Prediction | None:
    """After all of the steps, None where one of them cannot be made in this order."""
    after: Prediction | str = solved.now
    for i in range(len(steps)):
        after = solved.prediction(changes_of(steps[: i + 1]))
        if isinstance(after, str):
            return None
    assert not isinstance(after, str)
    return seen_by(after, member)
