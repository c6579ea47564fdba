"""STR001 block-size: Offers larger blocks where small ones cost too many disk operations.

What it does
    Where the volume's blocks are smaller than what was measured as best, solves the larger sizes
    that the papers recommend and lets the model decide between them.
Why it matters
    Larger blocks take fewer operations for the same file, and move more bytes than were asked
    for. Two papers disagree on where that stops: at 16 KB, says the 1995 TechNote; at 64 KB, says
    the white paper of 1997, which claims 100 % from it.
Threshold
    Blocks under 16 KB on the system of 1995, under 64 KB on that of 1997. The first is measured
    while editing and searching: 4 to 16 KB saves 1.4 % and 8.7 % of the time, 32 KB another
    -0.3 %, inside the noise of 1 %. The second is one percentage without load or table.
Example
    search on 4 KB blocks: 16 KB saves 8 %, and 64 KB no more.
Limits
    The TechNote is followed for its own load, because its tables say how the disk volume grows
    with the block (Tables 4-7 and 4-8, of which the captions mislead: errata E-N95-02 and
    E-N95-11). Beyond 32 KB the model extrapolates. For the load of 1997 nothing was printed from
    which a model could be made (erratum E-G97-04): its claim is shown, its size tried, and what
    the model cannot see is not promised. For other loads it is not known how the volume grows,
    and a file server of large files may well gain from 64 KB.
"""

from collections.abc import Iterator

from advisor.configuration.changes import Change, Settings
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.evidence import change, printed
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
from calibration.printed_tables.table import load_table

KIB = 1024.0
#: Blocks that each paper recommends. [KB]
SMALL, LARGE = 16, 64
EDITING, SEARCHING = "notes31/table_4_7", "notes31/table_4_8"
CLAIMS = "groupwise52/claims"


def check(case: Case) -> Iterator[Finding]:
    """Blocks smaller than a paper that measured this load recommends."""
    disk = case.settings.disk
    block = (disk.block or disk.stripe) / KIB
    tasks = [case.tasks.get(each.task_name) for each in case.settings.workload.classes]
    if any(task is not None and task.block_exponent for task in tasks):
        if block < SMALL:
            yield _measured(case, block)
    elif case.system_name == "groupwise52":
        if block < LARGE:
            yield _claimed(case, block)
    else:
        raise NothingToGoBy(
            "needs a run with another block size",
            evidence=True,
        )


def _measured(case: Case, block: float) -> Finding:
    edit, search = (
        change(table, "4 KB", "16 KB", "response_time") * 100 for table in (EDITING, SEARCHING)
    )
    more = change(EDITING, "16 KB", "32 KB", "response_time") * 100
    return Finding(
        level="note",
        state="problem",
        message=f"blocks of {block:g} KB: {SMALL} KB were faster; of the papers the TechNote is "
        f"followed, which measured this load, and {LARGE} KB are tried beside",
        key=("disk", _key(case)),
        evidence=(
            Evidence("volume block size", block, "KB", "given", f"disk.{_key(case)}", SMALL),
            _computed("time of editing, 16 KB over 4 KB", edit, EDITING),
            _computed("time of searching, 16 KB over 4 KB", search, SEARCHING),
            _computed("time of editing, 32 KB over 16 KB", more, EDITING),
        ),
        options=(
            _to(case, SMALL, "4 to 32 KB were measured while editing, 4 to 16 KB while searching"),
            _to(case, LARGE, "4 to 32 KB", "no block over 32 KB was measured with this load"),
        ),
    )


def _claimed(case: Case, block: float) -> Finding:
    return Finding(
        level="note",
        state="no-evidence",
        message=f"blocks of {block:g} KB: the white paper claims as much again from {LARGE} KB, "
        "without load or table; where it was measured, by the TechNote, more than 16 KB brought "
        "nothing (E-G97-04), so no gain is promised",
        key=("disk", _key(case)),
        evidence=(
            Evidence("volume block size", block, "KB", "given", f"disk.{_key(case)}", LARGE),
            printed(CLAIMS, "volume_block_gain", "value", "gain claimed, 64 KB over 16 KB"),
        ),
        options=(_to(case, LARGE, "the white paper's own server and load"),),
    )


def _computed(metric: str, value: float, table: str) -> Evidence:
    return Evidence(metric, value, "%", "computed", f"from {load_table(table).cite()}")


def _key(case: Case) -> str:
    return "stripe" if case.settings.disk.block is None else "block"


def _to(case: Case, size: int, valid: str, outside: str = "") -> Option:
    disk, text = case.settings.disk, f"{size} KB"
    settings: Settings = ((("disk", _key(case)), text),)
    if disk.block is not None and disk.stripe < size * KIB:
        settings = (*settings, (("disk", "stripe"), text))
    sources = (
        (load_table(EDITING).cite(), load_table(SEARCHING).cite())
        if size == SMALL
        else (load_table(CLAIMS).cite("volume_block_gain"),)
    )
    return Option(
        Change(f"format the volume with blocks of {text}", settings),
        sources=sources,
        effort="rebuild",
        side_effects=(
            "back up, format and restore the volume",
            "the last block of each file is half empty on average",
        ),
        valid=valid,
        outside=outside,
    )


RULE = Rule.of(__name__, "the volume's blocks are large enough", __doc__, check)
