"""The check of CPU003, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.targets import missed
from advisor.findings.words import percent, seconds
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)
THRESHOLD = 0.50


def check(case: Case) -> Iterator[Finding]:
    """Classes of users whose target is missed at the workstation."""
    targets = case.settings.targets
    limit = targets.response_time if targets is not None else None
    if limit is None:
        raise NothingToGoBy("no response time is promised")
    of_target = f"of {seconds(limit)}, which is {percent(1.0)}"
    late = [each.what for each in missed(case.configuration, case.outlook) if each.unit == "s"]
    for users in case.settings.workload.classes:
        task = case.tasks.get(users.task_name)
        client = task.client if task is not None else 0.0
        if f"response time of {users.name}" in late and client >= THRESHOLD * limit:
            what = f"time of {users.name} at the workstation"
            yield CARD.finding(
                "all" if client >= limit else "most",
                Evidence(what, client, "s", "computed", _source(case), limit),
                percentage("share of the target", client / limit, THRESHOLD, of_target),
                time=seconds(client),
                limit=seconds(limit),
                users=users.name,
            )


def _source(case: Case) -> str:
    if case.system is None:
        return "demands as given"
    return f"calibration '{case.system.members[0].name}' of {case.system.source}"
