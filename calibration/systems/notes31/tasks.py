"""Editing and searching fitted to their runs; server tasks as measured alone; see THEORY.md."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from calibration.agreements.ensemble import FittedTask
from calibration.agreements.run_comparison import Measured
from calibration.estimation.fit import fit
from calibration.hardware.server import server_network
from calibration.hardware.task import Load, Task
from calibration.printed_tables.table import load_table
from calibration.systems.notes31.disk_volumes import DiskVolumes
from calibration.systems.notes31.laboratory import DRIVE, REFERENCE
from qmodel import solve
from qmodel.devices.lan import transfer_time


def fit_editing(measured: Sequence[Measured], volumes: DiskVolumes) -> FittedTask:
    """Editing a document: processor demand and the workstation's own time."""
    common = _editing(measured, volumes)
    return _fitted(
        lambda p: common(cpu=p[0], client=p[1]), measured,
        {"processor demand [s]": 70.0, "client time [s]": 1000.0},
    )  # fmt: skip


def fit_editing_unseen(
    measured: Sequence[Measured], volumes: DiskVolumes, alone: float
) -> FittedTask:
    """Editing a document: processor demand, and that at a resource that was not measured.

    ``alone`` is the shortest time of a workstation alone. [s]
    """
    common = _editing(measured, volumes)
    bare = server_network(REFERENCE, [Load("edit", common(cpu=0.0, client=0.0), 1)])
    rest = alone - sum(bare.network.demand[0])
    return _fitted(
        lambda p: common(cpu=p[0], unseen=p[1], client=max(0.0, rest - p[0] - p[1])), measured,
        {"processor demand [s]": 70.0, "unseen demand [s]": 60.0},
    )  # fmt: skip


def shortest_alone(measured: Sequence[Measured], lan_rate: float) -> float:
    """Time in which one workstation's LAN volume passes at a sustained high rate. [s]"""
    return _mean([m.run.lan_volume for m in measured]) / lan_rate


def _editing(measured: Sequence[Measured], volumes: DiskVolumes) -> partial[Task]:
    return partial(
        Task, name="edit", title="editing a document",
        interaction="one run of the editing script on a workstation",
        disk_volume=volumes.at_reference["edit"], block_exponent=volumes.exponent,
        lan_volume=_mean([m.run.lan_volume for m in measured]),
        sources=tuple(m.run.source for m in measured),
    )  # fmt: skip


def fit_searching(measured: Sequence[Measured], volumes: DiskVolumes, *, rate: bool) -> FittedTask:
    """Searching without an index: processor demand, time of a disk operation, and its rate.

    Without ``rate`` the drives transfer at their data sheet's rate.
    """
    common = partial(
        Task, name="search", title="searching text without an index",
        interaction="one run of the search script on a workstation",
        disk_volume=volumes.at_reference["search"], block_exponent=volumes.exponent,
        lan_volume=_mean([m.run.lan_volume for m in measured]), client=0.0, pattern="sequential",
        write_share=0.0, sources=tuple(m.run.source for m in measured),
    )  # fmt: skip
    start = {"processor demand [s]": 60.0, "operation time [s]": 8e-4}
    return _fitted(
        lambda p: common(cpu=p[0], operation_time=p[1], transfer_rate=p[2] if rate else None),
        measured, start | ({"disk rate [bytes/s]": 4e6} if rate else {}),
    )  # fmt: skip


def overlapped(search: FittedTask) -> Task:
    """The search of a controller that has as many operations under way as it has drives.

    It was fitted on four drives. A controller that reads ahead hides more of an operation the more
    drives there are; one that does not hides nothing. Four drives alone do not tell which.
    """
    return replace(search.task, overlapped_on=REFERENCE.disk.drives)


def _fitted(
    make: Callable[[Sequence[float]], Task], measured: Sequence[Measured], start: dict[str, float]
) -> FittedTask:
    def predict(parameters: Sequence[float]) -> list[float]:
        task, found = make(parameters), list[float]()
        for each in measured:
            load = Load(task.name, task, each.run.population)
            solution = solve(server_network(each.hardware, [load]).network)
            found += [solution.response_times[0], solution.station_utilizations[0]]
        return found

    numbers = [n for m in measured for n in (m.run.response_time, m.run.utilization)]
    populations = sorted(m.run.population for m in measured)
    return FittedTask(
        make, fit(predict, numbers, list(start.values())), tuple(start),
        tuple(m.run.source for m in measured), (populations[0], populations[-1]),
    )  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


#: Their names here, and the rows of the tables.
ALONE = {
    "rebuild_view": "Rebld View", "create_index": "Create Indx", "replicate_write": "S->S W Repl",
    "replicate_read": "S->S R Repl", "replicate_to_server": "W->S Repl",
    "replicate_to_workstation": "S->W Repl", "mail": "Mail", "macro": "Macro",
}  # fmt: skip


def server_tasks() -> tuple[Task, ...]:
    """Each task by what one second of it alone takes."""
    tables = {t: load_table(f"notes31/table_{t}") for t in ("3_1", "3_2", "3_3", "3_4")}
    # Captions of the two tables are exchanged (E-N95-01); the corrected columns say which is which.
    columns = {tables[t].column("throughput").station: t for t in ("3_3", "3_4")}
    cited = ("3_2", columns["disk"], columns["lan"])
    found = []
    for name, row in ALONE.items():
        cpu = tables["3_2"].value(row, "cpu")
        disk, lan = (tables[columns[each]].value(row, "throughput") for each in ("disk", "lan"))
        wire = transfer_time(lan, REFERENCE.lan.rate)  # alone on it
        rest = 1.0 - cpu - DRIVE.sequential_time(disk) - wire
        found.append(
            Task(
                name=name, title=tables["3_1"].cell(row, "atomic_task").text.lower(),
                interaction="one second of the task running alone", cpu=cpu, disk_volume=disk,
                lan_volume=lan, client=max(0.0, rest), pattern="sequential",
                sources=tuple(tables[t].cite(row) for t in cited),
            )
        )  # fmt: skip
    return tuple(found)
