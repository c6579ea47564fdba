"""A short plan: options combined and solved again, so that overlapping benefits do not add up."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.advice import Advice, Effect, Plan, Step
from advisor.config import Configuration
from advisor.effects import NOTICEABLE, effects, why_rejected
from advisor.outlook import Prediction, predict
from qmodel.errors import FileError, Unstable


def plan(configuration: Configuration, now: Prediction, advice: Sequence[Advice]) -> Plan:
    """Take the best option, solve, take the best of what is left, and so on.

    Options that end failures or protect data are taken as long as nobody waits noticeably longer;
    the others as long as they cut the response time by 1 % or more. Sending users elsewhere is no
    step: it does not serve them. Of options that set the same key, one is taken.

    Parameters
    ----------
    configuration : Configuration
        As it is.
    now : Prediction
        Of ``configuration``.
    advice : sequence of Advice
        Options worth taking one by one, ranked.
    """
    left = [a for a in advice if a.option.effort != "server"]
    steps: list[Step] = []
    reached = now
    while True:
        tried = [t for t in (_try(a, configuration, reached) for a in left) if t]
        if not tried:
            return Plan(tuple(steps), tuple(left))
        chosen, after, gain = min(tried, key=lambda t: _order(t[0], t[2]))
        configuration = chosen.option.change.apply(configuration)
        steps.append(Step(chosen, tuple(effects(now, after)), gain.change))
        reached = after
        taken = _keys(chosen)
        left = [a for a in left if not _keys(a) & taken]


def _try(
    advice: Advice, configuration: Configuration, reached: Prediction
) -> tuple[Advice, Prediction, Effect] | None:
    """The option after the steps so far, None where it is not worth taking any more."""
    try:
        after = predict(advice.option.change.apply(configuration))
    except (Unstable, FileError):  # the steps so far leave no room for it
        return None
    found = tuple(effects(reached, after))
    gain = found[0]
    worth_it = advice.option.benefit or gain.change.mid <= -NOTICEABLE
    if not worth_it or why_rejected(advice.option, found):
        return None
    return advice, after, gain


def _order(advice: Advice, gain: Effect) -> tuple[int, int]:
    """Measured failures first, then the largest cut, protection of data last."""
    cut = round(gain.change.mid / NOTICEABLE)  # what nobody could measure is a tie
    if advice.option.benefit:
        return (0 if advice.finding.level == "error" else 2, cut)
    return (1, cut)


def _keys(advice: Advice) -> set[tuple[str | int, ...]]:
    return {key for key, _ in advice.option.change.settings}
