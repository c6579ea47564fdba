"""The check of SET005, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import MIB, memory_size, percent
from advisor.rule_support.rule import Case, NothingToGoBy, documented
from calibration.printed_tables.table import load_table

QUARTER = 0.25


def check(case: Case) -> Iterator[Finding]:
    """A pool unlike that of the system's source."""
    system = case.system_name
    pool, memory = case.settings.software.buffer_pool, case.settings.server.memory
    if pool is None or memory is None:
        missing = "software.buffer_pool" if pool is None else "server.memory"
        raise NothingToGoBy(f"{missing} is not given", evidence=True)
    if system == "domino46":
        table, row = load_table("domino46/buffer_pool_claims"), "best_share"
        wanted, source = QUARTER * memory, table.cite(row)
        gain = "the best response times and the lowest utilization of those tested"
    else:
        table, row = load_table("domino85/table_2"), "nsf_buffer_pool_size"
        wanted, source = (table.cell(row, "domino_85").value or 0.0), table.cite(row)
        gain = "the pool that the source measured with"
    # What differs by less than a hundredth is a rounding of megabytes.
    if abs(pool - wanted) <= wanted / 100.0:
        return
    yield Finding(
        level="note",
        state="problem",
        message=f"the buffer pool takes {percent(pool / memory)} of the memory; "
        f"the source has {percent(wanted / memory)}, {memory_size(wanted)} here",
        key=("software", "buffer_pool"),
        evidence=(
            Evidence(
                "share of memory of the buffer pool",
                pool / memory * 100.0,
                "%",
                "given",
                "software.buffer_pool, server.memory",
                wanted / memory * 100.0,
            ),
            Evidence("buffer pool of the source here", wanted / MIB, "MB", "computed", source),
        ),
        options=(
            Option(
                Change.of(
                    f"give the buffer pool {memory_size(wanted)}",
                    "software.buffer_pool",
                    f"{wanted:.10g} bytes",
                ),
                sources=(source,),
                effort="setting",
                valid="128 and 256 MB of memory"
                if system == "domino46"
                else "8 GB of memory, 3,000 users",
                benefit=documented(gain),
            ),
        ),
    )
