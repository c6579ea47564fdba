"""SET005 buffer-pool: Checks the share of memory that a Domino buffer pool takes.

What it does
    Compares the share of memory that a Domino server's buffer pool takes with what was tested.
Why it matters
    The pool keeps pages of databases. What it takes is missing elsewhere; on a small server half
    of memory was no better than a quarter, and on a large one far less was used.
Threshold
    25 % of memory, the default and the best of those tested with Domino 4.6a on 128 and 256 MB:
    more is worth a note, and so is less on that system. For Domino 8.5 the article's 250 MB is
    followed, 3 % of 8 GB: there memory is ample and the quarter was never tested.
Example
    half of the memory for the buffer pool: a quarter was as good.
Limits
    Documented, not modelled: no hit ratio and no response time was printed. The quarter that was
    best is also the default (erratum E-I46-05). Which paper is followed depends on the system
    that the workload names, not on a calculation.
"""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import MIB, memory_size, percent
from advisor.rule_support.rule import Case, NothingToGoBy, Rule, documented
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
                Change(
                    f"give the buffer pool {memory_size(wanted)}",
                    ((("software", "buffer_pool"), f"{wanted:.10g} bytes"),),
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


RULE = Rule.of(__name__, "the buffer pool is as tested", __doc__, check, ("domino46", "domino85"))
