"""CTL002 write-cache

What it does
    Where small writes are dear, on a busy array with parity, or on the system whose paper tried
    it, offers to let the controller's cache answer writes.
Why it matters
    A cache with a battery answers a write when it has it, before the drives do, and may write
    neighbours together. Behind it the drives have time to catch up; when it is full, users wait
    for them again.
Threshold
    Parity and the busiest drive at 40 % or more, the convention of RAID001. On the system of the
    1997 white paper always: it calls its cache more than 100 times as fast as a drive, and found
    75 % of it for reads, 25 % for writes, the best of five splits.
Example
    raid5 busy 47 % without a write cache: write_back = true, if the controller has a battery.
Limits
    How many writes replace one that is still in the cache, and how many fill a whole stripe, was
    not measured anywhere: give disk.cache.rewritten and full_stripes to see their effect. Without
    them the drives have as much to do as before and the model promises nothing. The split of 75 to
    25 % is that of a load that mostly reads, with RAID 0; no hit ratio is printed, and the paper
    itself says that it depends on the application. Solid-state drives are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Evidence, Finding, Option
from advisor.case import Case
from advisor.changes import Change
from advisor.printed import printed
from advisor.rule import Rule
from advisor.words import percent
from qmodel.devices.raid import LEVELS

BUSY = 0.40
CLAIMS = "groupwise52/claims"


_WHERE_TRIED = (
    "no write cache is configured; with three quarters for reads and one for writes, the white "
    "paper of 1997 found the best response times for a load that mostly reads, and printed none"
)


def check(case: Case) -> Iterator[Finding]:
    """Writes that wait for drives although a cache could answer them."""
    disk = case.settings.disk
    if disk.cache.write_back or disk.parallelism is not None:
        return
    busy = case.outlook.resource("disk").utilization.mid
    tried = case.system is not None and case.system.name == "groupwise52"
    if not tried and not (LEVELS[disk.raid].parity and busy >= BUSY):
        return
    yield Finding(
        level="note",
        state="symptom",
        message=_WHERE_TRIED
        if tried
        else f"small writes wait for drives that are busy {percent(busy)}; a cache with a battery "
        "would answer them before",
        key=("disk", "raid"),
        evidence=(
            Evidence(
                "utilization of the busiest drive",
                busy * 100,
                "%",
                "computed",
                "queueing network at the worst peak hour",
                BUSY * 100,
            ),
            *(_measured() if case.of_a_paper else ()),
        ),
        options=(
            Option(
                Change(
                    "let the controller's cache answer writes",
                    ((("disk", "cache", "write_back"), True),),
                ),
                sources=(
                    "K. Treiber and J. Menon, HPCA 1995, pp. 186-197: what write-back saves",
                    *((_measured()[0].source,) if case.of_a_paper else ()),
                ),
                effort="part",
                side_effects=("without a battery, writes are lost with the power",),
                valid="as long as the drives keep up on average",
            ),
        ),
    )


def _measured() -> tuple[Evidence, ...]:
    """What the white paper says of its controller's cache."""
    return (
        printed(CLAIMS, "accelerator_speed", "value", "drive over cache, time of an access"),
        printed(CLAIMS, "accelerator_read_share", "value", "best share of cache for reads"),
        printed(CLAIMS, "accelerator_write_share", "value", "best share of cache for writes"),
    )


RULE = Rule("CTL002", "write-cache", "dear writes are answered by a cache", __doc__, check)
