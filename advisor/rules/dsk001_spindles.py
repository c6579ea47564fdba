"""DSK001 spindles

What it does
    Where the busiest drive is busy 40 % or more at the peak, offers more drives in the array.
Why it matters
    Operations spread over the drives, so each drive added takes its share of the work and the
    queue at every drive gets shorter. One user alone feels little of it: an operation still
    waits for one drive.
Threshold
    40 % of the busiest drive: the time of an operation is then 1 / (1 - 0.4) = 1.7 times that of
    an idle drive. 80 % is an error. Planners' conventions.
Example
    drives busy 62 %: 8 instead of 4 drives, response time -11 %.
Limits
    Spreading is taken as even; a hot file on one drive is not seen. The one measurement, one
    against four drives with a single workstation searching, gained 4 % (Table 4-1 of the 1995
    TechNote), which is inside what one user can feel.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Evidence, Finding, Option
from advisor.case import Case
from advisor.changes import Change
from advisor.rule import Rule
from advisor.words import percent
from calibration.measured.table import load_table

THRESHOLD = 0.40


def check(case: Case) -> Iterator[Finding]:
    """Drives busy beyond the threshold."""
    busy = case.outlook.resource("disk").utilization.mid
    if busy < THRESHOLD:
        return
    drives, arrays = case.settings.disk.drives, case.settings.disk.arrays
    yield Finding(
        level="warning" if busy < 0.8 else "error",
        state="problem" if case.outlook.bottleneck == "disk" else "symptom",
        message=f"the busiest of {drives} drives is busy {percent(busy)} at the peak",
        key=("disk", "drives"),
        evidence=(
            Evidence(
                "utilization of the busiest drive",
                busy * 100,
                "%",
                "computed",
                "queueing network at the worst peak hour",
                THRESHOLD * 100,
            ),
        ),
        options=tuple(
            Option(
                Change(f"use {more} drives in the array", ((("disk", "drives"), more),)),
                sources=(_measured(),),
                effort="part",
                valid="operations spread evenly over the drives",
            )
            for more in (drives + 2 * arrays, drives * 2)
        ),
    )


def _measured() -> str:
    table = load_table("notes31/table_4_1")
    one, four = (table.cell(row, "response_time").text for row in ("one_drive", "four_drives"))
    return f"{table.cite('four_drives')}: {four} s against {one} s with one drive, one user"


RULE = Rule("DSK001", "spindles", "no drive has a long queue", __doc__, check)
