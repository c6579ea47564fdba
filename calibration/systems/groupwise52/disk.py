"""GroupWise drives: space, spindles, fault tolerance and the controller's cache; see THEORY.md."""

from calibration.agreements.system import Model
from calibration.printed_tables.run import REPLICATE_DIFFERENCE
from calibration.printed_tables.table import load_table
from qmodel.devices.disk import Disk

#: Relative standard deviation of a response time. [1]
NOISE = REPLICATE_DIFFERENCE["response_time"]

#: A drive of the middle of the decade; typical figures, the paper names no drive.
DRIVE = Disk(seek_time=0.010, rotation_time=60.0 / 5400.0, transfer_rate=4.0e6)


def greatest_disk_share() -> float:
    """Share of the time at one drive, of the search of 1995 with one and four drives. [1]

    Four drives take a quarter of one drive's time: what the time fell by is three quarters of it.
    """
    table = load_table("notes31/table_4_1")
    one, four = (table.value(row, "response_time") for row in ("one_drive", "four_drives"))
    return (1.0 - four / one) / (1.0 - 1.0 / 4.0)


def models() -> tuple[Model, ...]:
    """Nothing is fitted to this paper."""
    return (
        Model(
            "drives, as in 1995",
            "between none and "
            f"{100 * greatest_disk_share():.1f} % of the time with one drive is spent there, as "
            "editing and searching did in 1995; more drives share that work and nothing else",
        ),
        Model(
            "light and heavy on the drives",
            "the ends of a load that is not printed: drives as in 1995, and nothing but drives "
            "with a quarter of the operations writing",
        ),
        Model("RAID geometry", "space of each level by its number of drives"),
    )
