"""The check of DSK002, whose words are the card beside it."""

from collections.abc import Iterator
from math import sqrt

from advisor.configuration.changes import Settings
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import busy_evidence, percentage, printed
from advisor.rule_support.rule import Case, NothingToGoBy
from qmodel.devices.raid import LEVELS

CARD = card_of(__file__)
THRESHOLD = 0.40
#: Load beyond which the paper's runs differed from each other, relative to the peak. [1]
REPEATABLE = 0.80
LEAST_DRIVES, MOST_DRIVES = 4, 10
TABLE = "domino5_raid/table_2"
ROWS = ("2,000", "3,000", "4,000")
#: Unevenness that the paper saw with arrays of five, and with mirrored pairs.
APART, PAIRS_APART = "2x5_4000", "5x2_4000"


def check(case: Case) -> Iterator[Finding]:
    """A busy array of many drives where smaller ones were measured."""
    disk = case.settings.disk
    tasks = [case.tasks.get(each.task_name) for each in case.settings.workload.classes]
    if all(task is None or task.drive_exponent == 1.0 for task in tasks):
        raise NothingToGoBy("needs a run with more drives", evidence=True)
    busy = case.outlook.resource("disk").utilization.mid
    if busy < THRESHOLD or disk.drives // disk.arrays < LEAST_DRIVES:
        return
    splits = tuple(_splits(case))
    if not splits:
        return
    users = case.settings.workload.users
    row = min(ROWS, key=lambda each: abs(int(each.replace(",", "")) - users))
    saved = "response time saved by {} arrays, {} users"
    limiting = case.outlook.bottleneck == "disk"
    yield CARD.finding(
        "large", busy_evidence(case, "disk", THRESHOLD),
        printed(TABLE, row, "two_arrays", saved.format("two", row)),
        printed(TABLE, row, "five_arrays", saved.format("five", row)),
        *_by_the_laws(disk.drives // disk.arrays, busy), level="warning" if limiting else "note",
        state="problem" if limiting else "symptom", options=(*splits, *_one_more(case)),
        drives=disk.drives, arrays=disk.arrays, busy=percent(busy),
    )  # fmt: skip


def _by_the_laws(drives: int, busy: float) -> Iterator[Evidence]:
    """What halving an array saves by the two ends of Study Two, at this load."""
    from calibration.systems.domino5_raid.arrays import ENDS, slowest

    before, after = slowest(sqrt(drives)), slowest(sqrt(drives / 2.0))
    work = (1.0 - busy) / (1.0 - busy / sqrt(2.0))
    source = (
        "the law fitted to IBM Netfinity paper on disk organization (2000), Table 2, with drives "
        f"busy {percent(busy)}"
    )
    for law, ratio in zip(ENDS, (work, work * after / before), strict=True):
        what = f"response time saved by half as large arrays, law '{law.name}'"
        yield percentage(what, 1.0 - ratio, source=source)


def _splits(case: Case) -> Iterator[Option]:
    disk = case.settings.disk
    for arrays, row in ((2 * disk.arrays, APART), (disk.drives // 2, PAIRS_APART)):
        each, left = divmod(disk.drives, arrays)
        raid = "raid1" if each == 2 and disk.raid == "raid1e" else disk.raid
        if arrays <= disk.arrays or left or LEVELS[raid].why_not(each) is not None:
            continue
        apart = printed("domino5_raid/file_growth", row, "difference", "difference of growth")
        settings: Settings = (
            (("disk", "arrays"), arrays),
            (("disk", "spread"), round(apart.value / 100.0, 6)),
        )
        if raid != disk.raid:
            settings = (*settings, (("disk", "raid"), raid))
        outside = _outside(case)
        yield CARD.option(
            "split", settings=settings, arrays=arrays, each=each, apart=apart, outside=outside
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
        yield CARD.option("one_more", more, arrays=disk.arrays)
