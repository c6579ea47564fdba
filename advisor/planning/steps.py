"""A short plan: options combined and solved again, so that overlapping benefits do not add up."""

from collections.abc import Callable, Sequence

from advisor.configuration.configuration import Configuration
from advisor.findings.plan_records import Left, LeftFor, Plan, Step
from advisor.findings.records import Advice
from advisor.findings.targets import share_of_targets
from advisor.findings.words import brings, of_metric, percent
from advisor.planning.effects import NOTICEABLE, effects, felt
from advisor.planning.rejection import served, waits_longer, would_miss
from advisor.planning.taking import Taken, chosen, may_be_a_step
from advisor.planning.trial import Solved, changes_of, keys_of
from advisor.predicting.outlook import Outlook, Prediction

MostUsers = Callable[[Configuration, Callable[[Outlook], float]], int]


def plan(
    configuration: Configuration, now: Prediction, advice: Sequence[Advice], most_users: MostUsers
) -> Plan:
    """Take the best option, solve, take the best of what is left, and so on.

    First what ends a measured failure; then what leaves the fewest targets missed, whatever it
    costs, and causes no new one. Of options that leave as many, what needs no hardware, by how
    much it cuts response times; then parts, as long as they cut them by 1 % or more and bring a
    target that is still missed nearer, or no target is given; last what protects data without a
    noticeably longer response time. What protects data, ends no missed target and costs response
    time is a trade and no step. Sending users elsewhere is none either: it does not serve them.
    More replicas come after parts of those there are. Of options that set the same key, one is
    taken. Where that leaves a target missed, options are taken together that do not; parts that
    turn out to be needless are not bought.

    ``advice`` is every option that could be solved, since one that is not worth it alone may be
    after others; ``most_users`` the largest number of users that keeps an outlook within a limit.
    """
    solved = Solved(configuration, now)
    found = chosen(solved, advice)
    steps = tuple(each.advice for each in found)
    after = solved.configuration(changes_of(steps))
    reached = found[-1].after if found else now
    targets = solved.missed(reached)
    fit = (
        most_users(after, lambda outlook: share_of_targets(configuration, outlook))
        if targets and configuration.settings.workload.arrival_rate is None
        else None
    )
    return Plan(
        tuple(_step(each, solved) for each in found),
        tuple(
            _why_left(solved, each, steps)
            for each in advice
            if each.recommended and may_be_a_step(each) and each not in steps
        ),
        targets,
        fit,
    )


def _step(step: Taken, solved: Solved) -> Step:
    so_far = tuple(effects(solved.now, step.after, solved.shown))
    price = waits_longer(step.found)
    still = solved.missed(step.after)
    return Step(step.advice, so_far, step.found[0], still, step.targets.ended, price)


def _why_left(solved: Solved, advice: Advice, steps: Sequence[Advice]) -> Left:
    """Why an option is no step, with what it would bring after them."""
    option = advice.option
    for i, step in enumerate(steps, 1):
        if keys_of(step) & keys_of(advice):
            title = step.option.change.title
            return Left(advice, "instead", f"step {i} is taken instead, {title}")
    changes = changes_of(steps)
    before, after = solved.prediction(changes), solved.prediction((*changes, option.change))
    assert not isinstance(before, str)
    if isinstance(after, str):
        return Left(advice, "not buildable", after)
    found = tuple(effects(before, after, solved.shown))
    reason: LeftFor = "too small"
    why = f"{of_metric(brings(advice.effect[0]), found[0])} alone"
    if steps:
        why += f", {brings(found[0])} after the steps"
    missed = solved.missed(before)
    caused = served(missed, solved.missed(after)).caused
    if advice.ends and not {each.what for each in advice.ends} & {each.what for each in missed}:
        which = "the targets it serves" if missed else "the targets"
        reason, why = "not needed", f"{which} are met without it, {why}"
    elif caused:
        reason, why = "worse", f"after the steps {would_miss(caused)}"
    elif longer := waits_longer(found):
        grows = f"after the steps {longer.metric} would grow by {percent(longer.change.mid)}"
        reason, why = "worse", f"{grows}; for that, {option.benefit}" if option.benefit else grows
    elif felt(found) <= -NOTICEABLE:
        which = "it brings no missed target nearer" if missed else "the targets are met without it"
        reason, why = "not needed", f"{which}, {why}"
    return Left(advice, reason, why, found[0])
