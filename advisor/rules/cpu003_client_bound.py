"""The check of CPU003, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding, Level
from advisor.findings.targets import missed
from advisor.findings.words import percent, seconds
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy

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
                    percentage(
                        "share of the target",
                        client / limit,
                        THRESHOLD,
                        f"of {seconds(limit)}, which is {percent(1.0)}",
                    ),
                ),
            )


def _source(case: Case) -> str:
    if case.system is None:
        return "demands as given"
    member = case.system.members[0].name
    return f"calibration '{member}' of {case.system.source}"
