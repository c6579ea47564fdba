"""The check of CAP001, whose words are the card beside it."""

from collections.abc import Iterator
from math import nextafter

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.predicting.outlook import ResourceOutlook
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case
from advisor.rule_support.shared_options import fewer_users
from calibration.estimation.data import NOT_MEASURED
from calibration.printed_tables.table import load_table

CARD = card_of(__file__)
WARNING = 0.80
ERROR = 0.95


def check(case: Case) -> Iterator[Finding]:
    """Each resource at or beyond the threshold."""
    limit = case.busy_limit
    for resource in case.alone.resources:
        high = resource.utilization.high
        if resource.name != NOT_MEASURED:
            if resource.utilization.mid >= limit:
                yield _busy(case, resource, limit)
        elif high >= WARNING and case.alone.hidden:
            evidence = _evidence("what was not measured", high, WARNING)
            which = ", ".join(f"'{name}'" for name in case.alone.hidden)
            yield CARD.finding("unseen", evidence, which=which, high=percent(high))


def _busy(case: Case, resource: ResourceOutlook, limit: float) -> Finding:
    name, busy = resource.name, resource.utilization.mid
    return CARD.finding(
        "busy",
        _evidence(name, busy, limit),
        level="error" if busy >= ERROR else "warning",
        options=fewer_users(
            case,
            lambda outlook: outlook.resource(name).utilization.mid / nextafter(limit, 0.0),
            _measured() if name == "cpu" and case.of_a_paper else "a planner's convention",
        ),
        name=name,
        busy=percent(busy),
    )


def _evidence(name: str, busy: float, limit: float) -> Evidence:
    source = "queueing network at the configured number of users"
    return percentage(f"utilization of {name}", busy, limit, source)


def _measured() -> str:
    table = load_table("notes31/performance_claims")
    low, high = (table.cell("cpu_critical", c).text for c in ("value", "to"))
    number = high.removesuffix("%").strip()
    return f"{table.cite('cpu_critical')}: no further load at {low} to {number} % CPU"
