"""CPU003 client-bound: Warns that no server can make up for slow workstations.

What it does
    Where a promised response time is missed, says how much of it passes at the workstation, where
    nothing bought for the server can shorten it.
Why it matters
    Response time ends at the user. Faster workstations answer their users sooner and then ask the
    server more often: what is saved at one end loads the other, so both are weighed together.
Threshold
    The response time misses its target, and the time at the workstation alone takes 50 % or more
    of the target. If it takes all of it, no server can meet the target: an error.
Example
    1035 s of the 1600 s promised for edit pass at the workstation.
Limits
    The time at the workstation is that of the first calibration and an upper bound: a part of it
    may be queueing that was not measured, and the other calibrations say how much. A faster
    workstation is no option here, since no paper measured one.
"""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding, Level
from advisor.findings.targets import missed
from advisor.findings.words import percent, seconds
from advisor.rule_support.rule import Case, NothingToGoBy, Rule

THRESHOLD = 0.50


def check(case: Case) -> Iterator[Finding]:
    """Classes of users whose target is missed at the workstation."""
    targets = case.settings.targets
    limit = targets.response_time if targets is not None else None
    if limit is None:
        raise NothingToGoBy("no response time is promised")
    late = [each.what for each in missed(case.configuration, case.outlook) if each.unit == "s"]
    for users in case.settings.workload.classes:
        task = case.tasks.get(users.task_name)
        client = task.client if task is not None else 0.0
        name = f"response time of {users.name}"
        if name in late and client >= THRESHOLD * limit:
            level: Level = "error" if client >= limit else "note"
            yield Finding(
                level=level,
                state="symptom",
                message=f"{seconds(client)} of the {seconds(limit)} promised for {users.name} pass "
                "at the workstation"
                + (": no server meets that" if level == "error" else "; the server has the rest"),
                key=("targets", "response_time"),
                evidence=(
                    Evidence(
                        f"time of {users.name} at the workstation",
                        client,
                        "s",
                        "computed",
                        _source(case),
                        limit,
                    ),
                    Evidence(
                        "share of the target",
                        client / limit * 100,
                        "%",
                        "computed",
                        f"of {seconds(limit)}, which is {percent(1.0)}",
                        THRESHOLD * 100,
                    ),
                ),
            )


def _source(case: Case) -> str:
    if case.system is None:
        return "demands as given"
    member = case.system.members[0].name
    return f"calibration '{member}' of {case.system.source}"


RULE = Rule.of(__name__, "the server decides the response time", __doc__, check)
