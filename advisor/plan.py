"""A short plan: options combined and solved again, so that overlapping benefits do not add up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.advice import Advice, Effect, Plan, Step
from advisor.config import Configuration
from advisor.effects import NOTICEABLE, effects, felt, why_rejected
from advisor.outlook import Outlook, Prediction
from advisor.prediction import predict
from advisor.targets import missed, promised
from qmodel.errors import FileError, Unstable

#: What an option takes, least first. Those before "part" cost no hardware.
EFFORTS = ("setting", "schedule", "rebuild", "part", "server")

MostUsers = Callable[[Configuration, Callable[[Outlook], bool]], int]


def plan(
    configuration: Configuration,
    now: Prediction,
    advice: Sequence[Advice],
    most_users: MostUsers,
) -> Plan:
    """Take the best option, solve, take the best of what is left, and so on.

    First what ends a measured failure; then what needs no hardware, by how much it cuts response
    times; then parts, as long as they cut them by 1 % or more and a target is still missed, or no
    target is given; last what protects data and lets nobody wait noticeably longer. Sending users
    elsewhere is no step: it does not serve them. Of options that set the same key, one is taken.

    Parameters
    ----------
    configuration : Configuration
        As it is.
    now : Prediction
        Of ``configuration``.
    advice : sequence of Advice
        Every option that could be solved; one that is not worth it alone may be after others.
    most_users : callable
        Configuration and condition to the largest number of users that meets it.
    """
    left = [a for a in advice if a.option.effort != "server" and a.effect]
    steps: list[Step] = []
    reached = now
    while True:
        enough = promised(configuration) and not missed(configuration, reached.outlook)
        tried = [t for t in (_try(a, configuration, reached, enough) for a in left) if t]
        if not tried:
            break
        best = min(tried, key=lambda t: t.order)
        configuration = best.advice.option.change.apply(configuration)
        reached = best.after
        still = missed(configuration, reached.outlook)
        steps.append(Step(best.advice, tuple(effects(now, reached)), best.gain, still))
        taken = _keys(best.advice)
        left = [a for a in left if not _keys(a) & taken]
    targets = missed(configuration, reached.outlook)
    fit = (
        most_users(configuration, lambda outlook: not missed(configuration, outlook))
        if targets and configuration.settings.workload.arrival_rate is None
        else None
    )
    return Plan(tuple(steps), tuple(a for a in left if not a.rejected), targets, fit)


@dataclass(frozen=True, slots=True)
class _Tried:
    advice: Advice
    after: Prediction
    gain: Effect
    order: tuple[int, int, int]


def _try(
    advice: Advice, configuration: Configuration, reached: Prediction, enough: bool
) -> _Tried | None:
    """The option after the steps so far, None where it is not worth taking any more."""
    option = advice.option
    if enough and option.effort == "part" and not option.benefit:
        return None
    try:
        after = predict(option.change.apply(configuration))
    except (Unstable, FileError):  # the steps so far leave no room for it
        return None
    found = tuple(effects(reached, after))
    cut = felt(found)
    if (cut > -NOTICEABLE and not option.benefit) or why_rejected(option, found):
        return None
    ends_failure = bool(option.benefit) and advice.finding.level == "error"
    rank = 0 if ends_failure else 3 if option.benefit else 2 if option.effort == "part" else 1
    # What nobody could measure is a tie, which goes to the option named first.
    return _Tried(
        advice, after, found[0], (rank, round(cut / NOTICEABLE), EFFORTS.index(option.effort))
    )


def _keys(advice: Advice) -> set[tuple[str | int, ...]]:
    return {key for key, _ in advice.option.change.settings}
