"""RAID001 level-for-workload

What it does
    Offers fault tolerance where there is none, RAID 5 first; and mirrors instead of parity where
    drives are busy enough for parity's extra operations to be felt.
Why it matters
    A small write on RAID 5 takes four operations instead of one. At a few percent of disk load
    nobody notices, which is what the 1995 TechNote measured; at half load it doubles the queue.
Threshold
    Without fault tolerance: always. Parity: busiest drive at 40 % or more, the convention of
    DSK001. RAID 5 was measured to cost nothing at 71 KB/s of disk volume (Table 4-2), drives that
    are idle 98 % of the time; it is put first below the threshold and mirrors are beyond it.
Example
    raid0 on 4 drives: raid5 protects the data and changes the completion time by +0.2 %.
Limits
    Papers disagree, and the load decides: the TechNote of 1995 has RAID 5 free, the white paper of
    1997 has RAID 0 ahead of it by 10 to 20 % and mirrors for what is critical (its sentence on
    them confuses levels, erratum E-G97-02, and with RAID 0 all data are lost, not one drive's,
    E-G97-03), the paper of 2000 wants mirrors where software writes much. All of it can be had
    from the model, between drives that idle and drives that do nothing but small writes; RAID-1
    and RAID-1E, which that paper mixes (E-R00-05), have the same operations.
    The operations of one write are taken one after the other; controllers do some at once and
    hide others in a cache, so the time of a write is an upper bound, its load is not. The share
    of operations that write was not measured in 1995: effects run from no writes to all writes.
    The source's equal times with and without RAID 5 (1569 s, Table 4-2) are suspect of being one
    run printed twice (erratum E-N95-09); the model agrees with them by itself at the disk load
    measured there, and not beyond it.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Evidence, Finding, Option
from advisor.case import Case
from advisor.changes import Change
from advisor.printed import printed
from advisor.rule import Rule
from advisor.volumes import disk_volume_rate
from advisor.words import percent
from calibration.measured.table import load_table
from qmodel.devices.raid import LEVELS

BUSY = 0.40
FREE = "notes31/table_4_2"
SPACE = "drives without copies and parity, over all drives"
SAFE = "one drive may fail without loss of data"
SMALL_WRITES = "small writes: Chen et al., ACM Computing Surveys 26(2), 1994, section 3.2"


def check(case: Case) -> Iterator[Finding]:
    """No tolerance, or parity on busy drives."""
    disk = case.settings.disk
    level = LEVELS[disk.raid]
    each = disk.drives // disk.arrays
    busy = case.outlook.resource("disk").utilization.mid
    evidence = Evidence(
        "utilization of the busiest drive",
        busy * 100,
        "%",
        "computed",
        "queueing network at the worst peak hour",
        BUSY * 100,
    )
    if not level.tolerates_failure:
        yield Finding(
            level="warning",
            state="problem",
            message=f"{disk.raid} loses data when a drive fails; {_followed(case, each, busy)}",
            key=("disk", "raid"),
            evidence=(
                Evidence("drives that may fail", 0.0, "drives", "given", "disk.raid", 1.0),
                evidence,
                *(_what_was_measured(case) if case.of_a_paper else ()),
                *_space(each),
            ),
            options=(*_protected(case, each, busy=busy), _mirror(disk.drives, disk.arrays)),
        )
    elif level.parity and busy >= BUSY:
        mirrors = [n for n in ("raid10", "raid1e") if LEVELS[n].why_not(each) is None]
        yield Finding(
            level="warning",
            state="problem" if case.outlook.bottleneck == "disk" else "symptom",
            message=f"{disk.raid} on drives that are busy {percent(busy)}: each small write costs "
            f"{level.write_operations:g} operations",
            key=("disk", "raid"),
            evidence=(evidence,),
            options=tuple(_to(case, name, each) for name in mirrors[:1]),
        )


def _followed(case: Case, drives: int, busy: float) -> str:
    """Which paper is followed, and why."""
    if LEVELS["raid5"].why_not(drives) is not None:
        return "mirrors are what so few drives can be"
    if busy >= BUSY:
        paper = ", as the paper of 2000 has it" if case.of_a_paper else ""
        return (
            f"mirrors are tried first{paper}, since drives are busy {percent(busy)} and parity "
            "would add to it"
        )
    if not case.of_a_paper:
        return f"raid5 is tried first, since drives are busy {percent(busy)} only"
    measured, here = _volumes(case)
    within = "no more than" if here <= measured else "beyond"
    return (
        f"RAID 5 is tried first, as the TechNote of 1995 has it: it cost nothing at "
        f"{measured:.0f} KB/s, and the {here:.0f} KB/s here are {within} that"
        + ("" if here <= measured else f", but drives are busy {percent(busy)} only")
    )


def _volumes(case: Case) -> tuple[float, float]:
    """Disk volume at which RAID 5 was measured, and the one here. [KB/s]"""
    return printed(FREE, "raid5", "disk", "").value, disk_volume_rate(case) / 1e3


def _what_was_measured(case: Case) -> Iterator[Evidence]:
    measured, here = _volumes(case)
    source = "throughput times the disk volume of an interaction"
    yield Evidence("disk volume", here, "KB/s", "computed", source, measured)
    yield printed(FREE, "no_fault_tolerance", "response_time", "time of editing without tolerance")
    yield printed(FREE, "raid5", "response_time", "time of editing with RAID 5")
    yield printed("groupwise52/claims", "raid0_gain", "value", "gain claimed, RAID 0 over RAID 5")


def _space(drives: int) -> Iterator[Evidence]:
    """Space that each level leaves of so many drives."""
    for name in ("raid5", "raid1", "raid10"):
        if LEVELS[name].why_not(drives) is None:
            share = LEVELS[name].usable_share(drives) * 100
            yield Evidence(f"space left for data by {name}", share, "%", "computed", SPACE)


def _protected(case: Case, drives: int, *, busy: float) -> Iterator[Option]:
    for name in ("raid5", "raid10") if busy < BUSY else ("raid10", "raid5"):
        if LEVELS[name].why_not(drives) is None:
            yield _to(case, name, drives, SAFE)


def _to(case: Case, name: str, drives: int, benefit: str = "") -> Option:
    level = LEVELS[name]
    return Option(
        Change(f"configure the array as {name}", ((("disk", "raid"), name),)),
        sources=(*_measured(case, name), SMALL_WRITES),
        effort="rebuild",
        side_effects=(
            "back up, rebuild and restore the array",
            f"{percent(level.usable_share(drives))} of the raw space is left for data",
        ),
        valid="one array with evenly spread operations, all drives working",
        benefit=benefit,
    )


def _measured(case: Case, name: str) -> tuple[str, ...]:
    if name != "raid5" or not case.of_a_paper:
        return ()
    table = load_table("notes31/table_4_2")
    time = table.cell("raid5", "response_time").text
    return (f"{table.cite('raid5')}: {time} s with and without (but see erratum E-N95-09)",)


def _mirror(drives: int, arrays: int) -> Option:
    return Option(
        Change(
            f"mirror the data on {2 * drives} drives",
            (
                (("disk", "raid"), "raid10" if drives > arrays else "raid1"),
                (("disk", "drives"), 2 * drives),
            ),
        ),
        sources=(SMALL_WRITES,),
        effort="part",
        side_effects=("half of the raw space is left for data",),
        valid="one array with evenly spread operations, all drives working",
        benefit=SAFE,
    )


RULE = Rule("RAID001", "level-for-workload", "the RAID level suits the workload", __doc__, check)
