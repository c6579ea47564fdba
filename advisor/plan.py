"""A short plan: options combined and solved again, so that overlapping benefits do not add up."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.advice import Advice, Effect, Plan, Step
from advisor.config import Configuration
from advisor.effects import NOTICEABLE, effects
from advisor.outlook import Prediction, predict


def plan(configuration: Configuration, now: Prediction, advice: Sequence[Advice]) -> Plan:
    """Take the best option, solve, take the best of what is left, and so on.

    Options that end failures or protect data are taken whatever they do to the response time;
    the others as long as they cut it by 1 % or more. Sending users elsewhere is no step: it does
    not serve them. Of options that set the same key, one is taken.

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
    while left:
        tried = [(a, predict(a.option.change.apply(configuration))) for a in left]
        gains = [next(effects(reached, after)) for _, after in tried]
        best = min(range(len(left)), key=lambda i: _order(left[i], gains[i]))
        chosen, after = tried[best]
        if not chosen.option.benefit and gains[best].change.mid > -NOTICEABLE:
            break
        configuration = chosen.option.change.apply(configuration)
        steps.append(Step(chosen, tuple(effects(now, after)), gains[best].change))
        reached = after
        taken = _keys(chosen)
        left = [a for a in left if not _keys(a) & taken]
    return Plan(tuple(steps), tuple(left))


def _order(advice: Advice, gain: Effect) -> tuple[int, int]:
    """Measured failures first, then the largest cut, protection of data last."""
    cut = round(gain.change.mid / NOTICEABLE)  # what nobody could measure is a tie
    if advice.option.benefit:
        return (0 if advice.finding.level == "error" else 2, cut)
    return (1 if cut < 0 else 3, cut)


def _keys(advice: Advice) -> set[tuple[str | int, ...]]:
    return {key for key, _ in advice.option.change.settings}
