"""CAP002 headroom: Checks that the server can take 5 % more users.

What it does
    Asks whether 5 % more users would still meet the targets and leave every measured resource
    below 80 %, and if not, how many of them would.
Why it matters
    Beyond the knee, where response time begins to rise faster than the number of users, a few
    more users turn a good answer into an unacceptable one. A plan needs room for them.
Threshold
    5 % more users: the upper end of the 3 to 5 % by which the 2000 paper saw the knee passed
    before its limit of 5 s was. 80 % is the threshold of CAP001; that paper found its runs
    repeatable below 80 % of the peak load and its effects at 50 to 70 % of it (E-R00-07).
Example
    17 users meet the targets, 18 do not: no room.
Limits
    Users alone, without batch tasks that could run at night. Where users arrive at a given rate
    there is no number of them to raise. With few users 5 % is one of them. Where a target or 80 %
    is passed by the present users already, this rule is silent: CAP001 and TGT001 speak, and say
    how many users would do.
"""

from collections.abc import Iterator

from advisor.configuration.changes import Settings
from advisor.findings.records import Evidence, Finding
from advisor.findings.targets import missed
from advisor.predicting.outlook import Outlook
from advisor.rule_support.evidence import printed
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
from advisor.rule_support.shared_options import night_moves
from calibration.estimation.data import NOT_MEASURED

GROWTH = 0.05
BUSY = 0.80


def check(case: Case) -> Iterator[Finding]:
    """No room for a few more users, although there is room for those there are."""
    workload = case.settings.workload
    if workload.arrival_rate is not None:
        raise NothingToGoBy("users arrive at a given rate; there is no number of them to raise")
    users = workload.users
    wanted = max(users + 1, round(users * (1.0 + GROWTH)))
    if _holds(case, wanted):
        return
    if not _holds(case, users):
        if _said_by_others(case):
            raise NothingToGoBy(
                "the present users miss a target or take a resource to 80 % already: CAP001 and "
                "TGT001 say how many would do"
            )
        yield _finding(case, wanted, None)
    else:
        yield _finding(case, wanted, _carried(case, users, wanted))


def _said_by_others(case: Case) -> bool:
    """Whether TGT001 or CAP001 speaks of the present users."""
    return bool(missed(case.configuration, case.outlook)) or _busiest(case.alone) >= BUSY


def _finding(case: Case, wanted: int, carried: int | None) -> Finding:
    """What 5 % more users meet; None carried where the present ones are too many beside batch."""
    users = case.settings.workload.users
    enough = (
        f"{users} take a resource to 80 % already, beside batch tasks that must run at the peak"
        if carried is None
        else f"{carried} meet the targets and stay below 80 %"
    )
    room = () if carried is None else (_room(carried, wanted),)
    return Finding(
        level="warning",
        state="problem",
        message=f"there is no room for {wanted} users, 5 % more than now: {enough}",
        key=("workload", "users"),
        evidence=(
            Evidence("users with 5 % more", float(wanted), "users", "computed", "workload.users"),
            *room,
            *(_measured() if case.of_a_paper else ()),
        ),
    )


def _room(carried: int, wanted: int) -> Evidence:
    return Evidence(
        "users that the server carries",
        float(carried),
        "users",
        "computed",
        "queueing network with the users alone",
        float(wanted),
    )


def _holds(case: Case, users: int) -> bool:
    """Whether so many users alone meet the targets with every resource below 80 %."""
    settings: Settings = ((("workload", "users"), users), *night_moves(case))
    outlook = case.outlook_with(settings)
    return _busiest(outlook) < BUSY and not missed(case.configuration, outlook)


def _busiest(outlook: Outlook) -> float:
    return max(r.utilization.mid for r in outlook.resources if r.name != NOT_MEASURED)


def _carried(case: Case, holds: int, fails: int) -> int:
    """The most users that hold, between those that do and those that do not."""
    while fails - holds > 1:
        middle = (holds + fails) // 2
        holds, fails = (middle, fails) if _holds(case, middle) else (holds, middle)
    return holds


def _measured() -> tuple[Evidence, ...]:
    """What the paper of 2000 saw beyond the knee."""
    return (
        printed(
            "domino5_raid/study_one_claims",
            "knee_margin",
            "value",
            "users beyond the knee at the limit of response time",
        ),
        printed(
            "domino5_raid/study_two_claims",
            "repeatable_load",
            "value",
            "load below which runs were repeatable",
        ),
    )


RULE = Rule.of(__name__, "there is room for a few more users", __doc__, check)
