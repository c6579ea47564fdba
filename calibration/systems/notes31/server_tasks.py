"""Server tasks that Tables 3-2 to 3-4 measured running alone."""

from __future__ import annotations

from calibration.hardware.task import Task
from calibration.printed_tables.table import load_table
from calibration.systems.notes31.laboratory import DRIVE, REFERENCE
from qmodel.devices.lan import transfer_time

#: Their names here, and the rows of the tables.
ALONE = {
    "rebuild_view": "Rebld View",
    "create_index": "Create Indx",
    "replicate_write": "S->S W Repl",
    "replicate_read": "S->S R Repl",
    "replicate_to_server": "W->S Repl",
    "replicate_to_workstation": "S->W Repl",
    "mail": "Mail",
    "macro": "Macro",
}


def server_tasks() -> tuple[Task, ...]:
    """Each task by what one second of it alone takes."""
    return tuple(_alone(name, row) for name, row in ALONE.items())


def _alone(name: str, row: str) -> Task:
    tables = {t: load_table(f"notes31/table_{t}") for t in ("3_1", "3_2", "3_3", "3_4")}
    # Captions of the two tables are exchanged (E-N95-01); the corrected columns say which is which.
    columns = {tables[t].column("throughput").station: t for t in ("3_3", "3_4")}
    cpu = tables["3_2"].cell(row, "cpu").value or 0.0
    disk = tables[columns["disk"]].cell(row, "throughput").value or 0.0
    lan = tables[columns["lan"]].cell(row, "throughput").value or 0.0
    wire = transfer_time(lan, REFERENCE.lan.rate)  # alone on it
    rest = 1.0 - cpu - DRIVE.sequential_time(disk) - wire
    return Task(
        name=name,
        title=tables["3_1"].cell(row, "atomic_task").text.lower(),
        interaction="one second of the task running alone",
        cpu=cpu,
        disk_volume=disk,
        lan_volume=lan,
        client=max(0.0, rest),
        pattern="sequential",
        sources=tuple(tables[t].cite(row) for t in ("3_2", columns["disk"], columns["lan"])),
    )
