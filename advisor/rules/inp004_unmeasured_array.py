"""The check of INP004, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case
from qmodel.devices.raid import LEVELS

CARD = card_of(__file__)
MEASURED = "raid1e"


def check(case: Case) -> Iterator[Finding]:
    """Another level, or another program."""
    disk = case.settings.disk
    each = float(disk.drives // disk.arrays)
    evidence = Evidence("drives of an array", each, "drives", "given", "disk")
    others = [c.name for c in case.settings.workload.classes if c.cpu is not None]
    if others:
        yield CARD.finding("program", evidence, names=", ".join(others))
    if disk.raid != MEASURED:
        possible = LEVELS[MEASURED].why_not(disk.drives // disk.arrays) is None
        options = [CARD.option("as_measured", MEASURED)] if possible else ()
        yield CARD.finding("level", evidence, options=options, raid=disk.raid)
