"""SOFT001 software-release: Recommends a later release of the server program.

What it does
    Where users work with a release of the server program for which the same source measured a
    later one, offers that one and lets the model say what it would bring.
Why it matters
    What a transaction asks of processor and drives is a property of the program. A release that
    asks for less shortens the queue at both, on the same hardware.
Threshold
    Any class of users at the demands of the older release, Domino 8.0.
Example
    mail users on Domino 8.0: release 8.5 with new databases, utilization of cpu 18 % less.
Limits
    The demands of each release are its run's, so the model repeats that run at its own load and
    carries it to others; it cannot tell another release's. The runs differ in their script of
    user actions too: users of 8.5 made 16 % fewer transactions, and a transaction took 8 % more
    processor time (erratum E-D09-07), so that the gain is that of a user and not of a transaction.
    The response time that was printed fell by 15 %, of which the model has 9 %.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
from calibration.printed_tables.table import load_table

OLD = "mail_release_80"
#: Later releases of the same program: the task, in words, and the table that measured it.
LATER = (
    ("mail_release_85_old_databases", "Domino 8.5 with the databases as they are", "table_4"),
    ("mail", "Domino 8.5 with new templates and databases", "table_5"),
)


def check(case: Case) -> Iterator[Finding]:
    """Classes at the demands of the older release."""
    old = [i for i, each in enumerate(case.settings.workload.classes) if each.task_name == OLD]
    if not old:
        raise NothingToGoBy("no class of users works with a release that has a measured successor")
    first = case.settings.workload.classes[old[0]]
    after = {name: load_table(f"domino85/{name}") for _, _, name in LATER}
    yield Finding(
        level="note",
        state="problem",
        message=f"{first.name} work with Domino 8.0; the same source measured 8.5 with less "
        "processor time and fewer disk operations for each user",
        key=("workload", "class", old[0], "task"),
        evidence=tuple(
            Evidence(
                f"change of {metric} from {name}",
                (after[name].cell(row, "change").value or 0.0) * 100.0,
                "%",
                "measured",
                after[name].cite(row),
            )
            for name in after
            for row, metric in (("processor", "processor"), ("disk_ios", "disk operations"))
        ),
        options=tuple(
            Option(
                Change(
                    f"upgrade to {words}",
                    tuple((("workload", "class", i, "task"), task) for i in old),
                ),
                sources=(after[name].cite("processor"), after[name].cite("disk_ios")),
                effort="rebuild",
                side_effects=("clients and templates have to be tried with the release first",),
                valid="mail of the measured script, 3,000 users on each of two servers",
            )
            for task, words, name in LATER
        ),
    )


RULE = Rule.of(__name__, "the later measured release runs", __doc__, check, ("domino85",))
