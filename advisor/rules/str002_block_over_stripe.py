"""STR002 block-over-stripe: Offers a stripe unit that holds a whole block.

What it does
    Where a block is larger than the stripe unit, offers a stripe unit of a whole block.
Why it matters
    A block that is larger than the stripe unit is cut into pieces on several drives, and each piece
    costs a drive its own positioning. Sizes that match take one operation for one block; the 1995
    TechNote asks for the same between cache buffers, blocks of 16 KB and the stripe.
Threshold
    disk.block larger than disk.stripe, by however little.
Example
    blocks of 64 KB on stripes of 16 KB: four operations for each block, one with stripes of 64 KB.
Limits
    Pieces are taken one after the other; a controller that fetches them at once shortens one
    response time and leaves the drives as busy. The TechNote's table for it varies the volume block
    and nothing else (erratum E-N95-11), so that the sizes of cache buffers stay unmeasured.
"""

from collections.abc import Iterator
from math import ceil

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, Rule
from calibration.printed_tables.table import load_table

KIB = 1024.0
STRIPING = "P. M. Chen and D. A. Patterson, ISCA 1990, pp. 322-331"


def check(case: Case) -> Iterator[Finding]:
    """Blocks that do not fit a stripe unit."""
    disk = case.settings.disk
    if disk.block is None or disk.block <= disk.stripe:
        return
    written = case.configuration.data["disk"]["block"]
    yield Finding(
        level="note",
        state="problem",
        message=f"a block of {disk.block / KIB:g} KB falls into "
        f"{ceil(disk.block / disk.stripe)} stripe units of {disk.stripe / KIB:g} KB, an operation "
        "each",
        key=("disk", "stripe"),
        evidence=(
            Evidence(
                "stripe unit", disk.stripe / KIB, "KB", "given", "disk.stripe", disk.block / KIB
            ),
        ),
        options=(
            Option(
                Change(f"use stripe units of {written}", ((("disk", "stripe"), written),)),
                sources=(
                    STRIPING,
                    load_table("notes31/netware_parameters").cite("cache_buffer_size"),
                ),
                effort="rebuild",
                side_effects=("back up, configure and restore the array",),
                valid="blocks that start where a stripe unit does",
            ),
        ),
    )


RULE = Rule.of(__name__, "a block fits a stripe unit", __doc__, check)
