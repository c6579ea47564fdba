"""CTL002 write-cache: Recommends a write-back cache where small writes are expensive.

What it does
    Where small writes are expensive, on a busy array with parity, says that a controller's cache
    may answer writes. On the system whose paper tried it, passes on what it found.
Why it matters
    A cache with a battery answers a write when it has it, before the drives do, and may write
    neighbours together. Behind it the drives have time to catch up; when it is full, writes wait
    for them again. See K. Treiber and J. Menon, HPCA 1995, pp. 186-197; without a battery, writes
    are lost with the power.
Threshold
    Parity and the busiest drive at 40 % or more, the convention of RAID001; drives that are less
    busy gain nothing. On the system of the 1997 white paper where no load of the drives is known,
    since it printed none: it calls its cache more than 100 times as fast as a drive, and found 75 %
    of it for reads, 25 % for writes, the best of five splits.
Example
    raid5 busy 47 % without a write cache: write_back = true, if the controller has a battery.
Limits
    How many writes replace one that is still in the cache, and how many fill a whole stripe, was
    not measured anywhere: give disk.cache.rewritten and full_stripes to see their effect. Without
    them the drives have as much to do as before, and nothing is offered. The split of 75 to 25 % is
    that of a load that mostly reads, with RAID 0; no hit ratio is printed, and the paper itself
    says that it depends on the application. Solid-state drives are left out.
"""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.rule_support.evidence import busy_evidence, printed
from advisor.rule_support.rule import Case, Rule
from qmodel.devices.raid import LEVELS

BUSY = 0.40
SYSTEM = "groupwise52"
CLAIMS = "groupwise52/claims"


def check(case: Case) -> Iterator[Finding]:
    """Writes that wait for drives although a cache could answer them."""
    disk = case.settings.disk
    if disk.cache.write_back or disk.parallelism is not None:
        return
    busy = case.outlook.resource("disk").utilization.mid
    if case.system_name == SYSTEM and case.disk_load_unknown:
        yield _documented(case)
    elif LEVELS[disk.raid].parity and busy >= BUSY:
        yield _dear_writes(case, busy)


def _documented(case: Case) -> Finding:
    """What the paper found best for a load of which it printed nothing."""
    return Finding(
        level="note",
        state="no-evidence",
        message="no write cache is configured, and what its load asks of the drives was not "
        "printed; with three quarters for reads and one for writes the white paper of 1997 found "
        "the best response times of a load that mostly reads, and printed none",
        key=("disk", "raid"),
        evidence=(busy_evidence(case, "disk", BUSY), *_measured()),
    )


def _dear_writes(case: Case, busy: float) -> Finding:
    return Finding(
        level="note",
        state="symptom",
        message=f"small writes wait for drives that are busy {percent(busy)}; a cache with a "
        "battery would answer them before. How much that brings depends on the writes it replaces: "
        "try qmodel whatif with disk.cache.write_back=true and disk.cache.rewritten",
        key=("disk", "raid"),
        evidence=(busy_evidence(case, "disk", BUSY),),
    )


def _measured() -> tuple[Evidence, ...]:
    """What the white paper says of its controller's cache."""
    return (
        printed(CLAIMS, "accelerator_speed", "value", "drive over cache, time of an access"),
        printed(CLAIMS, "accelerator_read_share", "value", "best share of cache for reads"),
        printed(CLAIMS, "accelerator_write_share", "value", "best share of cache for writes"),
    )


RULE = Rule.of(__name__, "expensive writes are absorbed by a write-back cache", __doc__, check)
