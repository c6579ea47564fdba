"""What loads ask of solid-state drives: reads, writes and how many at once; see THEORY.md."""

from collections.abc import Iterator, Sequence

from calibration.hardware.hardware import DiskArray
from calibration.hardware.task import Load, Task
from qmodel.devices.ssd import LATENCY_SIZE, SolidStateDrive


def at_once(disk: DiskArray, loads: Sequence[Load], unknown: float = 0.5) -> tuple[int, float]:
    """Operations that each drive serves at once, and the time of one over that of it alone. [1]

    Writes are the share ``unknown`` of a task that does not say. Where sustained writes are not
    known nothing is stretched.
    """
    drive = disk.drive
    if not isinstance(drive, SolidStateDrive):
        return 1, 1.0
    busy = served = 0.0
    if drive.write_iops is not None:
        for rate, block, every, stored in _rates(disk, loads, unknown):
            busy += rate * every / drive.capacity(block, stored / every)
            served += rate * every * drive.lone_time(block, stored / every)
    if not busy:
        return drive.servers(disk.block), 1.0
    servers = max(1, round(served / busy))
    return servers, servers * busy / served


def stored_share(disk: DiskArray, loads: Sequence[Load]) -> float:
    """Share of the drives' operations that write. [1]"""
    rates = list(_rates(disk, loads))
    total = sum(rate * every for rate, _, every, _ in rates)
    return sum(rate * stored for rate, _, _, stored in rates) / total if total else 0.0


def writes_of_each(disk: DiskArray, loads: Sequence[Load]) -> float:
    """Writes of 4 KiB that each drive is to do a second. [1/s]"""
    rates = _rates(disk, loads)
    return sum(r * stored * max(1.0, b / LATENCY_SIZE) for r, b, _, stored in rates) / disk.working


def asked(disk: DiskArray, task: Task, unknown: float) -> tuple[float, float, float]:
    """Bytes of an operation, and the reads and the writes that the cache leaves to the drives."""
    share = unknown if task.write_share is None else task.write_share
    block = disk.block if task.operation_size is None else task.operation_size
    if disk.stripe is not None:
        block = min(block, disk.stripe)
    logical = task.disk_volume_at(disk.block) / block
    return block, disk.cache.reads(logical * (1.0 - share)), disk.cache.writes(logical * share)


def at_drives(disk: DiskArray, reads: float, writes: float) -> tuple[float, float]:
    """Operations of all drives together, none missing, and how many of them write."""
    whole = writes * disk.cache.stripe_writes
    stripes = whole * disk.drives_each / disk.level.data_drives(disk.drives_each)
    small, level = writes - whole, disk.level
    stored = small * (level.copies + level.parity) + stripes
    return reads + small * level.write_operations + stripes, stored


def _rates(
    disk: DiskArray, loads: Sequence[Load], unknown: float = 0.5
) -> Iterator[tuple[float, float, float, float]]:
    """Of each load how often it comes while nothing waits, and its block, operations and writes."""
    for load in loads:
        block, reads, writes = asked(disk, load.task, unknown)
        every, stored = at_drives(disk, reads, writes)
        if not every:
            continue
        time = load.think_time + load.task.client + load.task.cpu
        time += every / disk.drive.capacity(block, stored / every)
        rate = load.population / time if load.arrival_rate is None else load.arrival_rate
        yield rate, block, every, stored
