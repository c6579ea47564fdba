"""The check of CAP002, whose words are the card beside it."""

from bisect import bisect_left
from collections.abc import Iterator

from advisor.configuration.changes import Settings
from advisor.findings.records import Evidence, Finding
from advisor.findings.targets import missed
from advisor.findings.words import percent
from advisor.predicting.outlook import Outlook
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import printed
from advisor.rule_support.rule import Case, NothingToGoBy
from advisor.rule_support.shared_options import night_moves
from calibration.estimation.data import NOT_MEASURED

CARD = card_of(__file__)
GROWTH = 0.05
CLAIMS = "domino5_raid/study_{}_claims"


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
        if missed(case.configuration, case.outlook) or _busiest(case.alone) >= case.busy_limit:
            raise NothingToGoBy(
                f"the present users already miss a target or take a resource to "
                f"{percent(case.busy_limit)}: CAP001 and TGT001 say how many fit"
            )
        yield _finding(case, wanted, None)
    else:
        between = range(users + 1, wanted)
        over = bisect_left(between, True, key=lambda more: not _holds(case, more))
        yield _finding(case, wanted, users + over)


def _finding(case: Case, wanted: int, carried: int | None) -> Finding:
    """What 5 % more users meet; None carried where the present ones are too many beside batch."""
    users = case.settings.workload.users
    evidence = [
        Evidence("users with 5 % more", float(wanted), "users", "computed", "workload.users")
    ]
    enough = (
        f"the present {users} already take a resource to {percent(case.busy_limit)}, beside batch "
        "tasks that must run at the peak"
    )
    if carried is not None:
        enough = f"{carried} meet the targets and stay below {percent(case.busy_limit)}"
        what, how = "users that the server carries", "queueing network with the users alone"
        evidence.append(Evidence(what, float(carried), "users", "computed", how, float(wanted)))
    if case.of_a_paper:
        what = "users beyond the knee at the limit of response time"
        evidence.append(printed(CLAIMS.format("one"), "knee_margin", "value", what))
        what = "load below which runs were repeatable"
        evidence.append(printed(CLAIMS.format("two"), "repeatable_load", "value", what))
    return CARD.finding("no_room", *evidence, wanted=wanted, enough=enough)


def _holds(case: Case, users: int) -> bool:
    """Whether so many users alone meet the targets with every resource below the limit."""
    settings: Settings = ((("workload", "users"), users), *night_moves(case))
    outlook = case.outlook_with(settings)
    return _busiest(outlook) < case.busy_limit and not missed(case.configuration, outlook)


def _busiest(outlook: Outlook) -> float:
    busy = (r.utilization.mid for r in outlook.resources if r.name != NOT_MEASURED)
    return max(busy, default=0.0)
