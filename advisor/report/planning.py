"""A plan in sentences: what it brings together, what is left out and why, and its regret."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Advice, Review
from advisor.planned import Left, Plan, Regret
from advisor.words import percent, percent_range, seconds, seconds_range, signed, signed_range

#: What is said of regret where there is nothing to hold the plan against.
ONE_CALIBRATION = (
    "one calibration alone is admissible, so nobody can say what the plan would cost if another "
    "one were true; its own uncertainty is in the intervals"
)
#: Sums that differ from what is solved together by less are not told. [1]
_APART = 0.005
_NUMBERS = ("nothing", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def plan_lines(review: Review) -> Iterator[str]:
    """What the plan brings together, what it does not reach, and the plan in short."""
    plan = review.plan
    if plan.steps:
        last = plan.steps[-1].effect[0]
        yield f"all together: {signed_range(last.change)} of {last.metric}"
        added = sum(step.advice.effect[0].change.mid for step in plan.steps)
        if len(plan.steps) > 1 and abs(added - last.change.mid) >= _APART:
            said = signed(added) if added > -1.0 else "more than the whole of it"
            yield f"added up, the steps alone would say {said}: they overlap"
    for each in plan.missed:
        show, alone = (seconds_range, seconds) if each.unit == "s" else (percent_range, percent)
        yield f"still missed: {each.what} {show(each.predicted)}, target {alone(each.limit)}"
    if plan.fit is not None:
        yield (
            f"{plan.fit} users would meet the targets after these steps"
            if plan.fit
            else "no number of users would meet the targets"
        )
    if plan.steps:
        yield short_plan(plan)


def short_plan(plan: Plan) -> str:
    """The plan in one sentence."""
    count = len(plan.steps)
    these = "this one" if count == 1 else f"these {_number(count)}"
    nothing = [each for each in plan.left if each.reason == "too small" and each.gain]
    if not nothing:
        return f"in short: do {these}"
    # Of what brings nothing any more, the one that promised most alone.
    best = min(nothing, key=lambda each: each.advice.effect[0].change.mid)
    assert best.gain is not None
    after = "it" if count == 1 else "them"
    return (
        f'in short: do {these}; "{best.advice.option.change.title}" brings nothing after {after} '
        f"({signed(best.gain.change.mid)}, {signed(best.advice.effect[0].change.mid)} alone)"
    )


def left_lines(plan: Plan) -> Iterator[str]:
    """Each option that is worth taking alone and is not in the plan, with the reason."""
    for each in plan.left:
        yield f"{each.advice.option.change.title} ({each.advice.rule}): {left_text(each)}"


def left_text(left: Left) -> str:
    """Why an option is not in the plan."""
    kind = {
        "too small": "brings nothing after the steps, ",
        "not buildable": "cannot be built after the steps, ",
    }
    return kind.get(left.reason, "") + left.why


def rejection_text(advice: Advice) -> str:
    """Why an option is not recommended, the kind of reason first."""
    return f"{advice.reason}: {advice.rejected}" if advice.reason else advice.rejected


def regret_headings(plan: Plan) -> tuple[str, ...]:
    """Headings of the table of regrets."""
    calibrations = [name for name, _ in plan.regrets[0].times] if plan.regrets else []
    return ("plan", *(f"if '{name}' is true" for name in calibrations))


def regret_rows(plan: Plan) -> list[tuple[str, ...]]:
    """Each plan considered, with response time and regret in the world of each calibration."""
    return [
        (
            _name(each),
            *(
                f"{seconds(time)}, {signed(regret)}"
                for (_, time), (_, regret) in zip(each.times, each.regrets, strict=True)
            ),
        )
        for each in plan.regrets
    ]


def regret_verdict(plan: Plan) -> str:
    """How much the recommended plan may be regretted; empty where nobody can say."""
    if not plan.regrets:
        return ""
    chosen = plan.regrets[0]
    member, most = chosen.worst
    others = [each for each in plan.regrets if each.best_for and not each.chosen]
    if most < _APART / 10:
        whichever = "no plan considered is better, whichever calibration is true"
        return whichever if others else f"every calibration alone chooses it: {whichever}"
    return f"at most {signed(most)} of response time is lost by this plan, if '{member}' is true"


def _name(regret: Regret) -> str:
    if regret.chosen:
        return "this plan" if regret.steps else "this plan: leave all as it is"
    if not regret.steps:
        return "leave all as it is"
    which = ", ".join(f"'{name}'" for name in regret.best_for)
    return f"by {which} alone: {'; '.join(regret.steps)}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)
