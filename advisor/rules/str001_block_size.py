"""The check of STR001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Settings
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import change
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.printed_tables.table import load_table

CARD = card_of(__file__)
KIB = 1024.0
#: Blocks that each paper recommends. [KB]
SMALL, LARGE = 16, 64
EDITING, SEARCHING = "notes31/table_4_7", "notes31/table_4_8"


def check(case: Case) -> Iterator[Finding]:
    """Blocks smaller than a paper that measured this load recommends."""
    disk = case.settings.disk
    block = (disk.block or disk.stripe) / KIB
    tasks = [case.tasks.get(each.task_name) for each in case.settings.workload.classes]
    if any(task is not None and task.block_exponent for task in tasks):
        if block < SMALL:
            yield CARD.finding(
                "measured", _given(case, block, SMALL),
                _computed("time of editing", EDITING, "4 KB", "16 KB"),
                _computed("time of searching", SEARCHING, "4 KB", "16 KB"),
                _computed("time of editing", EDITING, "16 KB", "32 KB"), key=("disk", _key(case)),
                options=[_to(case, "small", SMALL), _to(case, "beyond", LARGE)], block=block,
            )  # fmt: skip
    elif case.system_name == "groupwise52":
        if block < LARGE:
            yield CARD.finding(
                "claimed", _given(case, block, LARGE), key=("disk", _key(case)),
                options=[_to(case, "large", LARGE)], block=block,
            )  # fmt: skip
    else:
        raise NothingToGoBy("needs a run with another block size", evidence=True)


def _given(case: Case, block: float, wanted: float) -> Evidence:
    return Evidence("volume block size", block, "KB", "given", f"disk.{_key(case)}", wanted)


def _computed(metric: str, table: str, less: str, more: str) -> Evidence:
    saved = change(table, less, more, "response_time") * 100
    source = f"from {load_table(table).cite()}"
    return Evidence(f"{metric}, {more} over {less}", saved, "%", "computed", source)


def _key(case: Case) -> str:
    return "stripe" if case.settings.disk.block is None else "block"


def _to(case: Case, name: str, size: int) -> Option:
    disk, text = case.settings.disk, f"{size} KB"
    settings: Settings = ((("disk", _key(case)), text),)
    if disk.block is not None and disk.stripe < size * KIB:
        settings = (*settings, (("disk", "stripe"), text))
    return CARD.option(name, settings=settings)
