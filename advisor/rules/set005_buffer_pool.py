"""The check of SET005, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import MIB, memory_size, percent
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.printed_tables.table import load_table

CARD = card_of(__file__)
QUARTER = 0.25


def check(case: Case) -> Iterator[Finding]:
    """A pool unlike that of the system's source."""
    pool, memory = case.settings.software.buffer_pool, case.settings.server.memory
    if pool is None or memory is None:
        missing = "software.buffer_pool" if pool is None else "server.memory"
        raise NothingToGoBy(f"{missing} is not given", evidence=True)
    if case.system_name == "domino46":
        table, row = load_table("domino46/buffer_pool_claims"), "best_share"
        wanted = QUARTER * memory
    else:
        table, row = load_table("domino85/table_2"), "nsf_buffer_pool_size"
        wanted = table.value(row, "domino_85")
    # What differs by less than a hundredth is a rounding of megabytes.
    if abs(pool - wanted) <= wanted / 100.0:
        return
    source, size = table.cite(row), memory_size(wanted)
    of_all, share, best = "share of memory of the buffer pool", pool / memory, wanted / memory
    given = "software.buffer_pool, server.memory"
    yield CARD.finding(
        "untested", Evidence(of_all, share * 100.0, "%", "given", given, best * 100.0),
        Evidence("buffer pool of the source here", wanted / MIB, "MB", "computed", source),
        options=[CARD.option(case.system_name, f"{wanted:.10g} bytes", size=size)],
        share=percent(share), best=percent(best), size=size,
    )  # fmt: skip
