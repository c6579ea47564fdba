"""The check of DSK001, whose words are the card beside it."""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.configuration.changed_keys import with_new_parts
from advisor.configuration.parts import catalogue_of
from advisor.configuration.schema import MOST_DRIVES
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import busy_evidence, change, unlimited_writes, writes
from advisor.rule_support.rule import Case, rented
from advisor.rule_support.smallest_step import smallest_step
from calibration.printed_tables.table import load_table
from qmodel.devices.catalogue import Drive
from qmodel.devices.raid import LEVELS

CARD = card_of(__file__)
THRESHOLD = 0.40
#: Random writes of 4 KiB a second that drives of the catalogue on NVMe sustain at least. [1/s]
LEAST = 30500.0
#: Most times as many drives as there are that are tried.
MOST = 8
#: Drives of the largest array whose users are known to grow as the square root of its drives.
LARGEST = 10
#: Levels that keep the data when a drive fails, in the order preferred among as many drives.
TOLERANT = ("raid10", "raid1", "raid5")


@dataclass(frozen=True, slots=True)
class _Single:
    """One drive compared with several: where, how many, and the task, None if none is known."""

    table: str
    row: str
    drives: int
    task: str | None
    load: str


#: By system.
MEASURED_SINGLE = {
    "notes31": _Single("notes31/table_4_1", "four_drives", 4, "search", "a search without index"),
    "groupwise52": _Single(
        "groupwise52/table_2", "eight_drives", 8, None, "a load whose operations are not printed"
    ),
}


def check(case: Case) -> Iterator[Finding]:
    """Drives busy beyond the threshold."""
    busy = case.outlook.resource("disk").utilization.mid
    drives = case.settings.disk.drives
    rate = unlimited_writes(case)
    if rate > THRESHOLD * LEAST:
        metric, source = "writes of 4 KiB a second of each drive", "queueing network"
        found = Evidence(metric, rate, "1/s", "computed", source, THRESHOLD * LEAST)
        yield CARD.finding("unlimited", found, rate=f"{rate:,.0f}", least=f"{LEAST:,.0f}")
    if busy < THRESHOLD:
        single = MEASURED_SINGLE.get(case.system.name) if case.system else None
        if drives == 1 and single:
            yield _single(case, busy, single)
        return
    option, enough = _enough(case)
    clause, *by_writes = writes(case) or ("",)
    yield CARD.finding(
        "busy",
        busy_evidence(case, "disk", THRESHOLD),
        *by_writes,
        level="warning" if busy < 0.8 else "error",
        state="problem" if case.outlook.bottleneck == "disk" else "symptom",
        options=[option] if option else (),
        drive=("the volume" if rented(case.configuration) else "the one drive")
        if drives == 1
        else f"the busiest of {drives} drives",
        busy=percent(busy),
        enough=enough + clause,
    )


def _enough(case: Case) -> tuple[Option | None, str]:
    """The fewest drives that are enough, and for what; the next number if none is."""
    if larger := _larger(case):
        return larger
    steps = _steps(case)
    if not steps:
        if _by_size(case):
            return None, f"no array of more than {LARGEST} drives was measured"
        return None, f"a configuration has {MOST_DRIVES} drives at most"
    settings = [((("disk", "drives"), count),) for count in steps]
    found = smallest_step(case, settings, "disk", THRESHOLD)
    more = steps[found.place]
    if found.enough and (safe := _safe(case, found.enough)):
        return safe
    disk = case.settings.disk
    safe_level = LEVELS[disk.raid].tolerates_failure or rented(case.configuration)
    lost = "" if safe_level else f"all data are lost when any of the {more} fails: see RAID001"
    option = CARD.option(
        "more", settings=settings[found.place], more=more, drives=disk.drives,
        measured=_measured(case), lost=lost, valid=_valid(case),
    )  # fmt: skip
    if found.enough:
        return option, f"{more} are the fewest {found.enough}"
    return option, f"even {steps[-1]} are not enough"


