"""The measured runs: which are fitted and which are held out, and what is not printed of them."""

from __future__ import annotations

from calibration.agreements.run_comparison import Measured
from calibration.printed_tables.run import runs
from calibration.printed_tables.table import load_table
from calibration.systems.notes31.laboratory import hardware

#: Volume block sizes of NetWare 3.1x that were measured, where a table does not print its own. [KB]
BLOCKS = {"edit": (4.0, 16.0, 32.0), "search": (4.0, 8.0, 16.0)}

#: Of another controller nothing is known but that an operation takes some time beyond its transfer:
#: from none to twice what was fitted.
OTHER_CONTROLLER = (0.0, 2.0)


#: What is to be known of the runs with 20 workstations.
SAME_TIME = "the same time in all rows of Tables 4-2 and 4-3 is suspicious (E-N95-09)"


def editing() -> tuple[Measured, ...]:
    """The fitted runs of editing with 10 workstations.

    Table 4-7's caption says 20 workstations (erratum E-N95-02). The block of Table 4-4 is that of
    its disk volume (E-N95-18).
    """
    return (
        _measured("edit", "4_4", "smart", 4.0),
        *(_measured("edit", "4_7", f"{block:g} KB", block) for block in BLOCKS["edit"]),
    )


def searching() -> tuple[Measured, ...]:
    """The fitted runs of searching with one workstation."""
    return tuple(_measured("search", "4_8", f"{block:g} KB", block) for block in BLOCKS["search"])


def held_out() -> tuple[Measured, ...]:
    """The runs that no fit sees: 20 workstations, other arrays, the other controller."""
    return (
        _measured("edit", "4_2", "no_fault_tolerance", note=SAME_TIME),
        _measured("edit", "4_2", "raid5", level="raid5", note=SAME_TIME),
        _measured("edit", "4_3", "software_striping", note=SAME_TIME),
        _measured("edit", "4_4", "fast_scsi_2", other_controller=True),
        _measured("search", "4_1", "one_drive", drives=1),
        _measured("search", "4_1", "four_drives"),
        _measured("search", "4_5", "smart"),
        _measured("search", "4_5", "fast_scsi_2", other_controller=True),
    )


def _measured(
    task: str,
    table: str,
    row: str,
    block: float | None = None,
    *,
    level: str = "raid0",
    drives: int = 4,
    other_controller: bool = False,
    note: str = "",
) -> Measured:
    """A run; without a block, any that was measured with this task is possible."""
    (run,) = (run for run in runs(load_table(f"notes31/table_{table}")) if run.row == row)
    unknown = []
    notes = [note] if note else []
    if block is None:
        least, block, most = BLOCKS[task]
        unknown.append(tuple(hardware(b, level=level, drives=drives) for b in (least, most)))
        notes.append(f"block size not printed, {least:g} to {most:g} KB")
    if other_controller:
        unknown.append(
            tuple(
                hardware(block, level=level, drives=drives, overhead=overhead)
                for overhead in OTHER_CONTROLLER
            )
        )
        notes.append("another controller, none to twice the time for an operation")
    return Measured(
        task, run, hardware(block, level=level, drives=drives), tuple(unknown), "; ".join(notes)
    )
