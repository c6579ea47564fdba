"""The check of VIRT002, whose words are the card beside it."""

from collections.abc import Iterator
from math import inf

from advisor.findings.records import Evidence, Finding
from advisor.findings.targets import missed
from advisor.findings.words import percent, seconds
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)
#: Credits that last as long are never spent: every day has a night. [s]
DAY = 86_400.0


def check(case: Case) -> Iterator[Finding]:
    """How long until the credits are spent at this load, and what the baseline alone would do."""
    server = case.settings.server
    if server.baseline is None or server.credits is None:
        raise NothingToGoBy("server.baseline and server.credits are not given")
    processors = server.cpus * server.cores
    busy = case.outlook.resource("cpu").utilization.mid
    if busy <= server.baseline:
        return
    left = server.credits / (processors * (busy - server.baseline))
    quota = round(processors * server.baseline, 6)
    then = case.outlook_with(((("server", "cpu_quota"), quota),))
    late = missed(case.configuration, then)
    worst = max((c for c in then.classes if not c.batch), key=lambda c: c.response_time.mid)
    time = worst.response_time.mid
    slow = f"{worst.name} takes {seconds(time)}" if time < inf else "more comes than it can serve"
    yield CARD.finding(
        "spent",
        percentage("utilization of cpu", busy, server.baseline),
        Evidence("time until the credits are spent", left, "s", "computed", "server.credits", DAY),
        level="note" if left >= DAY or not late else "warning",
        baseline=percent(server.baseline),
        time=f"{left / 3600.0:.1f} h",
        what=slow,
    )
