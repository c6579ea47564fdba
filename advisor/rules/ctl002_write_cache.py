"""The check of CTL002, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Finding
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import busy_evidence
from advisor.rule_support.rule import Case
from qmodel.devices.raid import LEVELS

CARD = card_of(__file__)
BUSY = 0.40
SYSTEM = "groupwise52"


def check(case: Case) -> Iterator[Finding]:
    """Writes that wait for drives although a cache could answer them."""
    disk = case.settings.disk
    if disk.cache.write_back or disk.parallelism is not None:
        return
    busy = case.outlook.resource("disk").utilization.mid
    evidence = busy_evidence(case, "disk", BUSY)
    if case.system_name == SYSTEM and case.disk_load_unknown:
        yield CARD.finding("documented", evidence)
    elif LEVELS[disk.raid].parity and busy >= BUSY:
        yield CARD.finding("small_writes", evidence, busy=percent(busy))
