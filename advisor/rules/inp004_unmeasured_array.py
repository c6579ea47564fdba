"""INP004 unmeasured-array: Warns of a kind of array that was never measured.

What it does
    Says where a calibration is used on an array of a kind that its source never measured and
    warns against.
Why it matters
    The law of users by drives was fitted to one RAID level and one program. Nothing in it knows
    of parity, nor of another program's reads and writes.
Threshold
    Any level but RAID-1E on the system of the disk organization paper of 2000, and on it any
    users whose demands are not the paper's.
Example
    raid5 where the source measured RAID-1E alone.
Limits
    The model does compute other levels, from first principles, as the source did not; how well is
    not known from its numbers.
"""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, Rule, documented
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
                Change(
                    "configure the array as raid1e, as measured", ((("disk", "raid"), MEASURED),)
                ),
                sources=(table.cite(),),
                effort="rebuild",
                side_effects=("half of the raw space is left for data",),
                benefit=documented("what is predicted was measured on such an array"),
            ),
        )
        if possible
        else (),
    )


RULE = Rule.of(__name__, "the array was measured", __doc__, check, ("domino5_raid",))
