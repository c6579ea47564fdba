"""The check of DSK003, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import printed
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)
THRESHOLD = 0.06
GROWTH = "domino5_raid/file_growth"


def check(case: Case) -> Iterator[Finding]:
    """Several arrays, further apart than what was measured as even."""
    disk = case.settings.disk
    if disk.arrays == 1:
        raise NothingToGoBy("all drives are in one array")
    if disk.spread <= THRESHOLD:
        return
    even = printed(GROWTH, "2x5_4000", "difference", "growth of two arrays, highest over lowest")
    apart, limit = disk.spread * 100, THRESHOLD * 100
    what = "busiest array over the least busy one"
    limiting = case.outlook.bottleneck == "disk"
    yield CARD.finding(
        "uneven", Evidence(what, apart, "%", "given", "disk.spread", limit), even,
        level="warning" if limiting else "note", state="problem" if limiting else "symptom",
        options=[CARD.option("move", 0.0, even=even.source)], arrays=disk.arrays,
        spread=percent(disk.spread), even=even.value,
    )  # fmt: skip
