"""The check of CTL001, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.evidence import change, printed
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.printed_tables.table import load_table

ARRAY, PLAIN = "SMART", "Fast SCSI-2"
EDITING, SEARCHING = "notes31/table_4_4", "notes31/table_4_5"
STRIPING = "notes31/table_4_3"


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
    yield Finding(
        level="note",
        state="symptom",
        message="the SMART controller saves no processor time in a search, the run is slower "
        "(E-N95-10): the TechNote's table is followed, not its text"
        if searches
        else "the SMART controller edits no faster than the noise of the measurement; it is needed "
        "for RAID 5",
        key=("disk", "controller"),
        evidence=(
            Evidence(
                "time, SMART over Fast SCSI-2",
                change(table, "fast_scsi_2", "smart", "response_time") * 100,
                "%",
                "computed",
                f"from {load_table(table).cite()}",
                1.0,
            ),
            printed(table, "smart", "cpu", "processor utilization, SMART"),
            printed(table, "fast_scsi_2", "cpu", "processor utilization, Fast SCSI-2"),
            *(_processor_time(row, what) for row, what in _ROWS if searches),
            *(_striping() if not array else ()),
        ),
        options=(
            Option(
                Change.of(f"use a {other} controller", "disk.controller", other),
                sources=(load_table(table).cite("smart"), load_table(table).cite("fast_scsi_2")),
                effort="part",
                side_effects=("RAID 5 needs the array controller",),
                valid="editing with 10 workstations, searching with one",
            ),
        ),
    )


def _striping() -> tuple[Evidence, ...]:
    """Without the array controller it is the operating system that stripes."""
    return (
        printed(STRIPING, "hardware_striping", "cpu", "processor utilization, controller stripes"),
        printed(STRIPING, "software_striping", "cpu", "processor utilization, software stripes"),
    )


_ROWS = (("smart", "SMART"), ("fast_scsi_2", "Fast SCSI-2"))


def _processor_time(row: str, what: str) -> Evidence:
    busy, time = (printed(SEARCHING, row, c, "").value for c in ("cpu", "response_time"))
    source = f"utilization law, from {load_table(SEARCHING).cite(row)}"
    return Evidence(
        f"processor time of a search, {what}", busy / 100 * time, "s", "computed", source
    )
