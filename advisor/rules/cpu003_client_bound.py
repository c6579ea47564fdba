"""The check of CPU003, whose words are the card beside it."""

from collections.abc import Iterator
from math import inf

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
    if targets is None or not targets.has_times:
        raise NothingToGoBy("no response time is promised")
    late = [each for each in missed(case.configuration, case.outlook) if each.unit == "s"]
    for users in case.settings.workload.classes:
        task = case.tasks.get(users.task_name)
        client = task.client if task is not None else 0.0
        limit = min((each.limit for each in late if each.of == users.name), default=inf)
        if client >= THRESHOLD * limit:
            of_target = f"of {seconds(limit)}, which is {percent(1.0)}"
            what = f"time of {users.name} at the workstation"
            yield CARD.finding(
                "all" if client >= limit else "most",
                Evidence(what, client, "s", "computed", _source(case), limit),
                percentage("share of the target", client / limit, THRESHOLD, of_target),
                time=seconds(client), limit=seconds(limit), users=users.name,
            )  # fmt: skip


def _source(case: Case) -> str:
    if case.system is None:
        return "demands as given"
    return f"calibration '{case.system.members[0].name}' of {case.system.source}"
