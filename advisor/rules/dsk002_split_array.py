"""The check of DSK002, whose manual is the card beside it."""

from collections.abc import Iterator
from math import sqrt

from advisor.configuration.changes import Change, Settings
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import busy_evidence, percentage, printed
from advisor.rule_support.rule import Case, NothingToGoBy
from qmodel.devices.raid import LEVELS

THRESHOLD = 0.40
#: Load beyond which the paper's runs differed from each other, relative to the peak. [1]
REPEATABLE = 0.80
LEAST_DRIVES, MOST_DRIVES = 4, 10
TABLE = "domino5_raid/table_2"
ROWS = ("2,000", "3,000", "4,000")
#: Unevenness that the paper saw with arrays of five, and with mirrored pairs.
APART, PAIRS_APART = (
    ("domino5_raid/file_growth", "2x5_4000"),
    ("domino5_raid/file_growth", "5x2_4000"),
)


def check(case: Case) -> Iterator[Finding]:
    """A busy array of many drives where smaller ones were measured."""
    disk = case.settings.disk
    tasks = [case.tasks.get(each.task_name) for each in case.settings.workload.classes]
    if all(task is None or task.drive_exponent == 1.0 for task in tasks):
        raise NothingToGoBy(
            "needs a run with more drives",
            evidence=True,
        )
    busy = case.outlook.resource("disk").utilization.mid
    if busy < THRESHOLD or disk.drives // disk.arrays < LEAST_DRIVES:
        return
    splits = tuple(_splits(case))
    if not splits:
        return
    users = case.settings.workload.users
    row = min(ROWS, key=lambda each: abs(int(each.replace(",", "")) - users))
    yield Finding(
        level="warning" if case.outlook.bottleneck == "disk" else "note",
        state="problem" if case.outlook.bottleneck == "disk" else "symptom",
        message=f"{disk.drives} drives in {disk.arrays} array(s) are busy {percent(busy)}: if the "
        "volume must grow, split it rather than add a drive; not for speed alone, and only with "
        "even arrays, as the 2000 paper's second study has it and not its first",
        key=("disk", "drives"),
        evidence=(
            busy_evidence(case, "disk", THRESHOLD),
            printed(TABLE, row, "two_arrays", f"response time saved by two arrays, {row} users"),
            printed(TABLE, row, "five_arrays", f"response time saved by five arrays, {row} users"),
            *_by_the_laws(disk.drives // disk.arrays, busy),
        ),
        options=(*splits, *_one_more(case)),
    )


def _by_the_laws(drives: int, busy: float) -> Iterator[Evidence]:
    """What halving an array saves by the two ends of Study Two, at this load."""
    from calibration.systems.domino5_raid.arrays import ENDS, slowest

    before, after = slowest(sqrt(drives)), slowest(sqrt(drives / 2.0))
    work = (1.0 - busy) / (1.0 - busy / sqrt(2.0))
    for law, ratio in zip(ENDS, (work, work * after / before), strict=True):
        yield percentage(
            f"response time saved by half as large arrays, law '{law.name}'",
            1.0 - ratio,
            source=f"the law fitted to IBM Netfinity paper on disk organization (2000), Table 2, with "
            f"drives busy {percent(busy)}",
        )


def _splits(case: Case) -> Iterator[Option]:
    disk = case.settings.disk
    for arrays, source in ((2 * disk.arrays, APART), (disk.drives // 2, PAIRS_APART)):
        each, left = divmod(disk.drives, arrays)
        raid = "raid1" if each == 2 and disk.raid == "raid1e" else disk.raid
        if arrays <= disk.arrays or left or LEVELS[raid].why_not(each) is not None:
            continue
        apart = printed(*source, "difference", "difference of growth")
        change: Settings = (
            (("disk", "arrays"), arrays),
            (("disk", "spread"), round(apart.value / 100.0, 6)),
        )
        if raid != disk.raid:
            change = (*change, (("disk", "raid"), raid))
        yield Option(
            Change(f"split the drives into {arrays} arrays of {each}", change),
            sources=(
                printed(TABLE, "3,000", "two_arrays", "saved").source,
                f"{apart.source}: {apart.value:g} % apart",
            ),
            effort="rebuild",
            side_effects=(
                "users of different arrays get different service",
                "the balance must be checked: operations within 1 % of each other, and growth",
            ),
            valid="RAID-1E and mirrors under Domino mail, 50 to 70 % of the peak load (E-R00-07)",
            outside=_outside(case),
        )


def _outside(case: Case) -> str:
    """How this lies outside what the paper found repeatable."""
    if case.settings.disk.drives > MOST_DRIVES:
        return f"no more than {MOST_DRIVES} drives were measured"
    if case.outlook.resource("disk").utilization.mid > REPEATABLE:
        return "over 80 % of the peak load the paper's own runs were not repeatable (E-R00-02)"
    return ""


def _one_more(case: Case) -> Iterator[Option]:
    disk = case.settings.disk
    more = disk.drives + disk.arrays
    if LEVELS[disk.raid].why_not(more // disk.arrays) is None:
        yield Option(
            Change.of(f"add {disk.arrays} drive(s) instead", "disk.drives", more),
            sources=(printed("domino5_raid/table_1", "9", "users_per_drive", "users").source,),
            effort="part",
            valid="arrays of 2 to 9 drives were measured",
        )
