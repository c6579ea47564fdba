"""The check of STR001, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change, Settings
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.evidence import change, printed
from advisor.rule_support.rule import Case, NothingToGoBy
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
