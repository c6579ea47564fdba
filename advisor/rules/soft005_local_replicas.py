"""SOFT005 local-replicas

What it does
    Where mail users work on databases of the server, lets the model say what it brings if more of
    them work on local replicas, in steps of a fifth of all users.
Why it matters
    A user on a local replica asks the server for half as many transactions: the rest is done at
    the workstation and replicated.
Threshold
    Any users with databases on the server, beside a class of users on local replicas, where moving
    them cuts a response time by 1 % or some utilization by 1 point: less nobody could measure. The
    step, 20 % of the users, is the share that was measured.
Example
    another 20 % of the users on local replicas: utilization of cpu 11 % less.
Limits
    That such a user makes half the transactions is what the article says of network traffic; its
    Table 7 has no row of it (erratum E-D09-04). Volumes of the run without local replicas are
    predicted within 4 %. Its processor is not: 53.4 % was printed where no additive mix of two
    kinds of users gives more than 49.4 % (erratum E-D09-03), and the model has 44 %. What local
    replicas save in processor time may therefore be more than is predicted.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.configuration.changes import Change, Settings
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.case import Case
from advisor.rule_support.documented import source_of
from advisor.rule_support.rule import NothingToGoBy, Rule
from calibration.agreements.published import published

ON_SERVER, LOCAL = "mail", "mail_local_replica"
STEP = 0.20
#: What replicates differ by: less is no gain, of a time or of a utilization. [1]
NOISE = 0.01


def check(case: Case) -> Iterator[Finding]:
    """Users who could work on local replicas."""
    source_of(case, "domino85")
    classes = case.settings.workload.classes
    here = {each.task_name: i for i, each in enumerate(classes)}
    if ON_SERVER not in here:
        raise NothingToGoBy("no class of users has the demands measured beside local replicas")
    if LOCAL not in here:
        raise NothingToGoBy(
            f'no class of users has the task "{LOCAL}"; add one, however small its share'
        )
    served, local = classes[here[ON_SERVER]], classes[here[LOCAL]]
    moved = min(STEP, served.share)
    if moved >= served.share:  # a class needs somebody in it
        raise NothingToGoBy("so few users work on databases of the server that all would move")
    key = ("workload", "class", here[ON_SERVER], "share")
    settings: Settings = (
        (key, round(served.share - moved, 6)),
        (("workload", "class", here[LOCAL], "share"), round(local.share + moved, 6)),
    )
    if not _gains(case, settings):
        return
    half = published("domino85/claims", "local_replica_network", "value")
    source = half.source.partition(", column")[0]
    yield Finding(
        level="note",
        state="symptom",
        message=f"{percent(served.share)} of the users work on databases of the server, and one on "
        f"a local replica asks for about {half.value:g} % of the transactions",
        key=key,
        evidence=(
            Evidence(
                "users with databases on the server",
                served.share * 100.0,
                "%",
                "given",
                f"workload.class[{here[ON_SERVER]}].share",
            ),
            Evidence("traffic of a user on a local replica", half.value, "%", "measured", source),
        ),
        options=(
            Option(
                Change(f"give another {percent(moved)} of the users local replicas", settings),
                sources=(source,),
                effort="setting",
                side_effects=(
                    "workstations need room for a mail file",
                    "mail at the workstation is as old as the last replication",
                ),
                valid="0 and 20 % of users on local replicas were measured; more was not",
            ),
        ),
    )


def _gains(case: Case, settings: Settings) -> bool:
    """Whether anybody could measure what it brings: a response time, or how busy something is."""
    after = case.outlook_with(settings)
    for each in case.outlook.classes:
        then = after.time_of(each.name)
        if then is not None and then.mid <= each.response_time.mid * (1.0 - NOISE):
            return True
    return any(
        after.resource(each.name).utilization.mid <= each.utilization.mid - NOISE
        for each in case.outlook.resources
    )


RULE = Rule("SOFT005", "local-replicas", "users work on local replicas", __doc__, check)
