"""The check of INP005, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import seconds
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """A target in seconds."""
    targets = case.settings.targets
    if targets is None or targets.response_time is None:
        raise NothingToGoBy("no response time is promised")
    time = targets.response_time
    evidence = Evidence("target", time, "s", "given", "targets.response_time")
    yield CARD.finding("promised", evidence, time=seconds(time))
