"""The check of CTL001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import change, printed
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.printed_tables.table import load_table

CARD = card_of(__file__)
ARRAY, PLAIN = "SMART", "Fast SCSI-2"
EDITING, SEARCHING = "notes31/table_4_4", "notes31/table_4_5"
STRIPING = "notes31/table_4_3"
ROWS = (("smart", ARRAY), ("fast_scsi_2", PLAIN))


def check(case: Case) -> Iterator[Finding]:
    """A controller whose measured difference is worth a word."""
    name = case.settings.disk.controller
    if not name:
        raise NothingToGoBy("disk.controller is not given", evidence=True)
    tasks = [case.tasks.get(each.task_name) for each in case.settings.workload.classes]
    searches = any(task is not None and task.pattern == "sequential" for task in tasks)
    array = ARRAY.lower() in name.lower()
    if array and not searches:
        return
    table = SEARCHING if searches else EDITING
    other = PLAIN if array else ARRAY
    saved = change(table, "fast_scsi_2", "smart", "response_time") * 100
    source = f"from {load_table(table).cite()}"
    yield CARD.finding(
        "searching" if searches else "editing",
        Evidence("time, SMART over Fast SCSI-2", saved, "%", "computed", source, 1.0),
        *(printed(table, row, "cpu", f"processor utilization, {what}") for row, what in ROWS),
        *(_processor_time(row, what) for row, what in ROWS if searches),
        *(_striping() if not array else ()),
        options=[CARD.option("other", other, other=other, table=table)],
    )


def _striping() -> Iterator[Evidence]:
    """Without the array controller it is the operating system that stripes."""
    for row, what in (("hardware", "controller stripes"), ("software", "software stripes")):
        yield printed(STRIPING, f"{row}_striping", "cpu", f"processor utilization, {what}")


def _processor_time(row: str, what: str) -> Evidence:
    busy, time = (printed(SEARCHING, row, c, "").value for c in ("cpu", "response_time"))
    source = f"utilization law, from {load_table(SEARCHING).cite(row)}"
    return Evidence(
        f"processor time of a search, {what}", busy / 100 * time, "s", "computed", source
    )
