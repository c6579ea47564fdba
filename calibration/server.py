"""A server as a queueing network: hardware and loads in, stations and demands out.

The processor is one station with as many servers as processors. A disk array is one station per
drive, and operations spread evenly over the drives, since an operation waits for the drive that
holds its data and for no other. Each LAN segment is a station with its share of the users.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibration.task import Load, Task
from qmodel import ClosedClass, DelayStation, Network, OpenClass, QueueingStation, Station
from qmodel.devices.disk import Disk
from qmodel.devices.lan import transfer_time
from qmodel.devices.raid import Level


@dataclass(frozen=True, slots=True)
class DiskArray:
    """Equal drives under one RAID level.

    Parameters
    ----------
    level : Level
        RAID level.
    drives : int
        Number of drives.
    drive : Disk
        Each of them.
    block : float
        Bytes moved by one operation. [bytes]
    """

    level: Level
    drives: int
    drive: Disk
    block: float


@dataclass(frozen=True, slots=True)
class Lan:
    """Equal segments with the users spread evenly over them.

    Parameters
    ----------
    rate : float
        Nominal rate of a segment. [bit/s]
    segments : int
        Number of segments.
    usable_share : float
        Share of the nominal rate that carries traffic at saturation. [1]
    """

    rate: float
    segments: int
    usable_share: float


@dataclass(frozen=True, slots=True)
class Hardware:
    """What the tasks run on.

    Parameters
    ----------
    processors : int
        Processors that share the work. [servers]
    speed : float
        Speed of one of them relative to the reference processor. [1]
    disk : DiskArray
        The drives.
    lan : Lan
        The network.
    """

    processors: int
    speed: float
    disk: DiskArray
    lan: Lan


@dataclass(frozen=True, slots=True)
class Derivation:
    """How one demand came about: the formula and the numbers put in."""

    load: str
    resource: str
    value: float
    formula: str


@dataclass(frozen=True, slots=True)
class ServerNetwork:
    """The network of a server, its stations grouped by resource.

    Parameters
    ----------
    network : Network
        The queueing network; classes in the order of the loads.
    resources : tuple of (str, tuple of int)
        Each resource and its stations' indices; "client" is the delay nobody queues for.
    derivation : tuple of Derivation
        One for each load and resource.
    """

    network: Network
    resources: tuple[tuple[str, tuple[int, ...]], ...]
    derivation: tuple[Derivation, ...]


def server_network(
    hardware: Hardware,
    loads: Sequence[Load],
    unknown_write_share: float = 0.5,
    *,
    unseen: bool | None = None,
) -> ServerNetwork:
    """Build the queueing network of a server under its loads.

    Parameters
    ----------
    hardware : Hardware
        What the tasks run on.
    loads : sequence of Load
        At least one.
    unknown_write_share : float
        Used for tasks whose share of writes was not measured. [1]
    unseen : bool, optional
        Whether there is a station for what was not measured; by default where a task needs it.

    Raises
    ------
    qmodel.InvalidInput
        If the hardware cannot be, such as RAID 5 on two drives.
    qmodel.InvalidNetwork
        If a load means nothing, such as two of one name.

    Examples
    --------
    >>> from qmodel.devices.raid import LEVELS
    >>> hardware = Hardware(1, 1.0, DiskArray(LEVELS["raid0"], 2, Disk(0.01, 0.011, 4e6), 16384),
    ...                     Lan(10e6, 1, 0.7))
    >>> task = Task("edit", "editing", "a run", cpu=68.0, disk_volume=5e6, lan_volume=11e6,
    ...             client=1000.0)
    >>> server = server_network(hardware, [Load("edit", task, population=20)])
    >>> [name for name, _ in server.resources]
    ['cpu', 'disk', 'lan', 'client']
    >>> [round(d, 2) for d in server.network.demand[0]]
    [68.0, 2.99, 2.99, 12.57, 1000.0]
    """
    stations: list[Station] = []
    resources: list[tuple[str, tuple[int, ...]]] = []
    if unseen is None:
        unseen = any(load.task.unseen for load in loads)
    for resource, members in _stations(hardware, unseen=unseen):
        start = len(stations)
        stations.extend(members)
        resources.append((resource, tuple(range(start, len(stations)))))
    demand = []
    derivation = []
    for load in loads:
        row: list[float] = []
        for (resource, _), (formula, demands) in zip(
            resources, _demands(hardware, load.task, unknown_write_share, unseen), strict=True
        ):
            row.extend(demands)
            derivation.append(Derivation(load.name, resource, sum(demands), formula))
        demand.append(row)
    classes = [
        ClosedClass(load.name, load.population, load.think_time)
        if load.arrival_rate is None
        else OpenClass(load.name, load.arrival_rate)
        for load in loads
    ]
    return ServerNetwork(Network(stations, classes, demand), tuple(resources), tuple(derivation))


def _stations(hardware: Hardware, *, unseen: bool) -> Iterator[tuple[str, list[Station]]]:
    yield "cpu", [QueueingStation("cpu", servers=hardware.processors)]
    yield "disk", _numbered("disk", hardware.disk.drives)
    yield "lan", _numbered("lan", hardware.lan.segments)
    if unseen:
        yield "unseen", [QueueingStation("unseen")]
    yield "client", [DelayStation("client")]


def _numbered(name: str, count: int) -> list[Station]:
    if count == 1:
        return [QueueingStation(name)]
    return [QueueingStation(f"{name} {i}") for i in range(1, count + 1)]


def _demands(
    hardware: Hardware, task: Task, unknown_write_share: float, unseen: bool
) -> Iterator[tuple[str, tuple[float, ...]]]:
    """The formula and the demand at each station, resource by resource."""
    yield (
        f"{task.cpu:.6g} s on the reference processor / speed {hardware.speed:.4g}",
        (task.cpu / hardware.speed,),
    )
    yield _disk_demands(hardware.disk, task, unknown_write_share)
    lan = hardware.lan
    time = transfer_time(task.lan_volume, lan.rate, lan.usable_share)
    yield (
        f"{task.lan_volume / 1e3:.6g} KB / ({lan.rate / 8e3:.6g} KB/s x "
        f"{lan.usable_share:.0%} usable) over {lan.segments} segment(s)",
        (time / lan.segments,) * lan.segments,
    )
    if unseen:
        yield "at a resource that queues but was not measured", (task.unseen,)
    yield "the workstation's own time and all else that nobody queues for", (task.client,)


def _disk_demands(
    disk: DiskArray, task: Task, unknown_write_share: float
) -> tuple[str, tuple[float, ...]]:
    known = task.write_share is not None
    write_share = task.write_share if task.write_share is not None else unknown_write_share
    operations = task.disk_volume / disk.block
    if task.pattern == "random":
        time, each = disk.drive.random_time(disk.block), "seek + half a turn + transfer"
    elif task.transfer_rate is not None:
        time = task.operation_time + disk.block / task.transfer_rate
        each = f"{task.operation_time * 1e3:.3g} ms + block at {task.transfer_rate / 1e6:.3g} MB/s"
    else:
        time = task.operation_time + disk.drive.sequential_time(disk.block)
        each = f"{task.operation_time * 1e3:.3g} ms + transfer"
    physical = disk.level.operations(
        disk.drives, operations * (1.0 - write_share), operations * write_share
    )
    return (
        f"{task.disk_volume / 1e3:.6g} KB in blocks of {disk.block / 1024:.4g} KiB, "
        f"{write_share:.0%} writes ({'given' if known else 'not measured'}), "
        f"{disk.level.name} over {disk.drives} drive(s), {time * 1e3:.4g} ms each ({each})",
        tuple(count * time for count in physical),
    )
