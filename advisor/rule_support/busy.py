"""How busy a resource is, as evidence: what most rules hold against a threshold."""

from __future__ import annotations

from typing import Literal

from advisor.findings.records import Evidence
from advisor.rule_support.case import Case

_METRICS = {
    "cpu": "utilization of cpu",
    "disk": "utilization of the busiest drive",
    "lan": "share of the usable LAN rate",
}
_AT_PEAK = "queueing network at the worst peak hour"
_ALONE = "queueing network at the configured number of users, without batch tasks"


def busy_evidence(
    case: Case,
    resource: Literal["cpu", "disk", "lan"],
    threshold: float,
    *,
    alone: bool = False,
) -> Evidence:
    """Utilization of a resource's busiest station, beside a threshold.

    Parameters
    ----------
    case : Case
        What the model says.
    resource : {"cpu", "disk", "lan"}
        The resource.
    threshold : float
        What its utilization is held against. [1]
    alone : bool
        With the users alone; at the worst peak hour, batch tasks included, if not.
    """
    outlook = case.alone if alone else case.outlook
    return Evidence(
        _METRICS[resource],
        outlook.resource(resource).utilization.mid * 100.0,
        "%",
        "computed",
        _ALONE if alone else _AT_PEAK,
        threshold * 100.0,
    )
