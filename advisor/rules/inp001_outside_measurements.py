"""INP001 outside-measurements

What it does
    Says where the number of users lies far outside those that the calibration saw.
Why it matters
    Between measurements a model interpolates; beyond them it trusts its own structure, and the
    calibrations that fit equally well go apart.
Threshold
    More than twice the users of the largest fitted run, or fewer than half of the smallest: as far
    as the system of 1995 was held against runs that no fit saw, 20 workstations from 10.
Example
    21 users are far outside the 10 that edit was fitted to.
Limits
    Only the number of users is compared. Hardware that was never measured is extrapolation too,
    which the ranges of each option's validity tell.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.predicting.workload import measured_users
from advisor.rule_support.case import Case
from advisor.rule_support.rule import NothingToGoBy, Rule

FACTOR = 2.0


def check(case: Case) -> Iterator[Finding]:
    """Users far outside the fitted range."""
    if case.system is None:
        raise NothingToGoBy("the configuration gives the demands itself; nothing was fitted")
    used = {each.task_name for each in case.settings.workload.classes}
    measured = measured_users(case.configuration)
    ranges = [(each, name) for name in measured if name in used for each in measured[name]]
    if not ranges:
        raise NothingToGoBy("no task of the users was fitted to runs with several loads")
    users = case.settings.workload.users
    outside = [
        (ends, name) for ends, name in ranges if not ends[0] / FACTOR <= users <= ends[1] * FACTOR
    ]
    if not outside:
        return
    (low, high), name = outside[0]
    fitted_to = f"{low}" if low == high else f"{low} to {high}"
    yield Finding(
        level="note",
        state="no-evidence",
        message=f"{users} users are far outside the {fitted_to} that {name} was fitted to: "
        "measure at this load, or trust the interval less",
        key=("workload", "users"),
        evidence=(
            Evidence(
                "users at work",
                float(users),
                "users",
                "given",
                "workload.users",
                high * FACTOR if users > high else low / FACTOR,
            ),
        ),
    )


RULE = Rule.of(__name__, "the load was measured", __doc__, check)
