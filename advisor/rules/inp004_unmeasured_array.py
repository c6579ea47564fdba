"""The check of INP004, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, documented
from calibration.printed_tables.table import load_table
from qmodel.devices.raid import LEVELS

MEASURED = "raid1e"


def check(case: Case) -> Iterator[Finding]:
    """Another level, or another program."""
    table = load_table("domino5_raid/table_1")
    disk = case.settings.disk
    evidence = (
        Evidence(
            "drives of an array", float(disk.drives // disk.arrays), "drives", "given", "disk"
        ),
    )
    others = [each.name for each in case.settings.workload.classes if each.cpu is not None]
    if others:
        yield Finding(
            level="warning",
            state="no-evidence",
            message=f"{', '.join(others)}: the source measured mail alone and says not to carry "
            "its numbers to other programs",
            key=("workload", "class"),
            evidence=evidence,
        )
    if disk.raid == MEASURED:
        return
    possible = LEVELS[MEASURED].why_not(disk.drives // disk.arrays) is None
    yield Finding(
        level="warning",
        state="no-evidence",
        message=f"{disk.raid} where the source measured RAID-1E alone and says not to carry its "
        "numbers to other levels",
        key=("disk", "raid"),
        evidence=evidence,
        options=(
            Option(
                Change.of("configure the array as raid1e, as measured", "disk.raid", MEASURED),
                sources=(table.cite(),),
                effort="rebuild",
                side_effects=("half of the raw space is left for data",),
                benefit=documented("what is predicted was measured on such an array"),
            ),
        )
        if possible
        else (),
    )
