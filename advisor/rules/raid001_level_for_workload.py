"""The check of RAID001, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import busy_evidence, disk_volume_rate, printed
from advisor.rule_support.rule import Case
from calibration.printed_tables.table import load_table
from qmodel.devices.raid import LEVELS

BUSY = 0.40
FREE = "notes31/table_4_2"
#: Systems whose papers measured or claimed what fault tolerance costs.
MEASURED = ("notes31", "groupwise52")
SPACE = "drives without copies and parity, over all drives"
SAFE = "one drive may fail without loss of data"
VALID = (
    "evenly spread operations, all drives working; an upper bound of the cost where a controller "
    "writes copies at once or answers from a cache"
)
SMALL_WRITES = "small writes: Chen et al., ACM Computing Surveys 26(2), 1994, section 3.2"


def check(case: Case) -> Iterator[Finding]:
    """No tolerance, or parity on busy drives."""
    disk = case.settings.disk
    level = LEVELS[disk.raid]
    each = disk.drives // disk.arrays
    busy = case.outlook.resource("disk").utilization.mid
    evidence = busy_evidence(case, "disk", BUSY)
    if not level.tolerates_failure:
        yield Finding(
            level="warning",
            state="problem",
            message=f"{disk.raid} loses data when a drive fails; {_followed(case, each, busy)}",
            key=("disk", "raid"),
            evidence=(
                Evidence("failures without loss of data", 0.0, "drives", "given", "disk.raid", 1.0),
                evidence,
                *(_what_was_measured(case) if _measured_here(case) else ()),
                *_space(each),
            ),
            options=(*_protected(case, each, busy=busy), _mirror(case)),
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
        paper = ", as the paper of 2000 has it" if _discussed(case) else ""
        return (
            f"mirrors are tried first{paper}, since drives are busy {percent(busy)} and parity "
            "would add to it"
        )
    if case.disk_load_unknown:
        return "the cost of protection is not known, since the load of the drives is not"
    if not _measured_here(case):
        return f"raid5 is tried first, since drives are busy {percent(busy)} only"
    measured, here = _volumes(case)
    within = "no more than" if here <= measured else "beyond"
    return (
        f"RAID 5 is tried first, as the TechNote of 1995 has it: it cost nothing at "
        f"{measured:.0f} KB/s, and the {here:.0f} KB/s here are {within} that"
        + ("" if here <= measured else f", but drives are busy {percent(busy)} only")
    )


def _measured_here(case: Case) -> bool:
    """Whether the load is that of a paper whose numbers of fault tolerance are cited here."""
    return case.system_name in MEASURED


def _discussed(case: Case) -> bool:
    """Whether the load is that of a paper that recommends a level."""
    return case.system_name in (*MEASURED, "domino5_raid")


def _volumes(case: Case) -> tuple[float, float]:
    """Disk volume at which RAID 5 was measured, and the one here. [KB/s]"""
    return printed(FREE, "raid5", "disk", "").value, disk_volume_rate(case) / 1e3


def _what_was_measured(case: Case) -> Iterator[Evidence]:
    if not case.disk_load_unknown:
        measured, here = _volumes(case)
        source = "throughput times the disk volume of an interaction"
        yield Evidence("disk volume", here, "KB/s", "computed", source, measured)
        what = "time of editing without tolerance"
        yield printed(FREE, "no_fault_tolerance", "response_time", what)
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
        Change.of(f"configure the array as {name}", "disk.raid", name),
        sources=(*_measured(case, name), SMALL_WRITES),
        effort="rebuild",
        side_effects=(
            "back up, rebuild and restore the array",
            f"{percent(level.usable_share(drives))} of the raw space is left for data",
            *_not_known(case),
        ),
        valid=VALID,
        benefit=benefit,
    )


def _not_known(case: Case) -> tuple[str, ...]:
    if not case.disk_load_unknown:
        return ()
    return ("the model knows no load of the drives: what this costs it cannot say",)


def _measured(case: Case, name: str) -> tuple[str, ...]:
    if name != "raid5" or not _measured_here(case):
        return ()
    table = load_table("notes31/table_4_2")
    time = table.cell("raid5", "response_time").text
    return (f"{table.cite('raid5')}: {time} s with and without (but see erratum E-N95-09)",)


def _mirror(case: Case) -> Option:
    drives, arrays = case.settings.disk.drives, case.settings.disk.arrays
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
        side_effects=("half of the raw space is left for data", *_not_known(case)),
        valid=VALID,
        benefit=SAFE,
    )
