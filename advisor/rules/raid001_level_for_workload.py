"""The check of RAID001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import busy_evidence, disk_volume_rate, printed, writes
from advisor.rule_support.rule import Case
from calibration.printed_tables.table import load_table
from qmodel.devices.raid import LEVELS

CARD = card_of(__file__)
BUSY = 0.40
FREE = "notes31/table_4_2"
#: Systems whose papers measured or claimed what fault tolerance costs.
MEASURED = ("notes31", "groupwise52")


def check(case: Case) -> Iterator[Finding]:
    """No tolerance, or parity on busy drives."""
    disk = case.settings.disk
    level = LEVELS[disk.raid]
    each = disk.drives // disk.arrays
    busy = case.outlook.resource("disk").utilization.mid
    evidence = busy_evidence(case, "disk", BUSY)
    if not level.tolerates_failure:
        own = disk.drives == 1 and disk.parallelism is not None and disk.drive is None
        yield CARD.finding(
            "volume" if own else "unprotected",
            Evidence("failures without loss of data", 0.0, "drives", "given", "disk.raid", 1.0),
            evidence, *(_what_was_measured(case) if case.system_name in MEASURED else ()),
            *_space(each), options=(*_protected(case, each, busy=busy), _mirror(case)),
            raid=disk.raid, followed=_followed(case, each, busy),
        )  # fmt: skip
    elif level.parity and busy >= BUSY:
        mirrors = [n for n in ("raid10", "raid1e") if LEVELS[n].why_not(each) is None]
        clause, *by_writes = writes(case) or ("",)
        yield CARD.finding(
            "parity", evidence, *by_writes,
            state="problem" if case.outlook.bottleneck == "disk" else "symptom",
            options=[_to(case, "unparity", name, each) for name in mirrors[:1]], raid=disk.raid,
            busy=percent(busy), operations=f"{level.write_operations:g} operations{clause}",
        )  # fmt: skip


def _followed(case: Case, drives: int, busy: float) -> str:
    """Which paper is followed, and why."""
    if LEVELS["raid5"].why_not(drives) is not None:
        return "so few drives can only be mirrored"
    if busy >= BUSY:
        discussed = case.system_name in (*MEASURED, "domino5_raid")
        paper = ", as the paper of 2000 has it" if discussed else ""
        return (
            f"mirrors are tried first{paper}, since drives are busy {percent(busy)} and parity "
            "would add to it"
        )
    if case.disk_load_unknown:
        return "the cost of protection is not known, since the load of the drives is not"
    if case.system_name not in MEASURED:
        return f"RAID 5 first, since the drives are only {percent(busy)} busy"
    measured, here = _volumes(case)
    within = "no more than" if here <= measured else "beyond"
    return (
        f"RAID 5 first: it cost nothing at {measured:.0f} KB/s in 1995; the {here:.0f} KB/s here "
        f"are {within} that"
        + ("" if here <= measured else f", but the drives are only {percent(busy)} busy")
    )


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
    source = "drives without copies and parity, over all drives"
    for name in ("raid5", "raid1", "raid10"):
        if LEVELS[name].why_not(drives) is None:
            share = LEVELS[name].usable_share(drives) * 100
            yield Evidence(f"space left for data by {name}", share, "%", "computed", source)


def _protected(case: Case, drives: int, *, busy: float) -> Iterator[Option]:
    for name in ("raid5", "raid10") if busy < BUSY else ("raid10", "raid5"):
        if LEVELS[name].why_not(drives) is None:
            yield _to(case, "protect", name, drives)


def _to(case: Case, option: str, name: str, drives: int) -> Option:
    measured = ""
    if name == "raid5" and case.system_name in MEASURED:
        table = load_table(FREE)
        time = table.cell("raid5", "response_time").text
        measured = f"{table.cite('raid5')}: {time} s with and without (but see erratum E-N95-09)"
    space = percent(LEVELS[name].usable_share(drives))
    unknown = _not_known(case)
    return CARD.option(option, name, name=name, measured=measured, space=space, unknown=unknown)


def _not_known(case: Case) -> str:
    unknown = "the load of the drives is not known, so the cost in speed cannot be predicted"
    return unknown if case.disk_load_unknown else ""


def _mirror(case: Case) -> Option:
    drives, arrays = case.settings.disk.drives, case.settings.disk.arrays
    settings = (
        (("disk", "raid"), "raid10" if drives > arrays else "raid1"),
        (("disk", "drives"), 2 * drives),
    )
    return CARD.option("mirror", settings=settings, drives=2 * drives, unknown=_not_known(case))
