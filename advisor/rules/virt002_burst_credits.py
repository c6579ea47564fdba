"""The check of VIRT002, whose words are the card beside it."""

from collections.abc import Iterator
from math import inf

from advisor.findings.records import Evidence, Finding
from advisor.findings.targets import missed
from advisor.findings.words import percent, seconds
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, known

CARD = card_of(__file__)
#: Credits that last as long are never spent: every day has a night. [s]
DAY = 86_400.0


def check(case: Case) -> Iterator[Finding]:
    """How long until the credits are spent at this load, and what the baseline alone would do."""
    server = case.settings.server
    baseline, held = known(server.baseline), known(server.credits)
    processors = server.cpus * server.cores
    busy = case.outlook.resource("cpu").utilization.mid
    if busy <= baseline:
        return
    left = held / (processors * (busy - baseline))
    quota = round(processors * baseline, 6)
    settings = ((("server", "cpu_quota"), quota), (("server", "hyper_threads"), None))
    then = case.outlook_with(settings)
    late = missed(case.configuration, then)
    worst = max((c for c in then.classes if not c.batch), key=lambda c: c.response_time.mid)
    time = worst.response_time.mid
    slow = f"{worst.name} takes {seconds(time)}" if time < inf else "more arrives than it can serve"
    yield CARD.finding(
        "spent", percentage("utilization of cpu", busy, baseline),
        Evidence("time until the credits are spent", left, "s", "computed", "server.credits", DAY),
        level="note" if left >= DAY or not late else "warning", baseline=percent(baseline),
        time=f"{left / 3600.0:.1f} h", what=slow,
    )  # fmt: skip
