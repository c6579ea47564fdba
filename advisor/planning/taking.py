"""Steps taken in turn: each the best that remains, by targets, time and effort; see THEORY.md."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.configuration.changes import Change
from advisor.findings.records import EFFORTS, Advice, Effect
from advisor.findings.targets import promised, share_of_targets
from advisor.planning import rejection
from advisor.planning.effects import NOTICEABLE, effects, felt
from advisor.planning.together import meeting_together, work_of
from advisor.planning.trial import Solved, changes_of, keys_of
from advisor.predicting.highest_load import USUAL
from advisor.predicting.outlook import Prediction
from advisor.predicting.prediction import networks_of

#: What is bought only where a missed target is nearer with it.
BOUGHT = {"part", "server"}


@dataclass(frozen=True, slots=True)
class Taken:
    """An option as the next step: what it does, and its rank among all that could be."""

    advice: Advice
    after: Prediction
    found: tuple[Effect, ...]
    targets: rejection.Served
    order: tuple[int, int, int, int, int]


def chosen(solved: Solved, advice: Sequence[Advice]) -> list[Taken]:
    """The steps, by all models together.

    Where steps one by one leave a target missed, options that serve it only together are looked
    for; parts that the steps after them made needless are left out.
    """
    steps = _taken(solved, advice)
    mine = [each.advice for each in steps]
    missed = solved.missed(steps[-1].after if steps else solved.now)
    if missed:
        mine = best_combination(solved, advice, mine)
        # Of what is alike that first which by itself brings most.
        by_effect = sorted(mine, key=lambda a: (*_kind(a), felt(a.effect)))
        mine = by_effect if _after(solved, by_effect) is not None else mine
        steps = _taken(solved, advice, mine)
    needed = _needed(solved, [each.advice for each in steps])
    return steps if len(needed) == len(steps) else _taken(solved, advice, needed)


def may_be_a_step(advice: Advice) -> bool:
    """Options that serve all users, could be solved alone, and that no other makes pointless."""
    if not advice.effect or _sends_away(advice):
        return False
    return advice.reason not in {"dominated", "outside range"}


def _sends_away(advice: Advice) -> bool:
    """Whether an option serves some users elsewhere; other replicas serve them here."""
    return advice.option.effort == "server" and ("server", "replicas") not in keys_of(advice)


def _taken(solved: Solved, advice: Sequence[Advice], first: Sequence[Advice] = ()) -> list[Taken]:
    """The first steps as they are given, then the best of what is left, and so on."""
    steps: list[Taken] = []
    left = [a for a in advice if may_be_a_step(a)]
    while True:
        reached = steps[-1].after if steps else solved.now
        so_far = [each.advice for each in steps]
        next_ = first[len(steps) : len(steps) + 1]
        every = (_try(a, solved, changes_of(so_far), reached) for a in next_ or left)
        tried = [t for t in every if t and (next_ or _worth(t, solved, so_far))]
        if not tried:
            return steps
        best = min(tried, key=lambda t: t.order)
        steps.append(best)
        done = keys_of(best.advice)
        left = [a for a in left if not keys_of(a) & done]


def _try(
    advice: Advice, solved: Solved, changes: tuple[Change, ...], before: Prediction
) -> Taken | None:
    """The option after the steps so far, None where they leave no room for it."""
    option = advice.option
    after = solved.prediction((*changes, option.change))
    if isinstance(after, str):
        return None
    found = tuple(effects(before, after, solved.shown))
    missed = solved.missed(after)
    failing, rank = _kind(advice)
    # A difference too small to measure is a tie, which goes to the option named first.
    order = (
        failing, len(missed), rank, round(felt(found) / NOTICEABLE),
        EFFORTS.index(option.effort),
    )  # fmt: skip
    return Taken(advice, after, found, rejection.served(solved.missed(before), missed), order)


def _kind(advice: Advice) -> tuple[int, int]:
    """Whether it ends a failure, 0, or not, 1; what is free before parts, before other benefits."""
    option = advice.option
    ends = option.benefit and advice.finding.level == "error"
    return 0 if ends else 1, 4 if option.benefit else {"part": 2, "server": 3}.get(option.effort, 1)


def _worth(step: Taken, solved: Solved, steps: Sequence[Advice]) -> bool:
    """Whether an option is worth taking after the steps so far."""
    if step.targets.serves:
        return True
    option = step.advice.option
    part = option.effort in BOUGHT and not option.benefit
    if step.targets.caused or (part and _needless(solved, steps, [*steps, step.advice])):
        return False
    if felt(step.found) > -NOTICEABLE and not option.benefit:
        return False
    # A trade is no step, unless by now it costs no response time.
    return not (
        rejection.why_rejected(option, step.found, step.targets)
        or rejection.waits_longer(step.found)
    )


def _needed(solved: Solved, steps: Sequence[Advice]) -> list[Advice]:
    """The steps without those parts without which no target is further off."""
    found = list(steps)
    for step in reversed(steps):
        if step.option.effort in BOUGHT and not step.option.benefit:
            rest = [each for each in found if each is not step]
            if _needless(solved, rest, found):
                found = rest
    return found


def _needless(solved: Solved, rest: Sequence[Advice], steps: Sequence[Advice]) -> bool:
    """Whether no target that the rest of the steps misses is nearer with all of them.

    Of a utilization also where its resource takes no less per request: more are served then. Where
    there is no target, whether what was fuller than is usual no longer is.
    """
    without, after = _after(solved, rest), _after(solved, steps)
    if without is None or after is None:
        return False
    if promised(solved.start):
        left, missed = solved.missed(without), solved.missed(after)
        nearest = {each.what: each.predicted.mid * (1.0 + NOTICEABLE) for each in missed}
        return not rejection.served(left, missed).ended and not any(
            each.predicted.mid > nearest[each.what]
            or (each.unit == "1" and _relieved(solved, rest, steps, each.of))
            for each in left
        )
    busiest = [
        max((r.utilization.mid for r in each.outlook.resources), default=0.0)
        for each in (solved.now, without)
    ]
    return busiest[0] > USUAL >= busiest[1]


def _relieved(
    solved: Solved, rest: Sequence[Advice], steps: Sequence[Advice], resource: str
) -> bool:
    """Whether the busiest station of a resource takes noticeably less per request with all."""
    before, after = (
        work_of(networks_of(solved.configuration(changes_of(each)))[0]) for each in (rest, steps)
    )
    return any(
        after[of][2] / after[of][3] > before[of][2] / before[of][3] * (1.0 - NOTICEABLE)
        for of in before.keys() & after.keys()
        if of[0] == resource and len(before[of]) == 4
    )


def _after(solved: Solved, steps: Sequence[Advice]) -> Prediction | None:
    """After all of the steps, None where one of them cannot be made in this order."""
    after: Prediction | str = solved.now
    for i in range(len(steps)):
        after = solved.prediction(changes_of(steps[: i + 1]))
        if isinstance(after, str):
            return None
    assert not isinstance(after, str)
    return after


#: Combinations of more than two options that are grown further.
FEW = 4
#: Options in one combination at most.
MOST = 6

Order = tuple[rejection.Graveness, int, int]


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
    solved: Solved, advice: Sequence[Advice], steps: Sequence[Advice]
) -> list[Advice]:
    """The options that together leave the fewest targets missed; those of the steps if none do.

    ``advice`` has also those that alone are worse, too small, or trades.
    """
    options = [a for a in advice if a.effect and a.reason != "outside range" and not _sends_away(a)]
    start, best = (_combined(solved, each) for each in ((), tuple(steps)))
    assert start is not None
    assert best is not None
    level, nearest = [start, best], float("inf")
    for count in range(1, MOST + 1):
        level = list(_grown(solved, level, options))
        good = [each for each in level if each.harmless]
        best = min([best, *good], key=lambda each: (each.order[0], each is not best, each.order))
        found = min((each.share for each in level), default=nearest)
        if best.order[0] == rejection.MET or (count > 2 and found > nearest * (1.0 - NOTICEABLE)):
            break
        nearest = min(found, nearest)
        if count > 1:
            level = sorted(level, key=lambda each: (each.order[0], each.share))[:FEW]
    if best.order[0] != rejection.MET:
        return list(meeting_together(solved, options) or best.steps)
    return list(best.steps)


def _grown(
    solved: Solved, level: Sequence[_Combination], options: Sequence[Advice]
) -> Iterator[_Combination]:
    """Each combination with one option more whose keys nothing in it sets."""
    known: set[frozenset[int]] = set()
    for each in level:
        done = {key for step in each.steps for key in keys_of(step)}
        for option in options:
            key = frozenset(map(id, (*each.steps, option)))
            if keys_of(option) & done or key in known:
                continue
            found = _combined(solved, (*each.steps, option))
            if found is not None:  # in another order they may be made
                known.add(key)
                yield found


def _combined(solved: Solved, steps: tuple[Advice, ...]) -> _Combination | None:
    after = solved.prediction(changes_of(steps))
    if isinstance(after, str):
        return None
    before = solved.now
    missed = solved.missed(after)
    effort = sum(EFFORTS.index(each.option.effort) for each in steps)
    time = round(felt(tuple(effects(before, after))) / NOTICEABLE)
    return _Combination(
        steps,
        (rejection.graveness(missed), time, effort),
        share_of_targets(solved.start, after.outlook),
        not rejection.served(solved.missed(before), missed).caused,
    )
