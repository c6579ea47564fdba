"""TGT001 missed-target

What it does
    Compares the predicted response time and the busiest resource's utilization at the peak with
    the targets of the configuration, and says how many users would meet them.
Why it matters
    A target is what was promised; thresholds of other rules are only habits.
Threshold
    The configuration's own targets. Missed for certain (error) if the whole 90 % interval misses,
    perhaps (warning) if only its upper end does.
Example
    completion time 1472 s (1394 to 1554 s) misses the target of 1300 s.
Limits
    Response time is the mean of one interaction as the calibrated system defines it; for the
    system of 1995 that is one run of a whole test script.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Evidence, Finding, Level, Option
from advisor.case import Case
from advisor.changes import Change
from advisor.outlook import Outlook
from advisor.rule import NothingToGoBy, Rule
from advisor.words import percent, percent_range, seconds, seconds_range
from calibration.ensemble import Range


def check(case: Case) -> Iterator[Finding]:
    """Each target that is or may be missed."""
    targets = case.settings.targets
    if targets is None or (targets.response_time is None and targets.utilization is None):
        raise NothingToGoBy("the configuration has no targets")
    if targets.response_time is not None:
        limit = targets.response_time
        for each in case.outlook.classes:
            if not each.batch:
                yield from _missed(
                    case,
                    f"response time of {each.name}",
                    each.response_time,
                    limit,
                    ("s", 1.0),
                    "response_time",
                    lambda outlook, name=each.name: all(
                        c.response_time.high <= limit for c in outlook.classes if c.name == name
                    ),
                )
    if targets.utilization is not None:
        highest = targets.utilization
        for resource in case.outlook.resources:
            if resource.name != "unseen":
                yield from _missed(
                    case,
                    f"utilization of {resource.name}",
                    resource.utilization,
                    highest,
                    ("%", 100.0),
                    "utilization",
                    lambda o, name=resource.name: o.resource(name).utilization.high <= highest,
                )


def _missed(
    case: Case,
    what: str,
    predicted: Range,
    limit: float,
    shown: tuple[str, float],
    key: str,
    meets: object,
) -> Iterator[Finding]:
    if predicted.high <= limit:
        return
    unit, factor = shown
    certain = predicted.low > limit
    level: Level = "error" if certain else "warning"
    words, target = (
        (seconds_range(predicted), seconds(limit))
        if unit == "s"
        else (percent_range(predicted), percent(limit))
    )
    yield Finding(
        level=level,
        state="problem",
        message=f"{what} {words} {'misses' if certain else 'may miss'} the target of {target}",
        key=("targets", key),
        evidence=(
            Evidence(
                what,
                predicted.mid * factor,
                unit,
                "computed",
                "queueing network at the worst peak hour",
                limit * factor,
            ),
        ),
        options=_fewer_users(case, meets),
    )


def _fewer_users(case: Case, meets: object) -> tuple[Option, ...]:
    assert callable(meets)

    def condition(outlook: Outlook) -> bool:
        return bool(meets(outlook))

    fit = case.most_users(condition)
    if not 0 < fit < case.settings.workload.users:
        return ()
    return (
        Option(
            Change(
                f"serve at most {fit} users here, the others elsewhere",
                ((("workload", "users"), fit),),
            ),
            sources=("the targets of the configuration",),
            effort="server",
            side_effects=("another server for the other users",),
            valid="the same mix of tasks, batch tasks off-peak",
        ),
    )


RULE = Rule("TGT001", "missed-target", "the targets are met", __doc__, check)
