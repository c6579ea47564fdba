"""Lotus Notes 3.1 on a Compaq ProLiant 2000 under NetWare, January 1995.

Fitted
    Editing: the four runs with 10 workstations on the SMART controller (Table 4-4, first row,
    and Table 4-7, whose caption says 20; erratum E-N95-02). Search: the three runs of Table 4-8.
Held out
    Editing: 20 workstations (Tables 4-2 and 4-3) and the other controller (Table 4-4, second
    row). Search: one and four drives (Table 4-1) and the controllers (Table 4-5).
Not identifiable
    One population tells how long the rest of an interaction takes, not whether anybody queues
    there. The two members are the ends: nothing but the processor, the disks and the LAN queues,
    or there is one more resource, as busy as the processor, that was not measured. Anything
    busier would contradict the paper, which names the processor as the busiest resource.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from calibration.ensemble import FittedTask, Member
from calibration.fit import fit
from calibration.run import runs
from calibration.server import DiskArray, Hardware, Lan, server_network
from calibration.system import Figure, Measured, System
from calibration.table import load_table
from calibration.task import Load, Task
from qmodel import solve
from qmodel.devices.disk import Disk
from qmodel.devices.processor import memory_share, speed_ratio
from qmodel.devices.raid import LEVELS

#: A drive of 1994. Typical figures, not the paper's, which names no drive.
DRIVE = Disk(seek_time=0.010, rotation_time=60.0 / 5400.0, transfer_rate=4.0e6)

#: The paper's laboratory. Four drives are those of Table 4-1; the other tables name no number.
REFERENCE = Hardware(
    processors=1,
    speed=1.0,
    disk=DiskArray(LEVELS["raid0"], drives=4, drive=DRIVE, block=16 * 1024.0),
    lan=Lan(rate=10e6, segments=1, usable_share=0.70),
)

#: Server tasks that Tables 3-2 to 3-4 measured running alone, by their names there.
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


def system() -> System:
    """Fit the system; about 20 ms beyond the imports."""
    editing = (
        _edit("4_4", "smart", 4),
        _edit("4_7", "4 KB", 4),
        _edit("4_7", "16 KB", 16),
        _edit("4_7", "32 KB", 32),
    )
    searching = tuple(_search("4_8", f"{block} KB", block) for block in (4, 8, 16))
    fixed = tuple(_alone(name, row) for name, row in ALONE.items())
    return System(
        name="notes31",
        title="Lotus Notes 3.1 on a Compaq ProLiant 2000, 1995",
        source=load_table("notes31/table_4_2").source.cite(),
        reference=REFERENCE,
        members=(
            Member(
                "client delay",
                "nobody queues but at the processor, the disks and the LAN",
                (_fit_editing(editing, unseen=False), _fit_search_client(searching)),
                fixed,
            ),
            Member(
                "unseen queue",
                "one more resource queues, as busy as the processor, that nobody measured",
                (_fit_editing(editing, unseen=True), _fit_search_disk(searching)),
                fixed,
            ),
        ),
        processors=processors(),
        memory_need=Figure(
            64 * 1024.0**2,
            "bytes",
            load_table("notes31/profiling_claims").cite("replication_memory_enough"),
        ),
        fitted=(*editing, *searching),
        held_out=(
            _edit("4_2", "no_fault_tolerance", 16),
            _edit("4_2", "raid5", 16, level="raid5"),
            _edit("4_3", "software_striping", 16),
            _edit("4_4", "fast_scsi_2", 4, note="another controller"),
            _search("4_1", "one_drive", 4, drives=1, note="block size not printed"),
            _search("4_1", "four_drives", 4, note="block size not printed"),
            _search("4_5", "smart", 4, note="block size not printed"),
            _search("4_5", "fast_scsi_2", 4, note="another controller"),
        ),
        notes=(
            "Editing was measured at 10 and 20 workstations only: whether time outside the "
            "processor is queueing or delay is not identifiable from the 10-workstation runs; "
            "a run with 1 and one with 40 workstations would tell.",
            "The share of disk operations that write was not measured; predictions run from "
            "none to all.",
            "Search ran on one workstation: whether others would queue at the drives is not "
            "identifiable; a run with 4 workstations would tell.",
            "Tables 3-2 to 3-4 give sustained highs of one task alone, which overstate its mean "
            "load; batch tasks inherit that.",
        ),
    )


def processors() -> dict[str, Figure]:
    """Speed of each processor relative to the Pentium/66, from rebuilding a view."""
    table = load_table("notes31/cpu_upgrade")
    faster = {row: table.cell(row, "faster_response").value or 0.0 for row in table.rows}
    p100 = 1.0 + faster["rebuild_p66"]
    clock = 100.0 / 66.0
    share = memory_share(clock, bus=1.0, ratio=p100)
    return {
        "Pentium/66": Figure(1.0, "1", "the reference"),
        "Pentium/100": Figure(p100, "1", table.cite("rebuild_p66")),
        "486DX/50": Figure(p100 / (1.0 + faster["rebuild_486"]), "1", table.cite("rebuild_486")),
        "Pentium/90": Figure(
            speed_ratio(90.0 / 66.0, bus=1.0, memory_share=share),
            "1",
            f"not measured: between Pentium/66 and Pentium/100 with {share:.0%} of the time "
            f"on the bus, from {table.cite('rebuild_p66')}",
        ),
    }


def _fit_editing(measured: Sequence[Measured], *, unseen: bool) -> FittedTask:
    common = partial(
        Task,
        name="edit",
        title="editing a document",
        interaction="one run of the editing script on a workstation",
        disk_volume=_mean([m.run.disk_volume for m in measured]),
        lan_volume=_mean([m.run.lan_volume for m in measured]),
        sources=tuple(m.run.source for m in measured),
    )
    return _fitted(
        lambda p: common(cpu=p[0], client=p[1], unseen=p[0] if unseen else 0.0),
        measured,
        {"processor demand [s]": 70.0, "client time [s]": 1000.0},
    )


def _fit_search_client(measured: Sequence[Measured]) -> FittedTask:
    common = _searching(measured)
    return _fitted(
        lambda p: common(cpu=p[0], operation_time=p[1], client=p[2]),
        measured,
        {"processor demand [s]": 60.0, "operation time [s]": 5e-4, "client time [s]": 5.0},
    )


def _fit_search_disk(measured: Sequence[Measured]) -> FittedTask:
    common = _searching(measured)
    return _fitted(
        lambda p: common(cpu=p[0], operation_time=p[1], transfer_rate=p[2], client=0.0),
        measured,
        {"processor demand [s]": 60.0, "operation time [s]": 5e-4, "disk rate [bytes/s]": 3e6},
    )


def _searching(measured: Sequence[Measured]) -> partial[Task]:
    return partial(
        Task,
        name="search",
        title="searching text without an index",
        interaction="one run of the search script on a workstation",
        disk_volume=_mean([m.run.disk_volume for m in measured]),
        lan_volume=_mean([m.run.lan_volume for m in measured]),
        pattern="sequential",
        write_share=0.0,
        sources=tuple(m.run.source for m in measured),
    )


def _alone(name: str, row: str) -> Task:
    """A server task by what one second of it alone takes."""
    tables = {t: load_table(f"notes31/table_{t}") for t in ("3_1", "3_2", "3_3", "3_4")}
    columns = {tables[t].column("throughput").station: t for t in ("3_3", "3_4")}
    cpu = tables["3_2"].cell(row, "cpu").value or 0.0
    disk = tables[columns["disk"]].cell(row, "throughput").value or 0.0
    lan = tables[columns["lan"]].cell(row, "throughput").value or 0.0
    rest = 1.0 - cpu - DRIVE.sequential_time(disk) - lan / (10e6 / 8 * 0.70)
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


def _fitted(
    make: Callable[[Sequence[float]], Task],
    measured: Sequence[Measured],
    start: dict[str, float],
) -> FittedTask:
    def predict(parameters: Sequence[float]) -> list[float]:
        task = make(parameters)
        return [number for each in measured for number in _time_and_utilization(task, each)]

    numbers = [n for m in measured for n in (m.run.response_time, m.run.utilization)]
    populations = sorted(m.run.population for m in measured)
    return FittedTask(
        make,
        fit(predict, numbers, list(start.values())),
        tuple(start),
        tuple(m.run.source for m in measured),
        (populations[0], populations[-1]),
    )


def _time_and_utilization(task: Task, measured: Measured) -> tuple[float, float]:
    load = Load(task.name, task, measured.run.population)
    solution = solve(server_network(measured.hardware, [load]).network)
    return solution.response_times[0], solution.station_utilizations[0]


def _edit(table: str, row: str, block: int, level: str = "raid0", note: str = "") -> Measured:
    return _measured("edit", table, row, block, note, level=LEVELS[level])


def _search(table: str, row: str, block: int, drives: int = 4, note: str = "") -> Measured:
    return _measured("search", table, row, block, note, drives=drives)


def _measured(task: str, table: str, row: str, block: int, note: str, **disk: Any) -> Measured:
    (run,) = (run for run in runs(load_table(f"notes31/table_{table}")) if run.row == row)
    array = replace(REFERENCE.disk, block=block * 1024.0, **disk)
    return Measured(task, run, replace(REFERENCE, disk=array), note)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
