"""The check of RAID002, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import busy_evidence, percentage
from advisor.rule_support.rule import Case
from qmodel.devices.raid import LEVELS

#: A drive that is left has at most this many times the work: a mirror's other copy, or under
#: parity every read of the missing drive. [1]
MOST_WORK = 2.0
WARNING = 0.80
ERROR = 0.95
DEGRADED = (
    "operations with a drive missing: Chen et al., ACM Computing Surveys 26(2), 1994, section 3.2"
)


def check(case: Case) -> Iterator[Finding]:
    """A drive missing now, or no room for one to fail."""
    disk = case.settings.disk
    if disk.state != "normal":
        yield _missing(case)
    elif LEVELS[disk.raid].tolerates_failure:
        yield from _no_room(case)


def _missing(case: Case) -> Finding:
    disk = case.settings.disk
    busy = case.outlook.resource("disk").utilization.mid
    what_follows = (
        "one more drive may fail, a third loses data"
        if LEVELS[disk.raid].parity > 1
        else "another failure may lose data"
    )
    return Finding(
        level="error",
        state="problem",
        message=f"the array is {disk.state}: {what_follows}, and the busiest drive is busy "
        f"{percent(busy)}",
        key=("disk", "state"),
        evidence=(busy_evidence(case, "disk", WARNING),),
        options=(
            Option(
                Change.of("replace the drive and restore its contents", "disk.state", None),
                sources=(DEGRADED,),
                effort="part",
                side_effects=("the rebuild takes a part of the drives' time: off-peak, if it may",),
                benefit="as many drives as before may fail again without loss of data",
            ),
        ),
    )


def _no_room(case: Case) -> Iterator[Finding]:
    now = case.outlook.resource("disk").utilization.mid
    if now < WARNING / MOST_WORK:
        return
    busy = case.outlook_with(((("disk", "state"), "degraded"),)).resource("disk").utilization.mid
    if busy < WARNING:
        return
    drives = case.settings.disk.drives
    yield Finding(
        level="error" if busy >= ERROR else "warning",
        state="problem",
        message=f"with one of {drives} drives missing the busiest would be busy {percent(busy)}, "
        f"now {percent(now)}",
        key=("disk", "drives"),
        evidence=(
            percentage(
                "utilization of the busiest drive with one missing",
                busy,
                WARNING,
                "queueing network at the worst peak hour, one drive missing",
            ),
        ),
        options=_more(case),
    )


def _more(case: Case) -> tuple[Option, ...]:
    disk = case.settings.disk
    return (
        Option(
            Change.of(
                f"use {2 * disk.drives} drives, so that one may be missing",
                "disk.drives",
                2 * disk.drives,
            ),
            sources=(DEGRADED,),
            effort="part",
            valid="operations spread evenly over the drives",
        ),
    )
