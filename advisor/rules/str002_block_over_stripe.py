"""The check of STR002, whose manual is the card beside it."""

from collections.abc import Iterator
from math import ceil

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case
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
                Change.of(f"use stripe units of {written}", "disk.stripe", written),
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
