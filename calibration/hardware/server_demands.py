"""The demands of a task at each resource of a server, with the formula and the numbers put in."""

from collections.abc import Iterator
from functools import lru_cache

from calibration.estimation.data import NOT_MEASURED
from calibration.hardware.drive_mix import asked, at_drives, at_once
from calibration.hardware.hardware import REBUILD_SHARE, DiskArray, Hardware, Lan
from calibration.hardware.task import Load, Task
from qmodel.devices.drive_capacity import crowded
from qmodel.devices.lan import efficiency, frame_of_share, transfer_time
from qmodel.devices.processor import processor_demand
from qmodel.devices.raid import array_shares, drive_operations
from qmodel.devices.raid_failure import degraded_operations
from qmodel.devices.ssd import SolidStateDrive

#: Share of the LAN volume that goes from the server; the rest comes to it. A convention, used
#: where the link is full duplex: what was measured is the sum.
SENT = 0.5

Demands = tuple[str, str, tuple[float, ...]]


def demands(
    hardware: Hardware, task: Task, unknown_write_share: float,
    drives: tuple[int, float] | None = None, *, contenders: int | None, unseen: bool,
) -> Iterator[Demands]:  # fmt: skip
    """Resource, formula, and the demand at each of its stations, in the order of stations.

    ``drives`` is what `at_once` has for all loads; by default it is for the task alone.
    """
    encrypted = f" x (1 + {hardware.encryption:.4g} encryption)" if hardware.encryption else ""
    yield (
        "cpu",
        f"{task.cpu:.6g} s on the reference processor{encrypted} / speed {hardware.speed:.4g}",
        (processor_demand(task.cpu, hardware.speed, hardware.encryption),),
    )
    yield "disk", *disk_demands(hardware.disk, task, unknown_write_share, drives)
    if hardware.disk.channel_rate is not None:
        rate, volume = hardware.disk.channel_rate, task.disk_volume_at(hardware.disk.block)
        yield (
            "channel", f"{volume / 1e3:.6g} KB / {rate / 1e3:.6g} KB/s of the disk channel",
            (volume / rate,),
        )  # fmt: skip
    yield "lan", *lan_demands(hardware.lan, task.lan_volume, contenders=contenders)
    if unseen:
        yield NOT_MEASURED, "at a resource that queues but was not measured", (task.unseen,)
    yield (
        "client", "the workstation's own time and all other time without queueing", (task.client,),
    )  # fmt: skip


def lan_demands(
    lan: Lan, volume: float, *, contenders: int | None
) -> tuple[str, tuple[float, ...]]:
    """Formula and demand at each segment, in each direction where they are apart.

    A shared segment has the speed that is left with as many stations as could ever contend for
    it: all of it for one user alone, the usable share for very many, and in between a lower
    bound, for mostly fewer are there. See decisions/0012.
    """
    usable = lan.usable_share
    if contenders is not None and usable != 1.0:
        usable = efficiency(frame_of_share(usable), contenders)
    time = transfer_time(volume, lan.rate, usable) / lan.segments
    rate = f"{lan.rate / 8e3:.6g} KB/s"
    if lan.usable_share < 1.0:
        some = "many" if contenders is None else f"{contenders}"
        rate = f"({rate} x {100 * usable:.1f} % usable by {some})"
    formula = f"{volume / 1e3:.6g} KB / {rate} over {lan.segments} segment(s)"
    if lan.full_duplex:
        return (
            f"{formula}, {100 * SENT:.0f} % each way",
            (time * SENT, time * (1.0 - SENT)) * lan.segments,
        )
    return formula, (time,) * lan.segments


