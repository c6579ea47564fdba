"""Lotus Notes 3.1 on a Compaq ProLiant 2000 under NetWare, January 1995; see THEORY.md."""

from functools import partial

from calibration.agreements.ensemble import Member
from calibration.agreements.recorded import recorded
from calibration.agreements.run_comparison import Measured, models_of, run_cells
from calibration.agreements.system import Figure, Model, Parameter, System, limits
from calibration.printed_tables.table import load_table
from calibration.systems.notes31 import tasks
from calibration.systems.notes31.disk_volumes import DiskVolumes, fit_disk_volumes
from calibration.systems.notes31.laboratory import REFERENCE, editing, processors, searching

#: The cell that bounds how busy an unseen resource may be.
BOUND = "notes31/table_3_3:Edit:throughput"


def system() -> System:
    """Fit the system; some tens of milliseconds beyond the imports."""
    edits, searches = editing(), searching()
    fitted = (*edits, *searches)
    cells = cells_of(edits, searches)
    volumes = fit_disk_volumes(fitted)
    fixed = tasks.server_tasks()
    alone = tasks.shortest_alone(edits, load_table("notes31/table_3_3").value("Edit", "throughput"))
    search, search_by_rate = (
        tasks.fit_searching(searches, volumes, rate=rate) for rate in (False, True)
    )
    members = (
        Member(
            "client delay", "requests queue at the processor, the disks and the LAN only",
            (tasks.fit_editing(edits, volumes), search), fixed, (tasks.overlapped(search),),
        ),
        Member(
            "unseen queue",
            "one more resource was not measured and has a queue; it is as busy as the LAN rate of "
            "one workstation allows",
            (tasks.fit_editing_unseen(edits, volumes, alone), search_by_rate),
            fixed,
            (tasks.overlapped(search_by_rate),),
        ),
    )  # fmt: skip
    return System(
        name="notes31",
        title="Lotus Notes 3.1 on a Compaq ProLiant 2000, 1995",
        source=load_table("notes31/table_4_2").source.cite(),
        models=(*models_of(members, cells), _volume_model(volumes, fitted)),
        compare=partial(recorded, "notes31"),
        **limits("notes31"),
        reference=REFERENCE,
        members=members,
        processors=processors(),
        memory_need=Figure(
            64 * 1024.0**2, "bytes",
            load_table("notes31/profiling_claims").cite("replication_memory_enough"),
        ),
    )  # fmt: skip


def cells_of(
    edits: tuple[Measured, ...], searches: tuple[Measured, ...]
) -> dict[str, tuple[str, ...]]:
    """Names of the cells behind each task; disk volumes of both are fitted together."""
    disk = [f"{m.run.table}:{m.run.row}:disk" for m in (*edits, *searches)]
    found = {
        "edit": (*(cell for m in edits for cell in run_cells(m)), BOUND),
        "search": tuple(cell for m in searches for cell in run_cells(m)),
    }
    return {task: tuple(dict.fromkeys((*cells, *disk))) for task, cells in found.items()}


def _volume_model(volumes: DiskVolumes, fitted: tuple[Measured, ...]) -> Model:
    *errors, exponent_error = volumes.standard_errors
    sizes = zip(volumes.at_reference.items(), errors, strict=True)
    return Model(
        name="disk volume by block",
        description="volume of a task grows with a power of the volume block, the same for both",
        parameters=(
            *(
                Parameter(f"volume of one {task} at 16 KB", size, "bytes", error)
                for (task, size), error in sizes
            ),
            Parameter("exponent of the block", volumes.exponent, "1", exponent_error),
        ),
        fitted_on=tuple(
            f"{m.run.table}:{m.run.row}:{column}"
            for m in fitted
            for column in ("disk", "response_time")
        ),
        degrees_of_freedom=volumes.degrees_of_freedom,
    )