def _larger(case: Case) -> tuple[Option, str] | None:
    """Of the volumes of a cloud the one with fewest operations a second that is enough."""
    now = case.settings.disk.drive
    if now is None or not rented(case.configuration):
        return None
    catalogue = catalogue_of(case.configuration)
    least = catalogue.find(Drive, now).iops or 0.0
    volumes = [each for each in catalogue.instead_of(Drive, now) if (each.iops or 0.0) > least]
    names = [each.name for each in sorted(volumes, key=lambda each: each.iops or 0.0)]
    steps = [with_new_parts(case.configuration, ((("disk", "drive"), name),)) for name in names]
    step = smallest_step(case, steps, "disk", THRESHOLD, ordered=False)
    if not step.enough:
        return None
    name = names[step.place]
    option = CARD.option("volume", settings=steps[step.place], name=name, now=now)
    return option, f"{name} is the smallest volume {step.enough}"


def _safe(case: Case, enough: str) -> tuple[Option, str] | None:
    """The fewest drives that are enough for the same, hold as much and may lose one of them.

    More drives without fault tolerance lose data more often, so they are offered where no such
    array is enough.
    """
    disk = case.settings.disk
    level = LEVELS[disk.raid]
    if level.tolerates_failure or case.of_a_paper or rented(case.configuration):
        return None
    now = disk.drives // disk.arrays
    room = level.usable_share(now) * now
    found: list[tuple[int, str]] = []
    for name in TOLERANT:
        counts = [
            each * disk.arrays
            for each in range(now + 1, min(MOST * now, MOST_DRIVES // disk.arrays) + 1)
            if LEVELS[name].why_not(each) is None and LEVELS[name].usable_share(each) * each >= room
        ]
        steps = [((("disk", "raid"), name), (("disk", "drives"), count)) for count in counts]
        step = smallest_step(case, steps, "disk", THRESHOLD)
        if counts and step.enough == enough:
            found.append((counts[step.place], name))
    if not found:
        return None
    drives, name = min(found, key=lambda each: each[0])
    option = CARD.option(
        "safe", settings=((("disk", "raid"), name), (("disk", "drives"), drives)),
        after=f"{name} on {drives} drives", before=f"{disk.raid} on {disk.drives}",
        measured=_measured(case), valid=_valid(case),
    )  # fmt: skip
    said = f"{drives} in {name}, which keep the data when one fails, are the fewest such {enough}"
    return option, said


def _steps(case: Case) -> tuple[int, ...]:
    """Numbers of drives that make the same arrays larger, as far as it is known to hold."""
    disk = case.settings.disk
    now = disk.drives // disk.arrays
    most = LARGEST if _by_size(case) else min(MOST * now, MOST_DRIVES // disk.arrays)
    return tuple(
        each * disk.arrays
        for each in range(now + 1, most + 1)
        if LEVELS[disk.raid].why_not(each) is None
    )


def _single(case: Case, busy: float, measured: _Single) -> Finding:
    """One drive that is not busy: what striping was measured to bring, and what it would here."""
    table, row, drives = measured.table, measured.row, measured.drives
    saved = change(table, "one_drive", row, "response_time") * 100
    same = measured.task in {each.task_name for each in case.settings.workload.classes}
    what, source = f"time with {drives} drives over one", f"from {load_table(table).cite()}"
    outside = "" if same else f"measured with {measured.load}, not with the tasks here"
    option = CARD.option("stripe", drives, drives=drives, source=f"{table}:{row}", outside=outside)
    return CARD.finding(
        "single", busy_evidence(case, "disk", THRESHOLD),
        Evidence(what, saved, "%", "computed", source),
        options=[option] if case.settings.disk.raid == "raid0" else (), busy=percent(busy),
        drives=drives, saved=saved, threshold=percent(THRESHOLD),
    )  # fmt: skip


def _by_size(case: Case) -> bool:
    """Whether each further drive of an array was measured to bring this load less."""
    return case.system_name == "domino5_raid"


def _measured(case: Case) -> str:
    if _by_size(case):
        users = load_table("domino5_raid/table_1")
        each = ", ".join(f"{users.cell(k, 'users_per_drive').text} of {k}" for k in users.rows)
        return f"{users.cite()}: users for each of so many drives {each} (E-R00-01)"
    if not case.of_a_paper:
        return "queueing network: operations spread over more drives"
    table = load_table("notes31/table_4_1")
    one, four = (table.cell(row, "response_time").text for row in ("one_drive", "four_drives"))
    return f"{table.cite('four_drives')}: {four} s against {one} s with one drive, one user"


def _valid(case: Case) -> str:
    if _by_size(case):
        return "arrays of 2 to 9 drives, whose users grow as the square root of the drives"
    return "operations spread evenly over the drives"
