"""MEM004 memory-for-batch

What it does
    Where a Domino server rebuilds views, tries twice the memory for it, so that what it brings
    can be seen, and says what decides the time instead.
Why it matters
    Rebuilding a view is processor work on one processor, one database after the other. Memory is
    what people buy for it first, and it does not help.
Threshold
    Any batch task that rebuilds a view on the system of the 1997 article.
Example
    rebuild_view in the batch: twice the memory changes nothing that could be measured.
Limits
    The article printed neither times nor the memory it tried; its finding is that the buffer pool
    had no effect on rebuilding, its hypothesis that memory and processors have none, and two
    databases took about twice the time of one (errata E-I46-03 and E-I46-04). With four processors
    that means they were rebuilt one after the other. The model, in which the task has one demand
    and no memory, says the same for that reason only.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Evidence, Finding, Option
from advisor.case import Case
from advisor.changes import Change
from advisor.rule import NothingToGoBy, Rule
from calibration.measured.table import load_table

SYSTEM, TASK = "domino46", "rebuild_view"
MIB = 1024.0**2


def check(case: Case) -> Iterator[Finding]:
    """View rebuilds on the article's system."""
    if case.system is None or case.system.name != SYSTEM:
        return
    memory = case.settings.server.memory
    if memory is None:
        raise NothingToGoBy("server.memory is not given", evidence=True)
    rebuilds = [i for i, each in enumerate(case.settings.batch) if each.task_name == TASK]
    if not rebuilds:
        return
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
        options=(
            Option(
                Change(
                    f"install {2 * memory / MIB:g} MB for the rebuilds",
                    ((("server", "memory"), f"{2 * memory / MIB:g} MB"),),
                ),
                sources=(source,),
                effort="part",
                valid="databases of the size that the article rebuilt",
            ),
        ),
    )


RULE = Rule("MEM004", "memory-for-batch", "no memory is bought for view rebuilds", __doc__, check)
