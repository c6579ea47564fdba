"""The check of TGT001, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.promises import ABOVE_MEAN
from advisor.findings.records import Evidence, Finding, Missed, Option
from advisor.findings.targets import missed, most_missed, promised, share_of_targets
from advisor.findings.words import resource_name, seconds, shown_as
from advisor.rule_support.rule import Case, NothingToGoBy
from advisor.rule_support.shared_options import fewer_users
from advisor.rule_support.shorter_part import shorter_part

_PLACES = {
    "cpu": "at the processor", "disk": "at the drives", "lan": "on the LAN",
    "client": "at the workstation", "admission": "outside, waiting to be let in",
}  # fmt: skip


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
    # The mean is known; a percentile below p90 may be less.
    if parts.demand > each.limit and (each.share or 1.0) >= ABOVE_MEAN:
        said += f"; one user alone takes {seconds(parts.demand)}, so fewer users would not meet it"
    return said, shorter_part(case, each.of, resource)


def _finding(each: Missed, why: str, options: tuple[Option, ...]) -> Finding:
    show, alone = shown_as(each.unit, each.limit, each.predicted)
    late = each.predicted.mid > each.limit  # as the verdict has it
    unit, factor = ("s", 1.0) if each.unit == "s" else ("%", 100.0)
    return Finding(
        level="error" if late else "warning",
        state="problem",
        message=f"{each.what} {show(each.predicted)} {'misses' if late else 'may miss'} the target "
        f"of {alone(each.limit)}{why}",
        key=("targets", each.key),
        evidence=(
            Evidence(
                each.what, each.predicted.mid * factor, unit, "computed",
                "queueing network at the worst peak hour", each.limit * factor,
            ),
        ),
        options=options,
    )  # fmt: skip
