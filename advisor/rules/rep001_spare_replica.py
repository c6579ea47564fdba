"""The check of REP001, whose words are the card beside it."""

from bisect import bisect_left
from collections.abc import Iterator

from advisor.configuration.changes import Settings
from advisor.configuration.schema import MOST_REPLICAS
from advisor.findings.records import Evidence, Finding
from advisor.findings.targets import missed
from advisor.findings.words import percent
from advisor.predicting.outlook import Outlook
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)
FULL = 0.95


def check(case: Case) -> Iterator[Finding]:
    """Replicas of which none may be lost, or too few of them as it is."""
    settings = case.settings
    replicas = settings.server.replicas
    if replicas == 1:
        raise NothingToGoBy("one server; server.replicas is not set")
    if settings.targets is None:
        return
    late, lost = _wrong(case, case.outlook), settings.targets.survive
    if lost and not late:
        return  # a loss is in the targets already
    said = late or _wrong(case, case.outlook_with(_servers(replicas, 1)))
    if not said:
        return
    survive = lost if late else 1

    def keeps(count: int) -> bool:
        return not _wrong(case, case.outlook_with(_servers(count, survive)))

    few, most = replicas, min(2 * replicas + 1, MOST_REPLICAS)
    while not (kept := keeps(most)) and most < MOST_REPLICAS:
        few, most = most, min(2 * most + 1, MOST_REPLICAS)
    enough = few + 1 + bisect_left(range(few + 1, most), 1, key=keeps) if kept else None
    kind = "few" if late else "loss"
    options = [] if enough is None else [CARD.option(kind, enough, count=enough)]
    if enough is None and late:
        kind = "any"
    given = Evidence("servers that may be lost", 0.0, "servers", "computed", "targets", 1.0)
    if late:
        given = Evidence("servers", float(replicas), "servers", "given", "server.replicas")
    yield CARD.finding(kind, given, options=options, replicas=replicas, what=said, most=most)


def _servers(replicas: int, survive: int) -> Settings:
    return ((("server", "replicas"), replicas), (("targets", "survive"), survive))


def _wrong(case: Case, outlook: Outlook) -> str:
    """What misses a target, or is full, in words; empty if nothing."""
    late = missed(case.configuration, outlook)
    if late:
        return f"{late[0].what} misses its target"
    busiest = max(outlook.resources, key=lambda r: r.utilization.mid)
    busy = busiest.utilization.mid
    return f"{busiest.name} is busy {percent(busy)}" if busy >= FULL else ""
