"""The check of DSK004, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.predicting.hardware import hardware_of
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import loads_at_peak, percentage, writes
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.hardware.drive_mix import at_once
from qmodel.devices.ssd import SolidStateDrive

CARD = card_of(__file__)
BUSY, DEEP = 0.80, 0.70


def check(case: Case) -> Iterator[Finding]:
    """Drives whose busy time says nothing, or whose depth says that they are full."""
    monitored, disk = case.settings.monitored, hardware_of(case.configuration).disk
    if not isinstance(disk.drive, SolidStateDrive):
        raise NothingToGoBy("the drives are not solid-state")
    width, _ = at_once(disk, loads_at_peak(case))
    busy = monitored.disk_busy if monitored else None
    depth = monitored.disk_queue if monitored else None
    if busy is None and depth is None:
        raise NothingToGoBy("neither monitored.disk_busy nor disk_queue is given", evidence=True)
    every = width * disk.working
    if depth is not None and depth >= DEEP * every:
        source = "monitored.disk_queue"
        found = Evidence("operations at a time", depth, "1", "given", source, DEEP * every)
        clause, *by_writes = writes(case) or ("",)
        yield CARD.finding(
            "full", found, *by_writes, depth=f"{depth:g}", width=every, writes=clause
        )
        return
    done = case.outlook.resource("disk").utilization.mid if depth is None else depth / every
    if busy is not None and busy >= BUSY and width > 1 and done < DEEP:
        yield CARD.finding(
            "idle",
            percentage("time in which the drives do anything", busy, BUSY, "monitored.disk_busy"),
            percentage("operations at a time over those at once", done, DEEP), width=width,
            done=percent(done), busy=percent(busy),
        )  # fmt: skip
