"""A short plan: options combined and solved again, so that overlapping benefits do not add up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.findings.plan_records import Left, LeftFor, Plan, Step
from advisor.findings.records import EFFORTS, Advice, Effect
from advisor.findings.targets import missed, most_missed, promised, share_of_targets
from advisor.findings.words import percent, signed
from advisor.planning.effects import NOTICEABLE, effects, felt
from advisor.planning.regret import members, regrets, seen_by
from advisor.planning.rejection import waits_longer, why_rejected, without_answer
from advisor.predicting.outlook import WITHOUT_OUTLOOK, Outlook, Prediction
from advisor.predicting.prediction import predict

MostUsers = Callable[[Configuration, Callable[[Outlook], float]], int]


def plan(
    configuration: Configuration,
    now: Prediction,
    advice: Sequence[Advice],
    most_users: MostUsers,
) -> Plan:
    """Take the best option, solve, take the best of what is left, and so on.

    First what ends a measured failure; then what needs no hardware, by how much it cuts response
    times; then parts, as long as they cut them by 1 % or more and a target is still missed, or no
    target is given; last what protects data and lets nobody wait noticeably longer. What protects
    data and costs response time is a trade and no step. Sending users elsewhere is none either: it
    does not serve them. Of options that set the same key, one is taken.

    Parameters
    ----------
    configuration : Configuration
        As it is.
    now : Prediction
        Of ``configuration``.
    advice : sequence of Advice
        Every option that could be solved; one that is not worth it alone may be after others.
    most_users : callable
        Configuration, and how much of a limit an outlook takes, to the largest number of users
        that keeps within it.
    """
    solved = Solved(configuration, now)
    found = taken(solved, advice)
    steps = tuple(each.advice for each in found)
    after = solved.configuration(changes_of(steps))
    reached = found[-1].after if found else now
    targets = missed(configuration, reached.outlook)
    fit = (
        most_users(after, lambda outlook: share_of_targets(configuration, outlook))
        if targets and configuration.settings.workload.arrival_rate is None
        else None
    )
    every = {member: steps_for(solved, advice, member) for member in members(now)}
    return Plan(
        tuple(_step(each, solved) for each in found),
        tuple(_left(solved, advice, steps)),
        targets,
        fit,
        regrets(now, solved, steps, every),
    )


@dataclass(slots=True)
class Solved:
    """Predictions of a configuration with changes made one after the other, each solved once."""

    start: Configuration
    now: Prediction
    known: dict[tuple[Change, ...], Prediction | str] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """The class that misses its target by most as it is, empty if none does."""
        return most_missed(self.start, self.now.outlook)

    def configuration(self, changes: tuple[Change, ...]) -> Configuration:
        """The configuration with the changes made."""
        found = self.start
        for change in changes:
            found = change.apply(found)
        return found

    def prediction(self, changes: tuple[Change, ...]) -> Prediction | str:
        """Of the configuration with the changes made, or why there is none."""
        if not changes:
            return self.now
        if changes not in self.known:
            try:
                self.known[changes] = predict(self.configuration(changes))
            except WITHOUT_OUTLOOK as error:
                self.known[changes] = without_answer(error).why
        return self.known[changes]


@dataclass(frozen=True, slots=True)
class Taken:
    """An option as the next step: the prediction after it, and its rank among all that could be."""

    advice: Advice
    after: Prediction
    gain: Effect
    order: tuple[int, int, int]


def taken(solved: Solved, advice: Sequence[Advice], member: str = "") -> list[Taken]:
    """The steps, by all calibrations or by the one named."""
    left = [a for a in advice if _may_be_a_step(a)]
    steps: list[Taken] = []
    reached = seen_by(solved.now, member)
    changes: tuple[Change, ...] = ()
    while True:
        enough = promised(solved.start) and not missed(solved.start, reached.outlook)
        tried = [
            t for a in left if (t := _try(a, solved, changes, (reached, member), enough=enough))
        ]
        if not tried:
            return steps
        best = min(tried, key=lambda t: t.order)
        steps.append(best)
        reached = best.after
        changes += (best.advice.option.change,)
        done = _keys(best.advice)
        left = [a for a in left if not _keys(a) & done]


def steps_for(solved: Solved, advice: Sequence[Advice], member: str) -> tuple[Advice, ...]:
    """The steps that would be chosen if one calibration were known to be true."""
    return tuple(each.advice for each in taken(solved, advice, member))


def changes_of(steps: Sequence[Advice]) -> tuple[Change, ...]:
    """The changes of some steps, in order."""
    return tuple(each.option.change for each in steps)


def _try(
    advice: Advice,
    solved: Solved,
    changes: tuple[Change, ...],
    reached: tuple[Prediction, str],
    *,
    enough: bool,
) -> Taken | None:
    """The option after the steps so far, None where it is not worth taking any more."""
    option = advice.option
    if enough and option.effort == "part" and not option.benefit:
        return None
    then = solved.prediction((*changes, option.change))
    if isinstance(then, str):  # the steps so far leave no room for it
        return None
    before, member = reached
    after = seen_by(then, member)
    found = tuple(effects(before, after, solved.shown))
    cut = felt(found)
    if (cut > -NOTICEABLE and not option.benefit) or why_rejected(option, found):
        return None
    if waits_longer(found):  # a trade is no step, unless nobody waits longer for it by now
        return None
    ends_failure = bool(option.benefit) and advice.finding.level == "error"
    rank = 0 if ends_failure else 3 if option.benefit else 2 if option.effort == "part" else 1
    # What nobody could measure is a tie, which goes to the option named first.
    return Taken(
        advice, after, found[0], (rank, round(cut / NOTICEABLE), EFFORTS.index(option.effort))
    )


def _step(step: Taken, solved: Solved) -> Step:
    still = missed(solved.start, step.after.outlook)
    so_far = tuple(effects(solved.now, step.after, solved.shown))
    return Step(step.advice, so_far, step.gain, still)


def _left(solved: Solved, advice: Sequence[Advice], steps: Sequence[Advice]) -> list[Left]:
    return [
        _why_left(solved, each, steps)
        for each in advice
        if each.recommended and _may_be_a_step(each) and each not in steps
    ]


def _why_left(solved: Solved, advice: Advice, steps: Sequence[Advice]) -> Left:
    """Why an option is no step, with what it would bring after them."""
    option = advice.option
    for i, step in enumerate(steps, 1):
        if _keys(step) & _keys(advice):
            title = step.option.change.title
            return Left(advice, "instead", f"step {i} is taken instead, {title}")
    changes = changes_of(steps)
    before, after = solved.prediction(changes), solved.prediction((*changes, option.change))
    assert not isinstance(before, str)
    if isinstance(after, str):
        return Left(advice, "not buildable", after)
    found = tuple(effects(before, after, solved.shown))
    reason: LeftFor = "too small"
    alone, then = advice.effect[0].change.mid, found[0].change.mid
    why = f"{signed(alone)} of {found[0].metric} alone"
    if steps:
        why += f", {signed(then)} after the steps"
    if longer := waits_longer(found):
        grows = f"after the steps {longer.metric} would grow by {percent(longer.change.mid)}"
        reason, why = "worse", f"{grows}; for that, {option.benefit}" if option.benefit else grows
    elif felt(found) <= -NOTICEABLE:
        reason, why = "not needed", f"the targets are met without it, {why}"
    return Left(advice, reason, why, found[0])


def _may_be_a_step(advice: Advice) -> bool:
    """Options that serve all users, could be solved alone, and that no other makes pointless."""
    if advice.option.effort == "server" or not advice.effect:
        return False
    return advice.reason not in {"dominated", "outside range"}


def _keys(advice: Advice) -> set[tuple[str | int, ...]]:
    return {key for key, _ in advice.option.change.settings}
