"""SCH003 index-for-search: Recommends an index where users search text without one.

What it does
    Where users search text without an index at the peak, names what was measured with one, which
    can be created off-peak.
Why it matters
    Without an index every search reads the whole database.
    An index is created once, at another time.
Threshold
    Any class of users that searches without an index on the system of 1995.
Example
    search takes 69 % of the cpu; an indexed search took 15 %, and creating the index 75 %.
Limits
    Documented, not modelled: the indexed search was measured once, alone, and how much of its ten
    seconds is processor is not printed. The 1995 TechNote says of creating an index that it takes
    42 % of the disk channel; that belongs to the search without one (erratum E-N95-03), which is
    one more reason for the index.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.rule_support.rule import LABEL, Case, NothingToGoBy, Rule
from calibration.printed_tables.table import load_table

ROWS = (
    ("N Indx Srch", "processor while searching without an index"),
    ("Indx Srch", "processor while searching with an index"),
    ("Create Indx", "processor while creating an index"),
)


def check(case: Case) -> Iterator[Finding]:
    """Users who search without an index."""
    searching = [
        i for i, each in enumerate(case.settings.workload.classes) if each.task_name == "search"
    ]
    if not searching:
        raise NothingToGoBy("no class of users searches without an index")
    table = load_table("notes31/table_3_2")
    shares = [table.cell(row, "cpu").value or 0.0 for row, _ in ROWS]
    without, with_index, create = (percent(share) for share in shares)
    first = case.settings.workload.classes[searching[0]]
    yield Finding(
        level="note",
        state="problem",
        message=f"{first.name} searches without an index, which took {without} of the cpu; an "
        f"indexed search took {with_index}, and creating the index off-peak {create} ({LABEL})",
        key=("workload", "class", searching[0]),
        evidence=tuple(
            Evidence(words, share * 100.0, "%", "measured", table.cite(row))
            for (row, words), share in zip(ROWS, shares, strict=True)
        ),
    )


RULE = Rule.of(__name__, "searches have an index", __doc__, check, ("notes31",))
