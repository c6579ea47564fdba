"""TGT001 missed-target

What it does
    Compares the predicted response times and utilizations at the peak with the targets of the
    configuration, and says how many users would meet them.
Why it matters
    A target is what was promised; thresholds of other rules are only habits.
Threshold
    The configuration's own targets. Missed for certain (error) if the whole 90 % interval misses,
    perhaps (warning) if only its upper end does.
Example
    response time of edit 1748 s (1676 to 1835) misses the target of 1600 s.
Limits
    Response time is the mean of one interaction as the calibrated system defines it; for the
    system of 1995 that is one run of a whole test script. The number of users is for a peak
    without batch tasks, so the option moves them off-peak as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding, Missed, Option
from advisor.findings.targets import missed, promised, share_of_targets
from advisor.findings.words import percent, percent_range, seconds, seconds_range
from advisor.judging.case import Case
from advisor.judging.fewer_users import fewer_users
from advisor.judging.rule import NothingToGoBy, Rule


def check(case: Case) -> Iterator[Finding]:
    """Each target that is or may be missed."""
    if not promised(case.configuration):
        raise NothingToGoBy("the configuration has no targets")
    options = fewer_users(
        case,
        lambda outlook: share_of_targets(case.configuration, outlook),
        "the targets of the configuration",
    )
    for i, each in enumerate(missed(case.configuration, case.outlook)):
        yield _finding(each, options if i == 0 else ())


def _finding(each: Missed, options: tuple[Option, ...]) -> Finding:
    certain = each.predicted.low > each.limit
    predicted, limit = (
        (seconds_range(each.predicted), seconds(each.limit))
        if each.unit == "s"
        else (percent_range(each.predicted), percent(each.limit))
    )
    unit, factor = ("s", 1.0) if each.unit == "s" else ("%", 100.0)
    return Finding(
        level="error" if certain else "warning",
        state="problem",
        message=f"{each.what} {predicted} {'misses' if certain else 'may miss'} the target of "
        f"{limit}",
        key=("targets", each.key),
        evidence=(
            Evidence(
                each.what,
                each.predicted.mid * factor,
                unit,
                "computed",
                "queueing network at the worst peak hour",
                each.limit * factor,
            ),
        ),
        options=options,
    )


RULE = Rule("TGT001", "missed-target", "the targets are met", __doc__, check)
