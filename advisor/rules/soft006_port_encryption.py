"""The check of SOFT006, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import busy_evidence
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.agreements.published import published

CARD = card_of(__file__)
TESTED = 0.60


def check(case: Case) -> Iterator[Finding]:
    """Encryption on busy processors."""
    share = case.settings.server.encryption
    if not share:
        raise NothingToGoBy("server.encryption is not given or 0: nothing is encrypted")
    busy = case.alone.resource("cpu").utilization.mid
    if busy <= TESTED:
        return
    name, source = "given", "server.encryption as given"
    evidence = [busy_evidence(case, "cpu", TESTED, alone=True)]
    if case.system_name == "domino46":
        rise = published("domino46/encryption_claims", "cpu_rise_relative", "value")
        name, source = "measured", rise.source.partition(", column")[0]
        evidence.append(Evidence("rise by encryption", rise.low, "%", "measured", source))
    yield CARD.finding(
        name, *evidence, options=[CARD.option("elsewhere", 0.0, source=source)], busy=percent(busy),
        share=percent(share), tested=percent(TESTED),
    )  # fmt: skip
