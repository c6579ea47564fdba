"""The check of REP001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Settings
from advisor.findings.records import Evidence, Finding
from advisor.findings.targets import missed
from advisor.findings.words import percent
from advisor.predicting.outlook import Outlook
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)
FULL = 0.95


def check(case: Case) -> Iterator[Finding]:
    """Replicas of which none may be lost."""
    settings = case.settings
    replicas = settings.server.replicas
    if replicas == 1:
        raise NothingToGoBy("one server; server.replicas is not set")
    if settings.targets is None or settings.targets.survive or _wrong(case, case.outlook):
        return  # a loss is in the targets already, or TGT001 and CAP001 speak
    said = _wrong(case, case.outlook_with(_lost(replicas)))
    if not said:
        return
    enough = next(
        (n for n in range(replicas + 1, 2 * replicas + 2)
         if not _wrong(case, case.outlook_with(_lost(n)))),
        None,
    )  # fmt: skip
    options = [] if enough is None else [CARD.option("more", enough, count=enough)]
    given = Evidence("servers that may be lost", 0.0, "servers", "computed", "targets", 1.0)
    yield CARD.finding("loss", given, options=options, replicas=replicas, what=said)


def _lost(replicas: int) -> Settings:
    return ((("server", "replicas"), replicas), (("targets", "survive"), 1))


def _wrong(case: Case, outlook: Outlook) -> str:
    """What misses a target, or is full, in words; empty if nothing."""
    late = missed(case.configuration, outlook)
    if late:
        return f"{late[0].what} misses its target"
    busiest = max(outlook.resources, key=lambda r: r.utilization.mid)
    busy = busiest.utilization.mid
    return f"{busiest.name} is busy {percent(busy)}" if busy >= FULL else ""
