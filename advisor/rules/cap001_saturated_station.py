"""CAP001 saturated-station

What it does
    Names each resource whose predicted utilization is 80 % or more with the users alone, and
    the largest number of users that keeps it below.
Why it matters
    A resource that is always busy sets the throughput of the whole server, X <= m / D. Beyond
    that point every further user only makes all users wait longer.
Threshold
    80 % is a warning, 95 % an error. The 1995 TechNote calls a CPU at 80 to 90 % one that should
    not be given more to do (Compaq TechNote 184430-001, Chapter 4); 95 % is a convention.
Example
    cpu is busy 90 % of the time with 20 users; 15 users would keep it below 80 %.
Limits
    The threshold is a planner's habit, not a law: a batch server may well run at 100 %. A target
    in the configuration speaks for itself through TGT001.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Evidence, Finding, Option
from advisor.case import Case
from advisor.changes import Change
from advisor.rule import Rule
from advisor.words import percent
from calibration.table import load_table

WARNING = 0.80
ERROR = 0.95


def check(case: Case) -> Iterator[Finding]:
    """Each measured resource at or beyond the threshold."""
    for resource in case.alone.resources:
        busy = resource.utilization.mid
        if resource.name == "unseen" or busy < WARNING:
            continue
        yield Finding(
            level="error" if busy >= ERROR else "warning",
            state="problem",
            message=f"{resource.name} is busy {percent(busy)} of the time with the users alone",
            key=("workload", "users"),
            evidence=(
                Evidence(
                    f"utilization of {resource.name}",
                    busy * 100,
                    "%",
                    "computed",
                    "queueing network at the configured number of users",
                    WARNING * 100,
                ),
            ),
            options=_fewer_users(case, resource.name),
        )


def _fewer_users(case: Case, name: str) -> tuple[Option, ...]:
    fit = case.most_users(lambda outlook: outlook.resource(name).utilization.mid < WARNING)
    if not fit:
        return ()
    return (
        Option(
            Change(
                f"serve at most {fit} users here, the others elsewhere",
                ((("workload", "users"), fit),),
            ),
            sources=(_measured(),),
            effort="server",
            side_effects=("another server for the other users",),
            valid="the same mix of tasks",
        ),
    )


def _measured() -> str:
    table = load_table("notes31/performance_claims")
    low, high = (table.cell("cpu_critical", c).text for c in ("value", "to"))
    return f"{table.cite('cpu_critical')}: no further load at {low} to {high} CPU"


RULE = Rule("CAP001", "saturated-station", "no resource is saturated", __doc__, check)
