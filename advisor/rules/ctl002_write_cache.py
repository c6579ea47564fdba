"""The check of CTL002, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.rule_support.evidence import busy_evidence, printed
from advisor.rule_support.rule import Case
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
