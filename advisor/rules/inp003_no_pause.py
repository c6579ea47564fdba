"""The check of INP003, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """Users who never pause."""
    workload = case.settings.workload
    if workload.think_time or workload.arrival_rate is not None:
        return
    restless = [each.name for each in workload.classes if each.cpu is not None]
    if restless:
        evidence = Evidence("think time", 0.0, "s", "given", "workload.think_time")
        yield CARD.finding("restless", evidence, names=", ".join(restless))
