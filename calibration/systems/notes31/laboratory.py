"""The laboratory of 1995: its drives, its server, and how fast other processors are."""

from __future__ import annotations

from dataclasses import replace

from calibration.agreements.system import Figure
from calibration.hardware.server import DiskArray, Hardware, Lan
from calibration.printed_tables.table import load_table
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


def hardware(
    block: float, *, level: str = "raid0", drives: int = 4, overhead: float = 1.0
) -> Hardware:
    """The laboratory with another array.

    Parameters
    ----------
    block : float
        Volume block size. [KB]
    level : str
        RAID level.
    drives : int
        Number of drives.
    overhead : float
        Time of an operation beyond its transfer, relative to the SMART controller. [1]
    """
    array = replace(
        REFERENCE.disk,
        block=block * 1024.0,
        level=LEVELS[level],
        drives=drives,
        overhead=overhead,
    )
    return replace(REFERENCE, disk=array)


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
            f"not measured: between Pentium/66 and Pentium/100 with {100 * share:.0f} % of the "
            f"time on the bus, from {table.cite('rebuild_p66')}",
        ),
    }
