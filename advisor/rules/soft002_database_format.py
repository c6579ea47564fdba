"""SOFT002 database-format: Recommends the later database format of Domino 8.5.

What it does
    Where users work with Domino 8.5 on databases of the format before, offers to upgrade the
    template and the format and to compact.
Why it matters
    The new format takes less processor time for a transaction, and is what compression and
    attachments stored once need.
Threshold
    Any class of users at the demands measured with the old databases.
Example
    template 8.5 and format 51: utilization of cpu 9 % less, that of the disk 6 % more.
Limits
    Processor time is bought with disk operations: printed were 598 a second before and 643 after.
    On a server short of drives the model may call the upgrade worse, and then it is not advised.
    One run each; noise between runs was not measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
from calibration.printed_tables.table import load_table

OLD, NEW = "mail_release_85_old_databases", "mail"


def check(case: Case) -> Iterator[Finding]:
    """Classes at the demands of the old databases."""
    old = [i for i, each in enumerate(case.settings.workload.classes) if each.task_name == OLD]
    if not old:
        raise NothingToGoBy("no class of users works on databases of the format before")
    before, after = load_table("domino85/table_4"), load_table("domino85/table_5")
    yield Finding(
        level="note",
        state="problem",
        message=f"{case.settings.workload.classes[old[0]].name} work on databases of the format "
        "before; the same source measured the new one with less processor time",
        key=("workload", "class", old[0], "task"),
        evidence=tuple(
            Evidence(
                f"processor {words}",
                (table.cell("processor", "variant").value or 0.0) * 100.0,
                "%",
                "measured",
                table.cite("processor"),
            )
            for table, words in ((before, "with old databases"), (after, "with new databases"))
        ),
        options=(
            Option(
                Change(
                    "upgrade template and database format, then compact",
                    tuple((("workload", "class", i, "task"), NEW) for i in old),
                ),
                sources=(before.cite("processor"), after.cite("processor")),
                effort="rebuild",
                side_effects=("compacting every database takes a night or several",),
                valid="mail of the measured script, 3,000 users on each of two servers",
            ),
        ),
    )


RULE = Rule.of(__name__, "databases have the new format", __doc__, check, ("domino85",))
