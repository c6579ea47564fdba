"""Users that one RAID-1E array carries, by its number of drives (Study One); see THEORY.md."""

from functools import cache

from calibration.agreements.fitted_formula import FittedLaw, Law, Point, fit_law
from calibration.agreements.published import published
from calibration.agreements.system import Model
from calibration.printed_tables.table import load_table
from qmodel.devices.drive_capacity import CapacityLaw

_TABLE = "domino5_raid/table_1"


ROOT: Law[int] = Law(
    "square root of the drives", "users grow as the square root of the drives of one array",
    lambda values, drives: values[0] * drives**0.5, (("users of one drive", "users", 1000.0),),
)  # fmt: skip

RIVALS: tuple[Law[int], ...] = (
    Law(
        "power of the drives", "users grow as a power of the drives",
        lambda values, drives: values[0] * drives ** values[1],
        (("users of one drive", "users", 1000.0), ("exponent", "1", 0.5)),
    ),
    Law(
        "universal scalability",
        "each drive gets in the way of the others; without the term of coherence, which the data "
        "put at none",
        lambda values, drives: values[0] * drives / (1.0 + values[1] * (drives - 1)),
        (("users of one drive", "users", 1000.0), ("contention", "1", 0.2)),
    ),
    Law(
        "slowest of all drives", "every operation waits for all drives of the array",
        lambda values, drives: values[0] * drives / harmonic(drives),
        (("users of one drive", "users", 1000.0),),
    ),
    Law(
        "straight line", "each further drive adds as many users",
        lambda values, drives: values[0] + values[1] * drives,
        (("users of no drive", "users", 1000.0), ("users of one more", "users", 300.0)),
    ),
)  # fmt: skip


def harmonic(count: int) -> float:
    """The mean of the slowest of ``count`` equal exponential times, over one of them."""
    total = 0.0
    for i in range(1, count + 1):
        total += 1.0 / i
    return total


@cache
def calibrated(law: Law[int] = ROOT) -> FittedLaw[int]:
    """A law fitted to all five arrays."""
    return fit_law(law, points())


def capacity() -> CapacityLaw:
    """The calibrated law as a device."""
    found = calibrated()
    drives = [point.at for point in found.points]
    return CapacityLaw(
        found.fit.values[0], 0.5, min(drives), max(drives), load_table(_TABLE).cite()
    )


def models() -> tuple[Model, ...]:
    """The law and its rivals."""
    return tuple(calibrated(law).model() for law in (ROOT, *RIVALS))


def points() -> tuple[Point[int], ...]:
    """The five arrays."""
    table = load_table(_TABLE)
    return tuple(
        Point(published(table, row, "users"), int(table.value(row, "drives"))) for row in table.rows
    )
