"""The check of CAP001, whose manual is the card beside it."""

from collections.abc import Iterator
from math import nextafter

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.predicting.outlook import ResourceOutlook
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case
from advisor.rule_support.shared_options import fewer_users
from calibration.estimation.data import NOT_MEASURED
from calibration.printed_tables.table import load_table

WARNING = 0.80
ERROR = 0.95
#: The most that is below the warning. [1]
BELOW = nextafter(WARNING, 0.0)


def check(case: Case) -> Iterator[Finding]:
    """Each resource at or beyond the threshold."""
    for resource in case.alone.resources:
        if resource.name == NOT_MEASURED:
            if resource.utilization.high >= WARNING and case.alone.hidden:
                yield _unseen(case, resource)
        elif resource.utilization.mid >= WARNING:
            yield _busy(case, resource)


def _busy(case: Case, resource: ResourceOutlook) -> Finding:
    name, busy = resource.name, resource.utilization.mid
    return Finding(
        level="error" if busy >= ERROR else "warning",
        state="problem",
        message=f"{name} is busy {percent(busy)} of the time with the users alone",
        key=("workload", "users"),
        evidence=(_evidence(f"utilization of {name}", busy),),
        options=fewer_users(
            case,
            lambda outlook: outlook.resource(name).utilization.mid / BELOW,
            _measured() if name == "cpu" and case.of_a_paper else "a planner's convention",
        ),
    )


def _unseen(case: Case, resource: ResourceOutlook) -> Finding:
    high = resource.utilization.high
    which = ", ".join(f"'{name}'" for name in case.alone.hidden)
    return Finding(
        level="warning",
        state="symptom",
        message=f"in the calibration {which} the bottleneck is a resource that was not measured, "
        f"busy up to {percent(high)}: what is bought for another one may bring nothing; measure "
        "response times at two more numbers of users to tell",
        key=("workload", "users"),
        evidence=(_evidence("utilization of what was not measured", high),),
    )


def _evidence(metric: str, busy: float) -> Evidence:
    source = "queueing network at the configured number of users"
    return percentage(metric, busy, WARNING, source)


def _measured() -> str:
    table = load_table("notes31/performance_claims")
    low, high = (table.cell("cpu_critical", c).text for c in ("value", "to"))
    number = high.removesuffix("%").strip()
    return f"{table.cite('cpu_critical')}: no further load at {low} to {number} % CPU"
