"""The check of APP002, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import crowd, percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, known
from advisor.rule_support.shared_options import faster_processors

CARD = card_of(__file__)
FULL, IDLE = 0.85, 0.60


def check(case: Case) -> Iterator[Finding]:
    """One core that is full while the others have room."""
    monitored, workload = case.settings.monitored, case.settings.workload
    core = known(monitored.busiest_core if monitored else None)
    busy = case.outlook.resource("cpu").utilization.mid
    if core < FULL or busy > IDLE:
        return
    # The utilization law: a core this busy at this load is full at load over utilization.
    rate = workload.arrival_rate
    most = int(workload.users / core) if rate is None else rate / core
    unit = "users" if rate is None else "1/s"
    steps = faster_processors(case, (1.5,))
    yield CARD.finding(
        "one",
        percentage("utilization of the busiest core", core, FULL, "monitored.busiest_core"),
        percentage("utilization of cpu", busy, IDLE),
        Evidence(
            "load up to which a core suffices", float(most), unit, "computed", "utilization law"
        ),
        options=[CARD.option("faster", settings=to, title=title) for title, to in steps],
        core=percent(core),
        busy=percent(busy),
        most=crowd(int(most), None if rate is None else most),
    )
