"""The check of STR002, whose words are the card beside it."""

from collections.abc import Iterator
from math import ceil

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case

CARD = card_of(__file__)
KIB = 1024.0


def check(case: Case) -> Iterator[Finding]:
    """Blocks that do not fit a stripe unit."""
    disk = case.settings.disk
    if disk.block is None or disk.block <= disk.stripe:
        return
    written = case.configuration.data["disk"]["block"]
    stripe, block = disk.stripe / KIB, disk.block / KIB
    yield CARD.finding(
        "cut", Evidence("stripe unit", stripe, "KB", "given", "disk.stripe", block),
        options=[CARD.option("as_large", written, written=written)], block=block,
        pieces=ceil(disk.block / disk.stripe), stripe=stripe,
    )  # fmt: skip
