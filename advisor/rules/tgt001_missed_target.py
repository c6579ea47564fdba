"""TGT001 missed-target: Names the targets that are missed, and how many users would meet them.

What it does
    Compares the predicted response times and utilizations at the peak with the targets of the
    configuration, and says how many users would meet them. Where a response time is missed it says
    at which resource most of it is spent; where that resource is slow and not busy, it offers what
    answers sooner: mirrors instead of parity, faster drives, processors or LAN.
Why it matters
    A target is what was promised; thresholds of other rules are only habits.
Threshold
    The configuration's own targets. Missed for certain (error) if the whole 90 % interval misses,
    perhaps (warning) if only its upper end does. Not busy is below 40 % (disk) or 60 % (cpu, lan):
    beyond, the rules of the resource speak. What is offered is the least that meets the target, or
    the fastest tried where none does.
Example
    response time of edit 1748 s (1676 to 1835) misses the target of 1600 s.
Limits
    Response time is the mean of one interaction as the calibrated system defines it; for the
    system of 1995 that is one run of a whole test script. The number of users is for a peak
    without batch tasks, so the option moves them off-peak as well. Drives are those of the
    catalogue, whatever their year; for the papers' systems no part is offered here.
"""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding, Missed, Option
from advisor.findings.targets import missed, most_missed, promised, share_of_targets
from advisor.findings.words import percent, percent_range, resource_name, seconds, seconds_range
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
from advisor.rule_support.shared_options import fewer_users
from advisor.rule_support.shorter_part import shorter_part

_PLACES = {
    "cpu": "at the processor",
    "disk": "at the drives",
    "lan": "on the LAN",
    "client": "at the workstation",
    "admission": "outside, waiting to be let in",
}


def check(case: Case) -> Iterator[Finding]:
    """Each target that is or may be missed."""
    if not promised(case.configuration):
        raise NothingToGoBy("the configuration has no targets")
    options = fewer_users(
        case,
        lambda outlook: share_of_targets(case.configuration, outlook),
        "the targets of the configuration",
    )
    late = missed(case.configuration, case.outlook)
    slowest = most_missed(case.configuration, case.outlook)
    for i, each in enumerate(late):
        why, shorter = _where(case, each) if each.unit == "s" else ("", ())
        more = shorter if each.of == slowest else ()
        yield _finding(each, why, (*(options if i == 0 else ()), *more))


def _where(case: Case, each: Missed) -> tuple[str, tuple[Option, ...]]:
    """Where most of a response time is spent, and what would shorten it."""
    if case.of_a_paper:
        return "", ()
    parts = case.parts_of_time(each.of)
    resource = parts.longest
    where = _PLACES.get(resource, f"at {resource_name(resource)}")
    said = f"; {seconds(parts.at[resource])} of {seconds(parts.whole)} are spent {where}"
    if parts.nearly_all(resource):
        said = f"; nearly all of it is spent {where}"
    if parts.demand > each.limit:
        said += f"; one user alone takes {seconds(parts.demand)}, so fewer users would not meet it"
    return said, shorter_part(case, each.of, resource)


def _finding(each: Missed, why: str, options: tuple[Option, ...]) -> Finding:
    predicted, limit = (
        (seconds_range(each.predicted), seconds(each.limit))
        if each.unit == "s"
        else (percent_range(each.predicted), percent(each.limit))
    )
    unit, factor = ("s", 1.0) if each.unit == "s" else ("%", 100.0)
    return Finding(
        level="error" if each.certain else "warning",
        state="problem",
        message=f"{each.what} {predicted} {'misses' if each.certain else 'may miss'} the target of "
        f"{limit}{why}",
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


RULE = Rule.of(__name__, "the targets are met", __doc__, check)
