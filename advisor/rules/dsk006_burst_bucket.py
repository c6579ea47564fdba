"""The check of DSK006, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.configuration.parts import catalogue_of
from advisor.findings.records import Evidence, Finding
from advisor.findings.words import seconds
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy, known
from qmodel.devices.catalogue import Drive

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """A volume that does more than it is rated for, until its bucket is empty."""
    disk, monitored = case.settings.disk, case.settings.monitored
    part = catalogue_of(case.configuration).find(Drive, disk.drive or "")
    if part.iops is None or part.burst_iops is None or part.burst_time is None:
        raise NothingToGoBy("the drive is not a volume that can burst")
    rate = known(monitored.disk_operations if monitored else None)
    above = rate / disk.drives - part.iops
    if above <= 0.0:
        return
    # A full bucket is what the burst takes of it, in operations.
    left = part.burst_time * (part.burst_iops - part.iops) / above
    source = part.source_of("burst_iops")
    yield CARD.finding(
        "spent",
        Evidence("operations a second of a volume", rate / disk.drives, "1/s", "computed",
                 "monitored.disk_operations", part.iops),
        Evidence("time until the burst is spent", left, "s", "computed", source),
        iops=f"{part.iops:g}",
        time=seconds(left),
    )  # fmt: skip
