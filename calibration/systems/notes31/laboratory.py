"""The laboratory of 1995: its drives, its server, and how fast other processors are."""

from dataclasses import replace

from calibration.agreements.run_comparison import Measured
from calibration.agreements.system import Figure
from calibration.hardware.server import DiskArray, Hardware, Lan
from calibration.printed_tables.run import runs
from calibration.printed_tables.table import load_table
from qmodel.devices.disk import Disk
from qmodel.devices.processor import memory_share, speed_ratio
from qmodel.devices.raid import LEVELS

#: A drive of 1994. Typical figures, not the paper's, which names no drive.
DRIVE = Disk(seek_time=0.010, rotation_time=60.0 / 5400.0, transfer_rate=4.0e6)

#: The paper's laboratory. Four drives are those of Table 4-1; the other tables name no number.
REFERENCE = Hardware(
    processors=1, speed=1.0,
    disk=DiskArray(LEVELS["raid0"], drives=4, drive=DRIVE, block=16 * 1024.0),
    lan=Lan(rate=10e6, segments=1, usable_share=0.70),
)  # fmt: skip


def hardware(
    block: float, *, level: str = "raid0", drives: int = 4, overhead: float = 1.0
) -> Hardware:
    """The laboratory with another array, and volume blocks of so many KB.

    ``overhead`` is the time of an operation beyond its transfer, over that of the SMART controller.
    """
    array = replace(
        REFERENCE.disk, block=block * 1024.0, level=LEVELS[level], drives=drives, overhead=overhead
    )
    return replace(REFERENCE, disk=array)


def processors() -> dict[str, Figure]:
    """Speed of each processor relative to the Pentium/66, from rebuilding a view."""
    table = load_table("notes31/cpu_upgrade")
    faster = {row: table.value(row, "faster_response") for row in table.rows}
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
            f"not measured: between Pentium/66 and Pentium/100 with {100 * share:.0f} % of the "
            f"time on the bus, from {table.cite('rebuild_p66')}",
        ),
    }


#: Volume block sizes of NetWare 3.1x that were measured, where a table does not print its own. [KB]
BLOCKS = {"edit": (4.0, 16.0, 32.0), "search": (4.0, 8.0, 16.0)}

#: Of another controller nothing is known but that an operation takes some time beyond its transfer:
#: from none to twice what was fitted.
OTHER_CONTROLLER = (0.0, 2.0)


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


def _measured(
    task: str, table: str, row: str, block: float | None = None, *, level: str = "raid0",
    drives: int = 4, other_controller: bool = False, note: str = "",
) -> Measured:  # fmt: skip
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