@lru_cache(maxsize=256)
def disk_demands(
    disk: DiskArray, task: Task, unknown_write_share: float, drives: tuple[int, float] | None = None
) -> tuple[str, tuple[float, ...]]:
    """Formula and demand at each drive that works; variants share most of their tasks."""
    known = task.write_share is not None
    write_share = task.write_share if task.write_share is not None else unknown_write_share
    volume = task.disk_volume_at(disk.block)
    operations = operations_at_drives(disk, task, unknown_write_share)
    block, reads, writes = asked(disk, task, unknown_write_share)
    every, stored = at_drives(disk, reads, writes)
    if drives is None:
        drives = at_once(disk, (Load(task.name, task, 1),), unknown_write_share)
    time, each = _operation_time(disk, task, block, stored / (every or 1.0), *drives)
    if disk.state == "rebuilding":
        time /= 1.0 - REBUILD_SHARE
        each += f", rebuild takes {100 * REBUILD_SHARE:.0f} %"
    if task.drive_exponent != 1.0:
        each += f", by a capacity that grows as drives to the power {task.drive_exponent:.3g}"
    arrays = f" in {disk.arrays} arrays" if disk.arrays > 1 else ""
    cached = "".join(
        f", {100 * share:.0f} % of {what}"
        for share, what in (
            (disk.cache.read_hits, "reads cached"),
            (1.0 - disk.cache.writes(1.0), "writes replaced in the cache"),
            (disk.cache.stripe_writes, "the others in whole stripes"),
        )
        if share
    )
    return (
        f"{volume / 1e3:.6g} KB in blocks of {block / 1024:.4g} KiB, "
        f"{100 * write_share:.0f} % writes ({'given' if known else 'not measured'}){cached}, "
        f"{disk.level.name} over {disk.drives} drive(s){arrays}"
        f"{'' if disk.state == 'normal' else ', one missing'}, {time * 1e3:.4g} ms each ({each})",
        tuple(count * time for count in operations),
    )


def operations_at_drives(
    disk: DiskArray, task: Task, unknown_write_share: float
) -> tuple[float, ...]:
    """Operations of one interaction at each drive that works."""
    _, reads, writes = asked(disk, task, unknown_write_share)
    return physical_operations(
        disk, reads, writes, exponent=task.drive_exponent, one_limit=task.one_limit
    )


def physical_operations(
    disk: DiskArray, reads: float, writes: float, *, exponent: float = 1.0, one_limit: bool = False
) -> tuple[float, ...]:
    """Operations at each drive that works, for logical ones at the whole.

    Writes of whole stripes need no reads before them; the others are small. With an exponent below
    1 an array, or with ``one_limit`` all of them together, is worth fewer drives than it has.
    """
    drives = disk.drives_each
    in_stripes = writes * disk.cache.stripe_writes
    stripes = in_stripes / disk.level.data_drives(drives)
    normal = [
        count + stripes for count in disk.level.operations(drives, reads, writes - in_stripes)
    ]
    arrays: list[tuple[float, ...]] = [tuple(normal)] * disk.arrays
    if disk.state != "normal":
        # It is the busiest array that lost a drive: nothing better is known.
        lost = degraded_operations(disk.level, drives, reads, writes - in_stripes)
        arrays[0] = tuple(count + stripes for count in lost)
    if exponent == 1.0:
        return drive_operations(arrays, array_shares(disk.arrays, disk.spread))
    if one_limit:  # which array the work is for makes no difference then
        whole = drive_operations(arrays, array_shares(disk.arrays))
        return crowded(whole, disk.drives ** (exponent - 1.0))
    fewer = [crowded(each, drives ** (exponent - 1.0)) for each in arrays]
    return drive_operations(fewer, array_shares(disk.arrays, disk.spread))


def _operation_time(
    disk: DiskArray, task: Task, block: float, written: float, servers: int, stretched: float
) -> tuple[float, str]:
    drive = disk.drive
    if isinstance(drive, SolidStateDrive):
        how = f"latency + transfer, {servers} at once"
        if drive.write_iops is None:
            limit = ", no limit of sustained writes" if written else ""
            return drive.service_time(block, written, servers), how + limit
        how += f" by {drive.write_iops:,.0f}/s of sustained writes" if written else ""
        return drive.lone_time(block, written) * stretched, how
    if task.pattern == "random":
        return drive.random_time(block), "seek + half a turn + transfer"
    overhead = task.operation_time * disk.overhead / disk.cache.read_ahead
    if task.overlapped_on is not None:
        overhead *= task.overlapped_on / disk.drives_each
    if task.transfer_rate is not None:
        time = overhead + block / task.transfer_rate
        return time, f"{overhead * 1e3:.3g} ms + block at {task.transfer_rate / 1e6:.3g} MB/s"
    return overhead + drive.sequential_time(block), f"{overhead * 1e3:.3g} ms + transfer"
