"""DSK001 spindles

What it does
    Where the busiest drive is busy 40 % or more at the peak, offers more drives in the array.
Why it matters
    Operations spread over the drives, so each drive added takes its share of the work and the
    queue at every drive gets shorter. One user alone feels little of it: an operation still
    waits for one drive.
Threshold
    40 % of the busiest drive: the time of an operation is then 1 / (1 - 0.4) = 1.7 times that of
    an idle drive. 80 % is an error. Planners' conventions. A single drive that is less busy gets
    a note where its paper compared it with several.
Example
    drives busy 62 %: 8 instead of 4 drives, response time -11 %.
Limits
    Spreading is taken as even; a hot file on one drive is not seen. The one measurement, one
    against four drives with a single workstation searching, gained 4 % (Table 4-1 of the 1995
    TechNote, whose units are misprinted, erratum E-N95-08), where the model has none: one user
    waits for one drive at a time. Eight drives gained 2.4 % on a system called very demanding of
    its drives (E-G97-05). Papers that say to stripe as many drives as there are, or many small
    ones, are followed where drives are busy and not elsewhere. In RAID-1E arrays each further
    drive was worth less than the one before (E-R00-01): see DSK002.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Evidence, Finding, Option
from advisor.case import Case
from advisor.changes import Change
from advisor.printed import change
from advisor.rule import Rule
from advisor.words import percent
from calibration.measured.table import load_table

THRESHOLD = 0.40
#: By system, where one drive was compared with several: table, row, and how many.
MEASURED_SINGLE = {
    "notes31": ("notes31/table_4_1", "four_drives", 4),
    "groupwise52": ("groupwise52/table_2", "eight_drives", 8),
}


def check(case: Case) -> Iterator[Finding]:
    """Drives busy beyond the threshold."""
    busy = case.outlook.resource("disk").utilization.mid
    drives, arrays = case.settings.disk.drives, case.settings.disk.arrays
    if busy < THRESHOLD:
        if drives == 1 and case.system is not None and case.system.name in MEASURED_SINGLE:
            yield _single(case, busy)
        return
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
                sources=_measured(case),
                effort="part",
                valid=_valid(case),
            )
            for more in (drives + 2 * arrays, drives * 2)
        ),
    )


def _single(case: Case, busy: float) -> Finding:
    """One drive that is not busy: what striping was measured to bring, and what it would here."""
    assert case.system is not None
    table, row, drives = MEASURED_SINGLE[case.system.name]
    saved = change(table, "one_drive", row, "response_time") * 100
    return Finding(
        level="note",
        state="symptom",
        message=f"one drive holds all data and is busy {percent(busy)}: {drives} of them were "
        f"measured {saved:+.1f} % in response time; below {percent(THRESHOLD)} the model has "
        "hardly anybody wait for it",
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
            Evidence(
                f"time with {drives} drives over one",
                saved,
                "%",
                "computed",
                f"from {load_table(table).cite()}",
            ),
        ),
        options=(
            Option(
                Change(f"stripe the data over {drives} drives", ((("disk", "drives"), drives),)),
                sources=(load_table(table).cite(row),),
                effort="part",
                valid="operations spread evenly over the drives",
            ),
        )
        if case.settings.disk.raid == "raid0"
        else (),
    )


def _measured(case: Case) -> tuple[str, ...]:
    if case.system is not None and case.system.name == "domino5_raid":
        users = load_table("domino5_raid/table_1")
        each = ", ".join(f"{users.cell(k, 'users_per_drive').text} of {k}" for k in users.rows)
        return (f"{users.cite()}: users for each of so many drives {each} (E-R00-01)",)
    if not case.of_a_paper:
        return ("queueing network: operations spread over more drives",)
    table = load_table("notes31/table_4_1")
    one, four = (table.cell(row, "response_time").text for row in ("one_drive", "four_drives"))
    return (f"{table.cite('four_drives')}: {four} s against {one} s with one drive, one user",)


def _valid(case: Case) -> str:
    if case.system is not None and case.system.name == "domino5_raid":
        return "arrays of 2 to 9 drives, whose users grow as the square root of the drives"
    return "operations spread evenly over the drives"


RULE = Rule("DSK001", "spindles", "no drive has a long queue", __doc__, check)
