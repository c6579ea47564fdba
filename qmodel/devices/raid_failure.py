"""Arrays with a failed drive: load of each surviving drive, and rebuild time; see THEORY.md."""

from qmodel.devices.raid import Level
from qmodel.devices.ranges import positive
from qmodel.errors import InvalidInput


def degraded_operations(
    level: Level, drives: int, reads: float, writes: float
) -> tuple[float, ...]:
    """Physical operations at each surviving drive while one drive is missing.

    Small operations, evenly spread. Of G drives with one parity, a read costs 1, or ``G - 1``
    where its drive is the missing one. A write costs the usual 4; its data drive missing, it
    reads the ``G - 2`` others and writes the parity; its parity drive missing, it writes the
    data only. Under two parities one of them is enough for a read of what is missing.

    ``drives`` are those before the failure, ``reads`` and ``writes`` logical operations. The most
    burdened drive is the first: of a mirror, that with the other copy. Of RAID 4 a data drive is
    missing, and the parity drive is the last. Raises `InvalidInput` if the level cannot be made of
    so many drives or loses its data with one.
    """
    level.check(drives, reads, writes)
    drives = int(drives)
    if not level.tolerates_failure:
        raise InvalidInput(f"{level.name} loses its data with one drive; nothing is left to read")
    if level.copies > 1:
        # A pair's survivor takes all of its reads; chained copies lie on both neighbours.
        usual = (reads + 2.0 * writes) / drives
        if level.name == "raid1e":
            neighbours = usual + reads / drives / 2.0
            return (neighbours, neighbours, *(usual for _ in range(drives - 3)))
        return (usual + reads / drives, *(usual for _ in range(drives - 2)))
    if level.name == "raid4":
        missing = 1.0 / (drives - 1)
        data = reads * 2.0 * missing + writes * 3.0 * missing
        parity = reads * missing + writes * (2.0 - missing)
        return (*(data for _ in range(drives - 2)), parity)
    missing = 1.0 / drives
    unprotected = level.parity / drives
    read = (1.0 - missing) + missing * (drives - level.parity)
    write = (
        (1.0 - missing - unprotected) * level.write_operations
        + missing * (drives - 1)
        + unprotected * (level.write_operations - 2.0 if level.parity > 1 else 1.0)
    )
    each = (reads * read + writes * write) / (drives - 1)
    return tuple(each for _ in range(drives - 1))


def rebuild_time(capacity: float, rate: float, busy: float = 0.0) -> float:
    """Time to restore a drive, at the pace that users leave free: ``C / (r (1 - U))``. [s]

    The slowest of the drives read and the one written sets the pace, all working in parallel.

    ``capacity`` is that of one drive [bytes], ``rate`` its sequential rate, or the controller's
    limit if that is lower [bytes/s], ``busy`` the utilization of a surviving drive by users
    meanwhile.
    """
    positive(capacity, "capacity", "bytes")
    positive(rate, "rate", "bytes/s")
    if not 0.0 <= busy < 1.0:
        raise InvalidInput(f"utilization by users is {busy:g}, expected 0 to below 1")
    return capacity / (rate * (1.0 - busy))
