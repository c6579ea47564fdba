"""The check of VIRT005, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Finding
from advisor.findings.targets import missed
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, known

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """What is left when every neighbour wants its share as well."""
    server = case.settings.server
    share = known(server.cpu_share)
    quota = round(server.cpus * server.cores * share, 6)
    if missed(case.configuration, case.outlook) or quota >= (server.cpu_quota or quota + 1.0):
        return  # others speak of what is missed already; the quota is less than the share
    settings = ((("server", "cpu_quota"), quota), (("server", "hyper_threads"), None))
    then = case.outlook_with(settings)
    late, busy = missed(case.configuration, then), then.resource("cpu").utilization.mid
    if not late and busy < 1.0:
        return
    said = f"{late[0].what} misses its target" if late else "more arrives than it can serve"
    source = "queueing network with its share as a quota"
    yield CARD.finding(
        "share", percentage("utilization of cpu then", busy, source=source), share=percent(share),
        what=said,
    )  # fmt: skip
