"""MEM004 memory-for-batch: Says that more memory does not shorten the rebuilding of views.

What it does
    Where a Domino server rebuilds views, says that memory does not shorten it, and what does.
Why it matters
    Rebuilding a view is processor work on one processor, one database after the other. Memory is
    what is bought for it first, and it does not help.
Threshold
    Any batch task that rebuilds a view on the system of the 1997 article.
Example
    rebuild_view in the batch: two databases took 2 times as long as one, whatever the memory.
Limits
    The article printed neither times nor the memory it tried; its finding is that the buffer pool
    had no effect on rebuilding, its hypothesis that memory and processors have none, and two
    databases took about twice the time of one (errata E-I46-03 and E-I46-04). With four processors
    that means they were rebuilt one after the other. The model, in which the task has one demand
    and no memory, says the same for that reason only.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
from calibration.printed_tables.table import load_table

TASK = "rebuild_view"


def check(case: Case) -> Iterator[Finding]:
    """View rebuilds on the article's system."""
    rebuilds = [i for i, each in enumerate(case.settings.batch) if each.task_name == TASK]
    if not rebuilds:
        raise NothingToGoBy("no batch task rebuilds a view")
    table = load_table("domino46/buffer_pool_claims")
    source = f"{table.cite('rebuild_factor')} (but see errata E-I46-03, E-I46-04)"
    yield Finding(
        level="note",
        state="symptom",
        message="memory does not shorten view rebuilds, and several databases take as many times "
        "as long: run them apart from users instead",
        key=("batch", rebuilds[0], "name"),
        evidence=(
            Evidence("time of two databases over that of one", 2.0, "1", "measured", source),
        ),
    )


RULE = Rule.of(__name__, "no memory is bought for view rebuilds", __doc__, check, ("domino46",))
