"""The check of INP003, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.rule import Case


def check(case: Case) -> Iterator[Finding]:
    """Users who never pause."""
    workload = case.settings.workload
    if workload.think_time or workload.arrival_rate is not None:
        return
    restless = [each for each in workload.classes if each.cpu is not None]
    if not restless:
        return
    yield Finding(
        level="warning",
        state="problem",
        message=f"users of {', '.join(each.name for each in restless)} never pause: is "
        "workload.think_time missing?",
        key=("workload", "think_time"),
        evidence=(Evidence("think time", 0.0, "s", "given", "workload.think_time"),),
    )
