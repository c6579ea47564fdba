"""The check of RAID002, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Finding
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import AT_PEAK, busy_evidence, percentage
from advisor.rule_support.rule import Case
from qmodel.devices.raid import LEVELS

CARD = card_of(__file__)
#: A drive that is left has at most this many times the work: a mirror's other copy, or under
#: parity every read of the missing drive. [1]
MOST_WORK = 2.0
WARNING = 0.80
ERROR = 0.95


def check(case: Case) -> Iterator[Finding]:
    """A drive missing now, or no room for one to fail."""
    disk = case.settings.disk
    if disk.state != "normal":
        yield CARD.finding(
            "missing_of_two" if LEVELS[disk.raid].parity > 1 else "missing",
            busy_evidence(case, "disk", WARNING), options=[CARD.option("replace", None)],
            array=disk.state, busy=percent(case.outlook.resource("disk").utilization.mid),
        )  # fmt: skip
    elif LEVELS[disk.raid].tolerates_failure:
        yield from _no_room(case)


def _no_room(case: Case) -> Iterator[Finding]:
    now = case.outlook.resource("disk").utilization.mid
    if now < WARNING / MOST_WORK:
        return
    busy = case.outlook_with(((("disk", "state"), "degraded"),)).resource("disk").utilization.mid
    if busy < WARNING:
        return
    drives, what = case.settings.disk.drives, "utilization of the busiest drive with one missing"
    yield CARD.finding(
        "no_room", percentage(what, busy, WARNING, f"{AT_PEAK}, one drive missing"),
        level="error" if busy >= ERROR else "warning",
        options=[CARD.option("more", 2 * drives, drives=2 * drives)], drives=drives,
        busy=percent(busy), now=percent(now),
    )  # fmt: skip
