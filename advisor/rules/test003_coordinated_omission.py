"""The check of TEST003, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """Percentiles promised by a test that omits its worst requests."""
    test, targets = case.settings.load_test, case.settings.targets
    promises = (targets.common, *dict(targets.classes).values()) if targets else ()
    if test is None or not any(each.tails for each in promises):
        raise NothingToGoBy("no percentile is promised")
    if test.closed and not test.corrected and case.settings.workload.arrival_rate is not None:
        yield CARD.finding(
            "omitted", Evidence("corrected", 0.0, "1", "given", "load_test.corrected")
        )
