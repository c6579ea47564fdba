"""A server as a queueing network, made of its hardware and the loads on it; see THEORY.md."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import qmodel as qm
from calibration.estimation.data import NOT_MEASURED
from calibration.hardware.drive_mix import at_once
from calibration.hardware.hardware import DiskArray, Hardware, Lan
from calibration.hardware.server_demands import demands, operations_at_drives
from calibration.hardware.task import Load
from qmodel.devices.processor import processor_station

__all__ = ["Derivation", "DiskArray", "Hardware", "Lan", "ServerNetwork", "server_network"]


#: Resources that need memory: a customer at one of them has been admitted.
INSIDE = ("cpu", "disk", "channel")


@dataclass(frozen=True, slots=True)
class Derivation:
    """How one demand came about: the formula and the numbers put in."""

    load: str
    resource: str
    value: float
    formula: str


@dataclass(frozen=True, slots=True)
class ServerNetwork:
    """The network of a server, its stations grouped by resource."""

    #: The queueing network; classes in the order of the loads.
    network: qm.Network
    #: Each resource and its stations' indices; "client" is the delay without queueing, "admission"
    #: the wait outside where the server works on so many at a time only.
    resources: tuple[tuple[str, tuple[int, ...]], ...]
    #: One for each load and resource.
    derivation: tuple[Derivation, ...]
    #: The utilization of each of the first stations to what a monitor shows of it; empty where they
    #: are the same.
    monitored: tuple[Callable[[float], float], ...] = ()
    #: Stations that are as fast as other work at them leaves, and its part of each. [1]
    taken: Mapping[int, float] = field(default_factory=dict)
    #: Stations under a quota, how many serve there, and what other work takes of several. [1]
    quotas: Mapping[int, tuple[int, float]] = field(default_factory=dict)
    #: What demands of each class at the first resources are at saturation, over those here. [1]
    saturating: tuple[tuple[float, ...], ...] = ()
    #: Operations of one interaction of each class at the drives; empty where they are not known.
    operations: tuple[tuple[float, ...], ...] = ()

    def shown(self, solution: qm.Solution) -> list[float]:
        """What monitors show of the stations' utilizations, under a quota the work done. [1]"""
        utilizations = list(solution.station_utilizations)
        for k, (servers, other) in self.quotas.items():
            pairs = zip(solution.throughputs, self.network.demand, strict=True)
            utilizations[k] = other + sum(x * row[k] for x, row in pairs) / servers
        seen = [
            show(self.taken[k] + (1.0 - self.taken[k]) * u) if k in self.taken else show(u)
            for k, (show, u) in enumerate(zip(self.monitored, utilizations, strict=False))
        ]
        return [*seen, *utilizations[len(seen) :]]


def server_network(
    hardware: Hardware, loads: Sequence[Load], unknown_write_share: float = 0.5, *,
    unseen: bool | None = None, load_dependent: bool = True,
) -> ServerNetwork:  # fmt: skip
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
    load_dependent : bool
        Whether cores with two hardware threads are a station whose speed depends on how many
        are there. Without, which every method of solution takes, they are the nearest whole
        number of cores, of a speed that gives the same capacity.

    Raises
    ------
    qmodel.InvalidInput
        If the hardware cannot be, such as RAID 5 on two drives.
    qmodel.InvalidNetwork
        If a load means nothing, such as two of one name.
    """
    if unseen is None:
        unseen = any(load.task.unseen for load in loads)
    return _built(hardware, tuple(loads), unknown_write_share, unseen, load_dependent)


@lru_cache(maxsize=512)
def _built(
    hardware: Hardware, loads: tuple[Load, ...], unknown_write_share: float, unseen: bool,
    load_dependent: bool,
) -> ServerNetwork:  # fmt: skip
    """`server_network`, remembered: half of what a review asks for it has asked for before."""
    if hardware.thread_gain is not None and not load_dependent:
        # Whole servers of one speed, together as fast as all threads.
        capacity = hardware.processors * hardware.thread_gain
        servers = max(1, round(capacity))
        speed = hardware.speed * capacity / servers
        hardware = replace(hardware, processors=servers, speed=speed, thread_gain=None)
    if hardware.quota is not None and (hardware.quota < 1.0 or not load_dependent):
        hardware = replace(hardware, quota=None)
    elif hardware.quota is not None:  # a request alone has a whole processor
        hardware = replace(hardware, speed=hardware.speed * hardware.processors / hardware.quota)
    stations: list[qm.Station] = []
    resources: list[tuple[str, tuple[int, ...]]] = []
    drives = at_once(hardware.disk, loads, unknown_write_share)
    for resource, members in _stations(hardware, drives[0], unseen=unseen):
        start = len(stations)
        stations.extend(members)
        resources.append((resource, tuple(range(start, len(stations)))))
    contenders = _contenders(loads, hardware.lan.segments)
    demand = []
    derivation = []
    for load in loads:
        row: list[float] = []
        for resource, formula, values in demands(
            hardware, load.task, unknown_write_share, drives, contenders=contenders, unseen=unseen
        ):
            row.extend(values)
            derivation.append(Derivation(load.name, resource, sum(values), formula))
        demand.append(row)
    classes = [
        qm.ClosedClass(load.name, load.population, load.think_time)
        if load.arrival_rate is None
        else qm.OpenClass(load.name, load.arrival_rate)
        for load in loads
    ]
    operations = tuple(
        operations_at_drives(hardware.disk, load.task, unknown_write_share) for load in loads
    )
    if hardware.most_active is None:
        network = qm.Network(stations, classes, demand)
    else:
        at = dict(resources)
        visits = [[float(d > 0.0) for d in row] for row in demand]
        for row, asked in zip(visits, operations, strict=True):
            for k, number in zip(at["disk"], asked, strict=False):
                row[k] = number
            row[at["cpu"][0]] *= 1.0 + sum(asked)  # so that it varies how long places are held
        inside = [stations[k].name for name, at in resources if name in INSIDE for k in at]
        limit = qm.PopulationLimit("admission", hardware.most_active, tuple(inside))
        arrive = any(load.arrival_rate is not None for load in loads)
        network = qm.Network(
            stations, classes, demand, visit_ratio=visits if arrive else None, limits=(limit,)
        )
        resources.append(("admission", (len(stations),)))
    return ServerNetwork(network, tuple(resources), tuple(derivation), operations=operations)


@lru_cache(maxsize=64)
def _stations(
    hardware: Hardware, servers: int, *, unseen: bool
) -> tuple[tuple[str, tuple[qm.Station, ...]], ...]:
    """Each resource and its stations, in the order in which `demands` gives demands."""
    disk, lan = hardware.disk, hardware.lan
    cpu: qm.Station = processor_station(
        "cpu", cores=hardware.processors, thread_gain=hardware.thread_gain
    )
    if hardware.quota is not None:
        whole = range(1, hardware.processors)
        cpu = qm.LoadDependentStation("cpu", (*map(float, whole), hardware.quota))
    names = _names("lan", lan.segments)
    if lan.full_duplex:
        names = [f"{name} {way}" for name in names for way in ("out", "in")]
    return (
        ("cpu", (cpu,)),
        ("disk", tuple(qm.QueueingStation(name, servers) for name in _names("disk", disk.working))),
        *([("channel", (qm.QueueingStation("channel"),))] if disk.channel_rate is not None else []),
        ("lan", tuple(qm.QueueingStation(name) for name in names)),
        *([(NOT_MEASURED, (qm.QueueingStation(NOT_MEASURED),))] if unseen else []),
        ("client", (qm.DelayStation("client"),)),
    )


def _contenders(loads: Sequence[Load], segments: int) -> int | None:
    """Most who can want one segment at a time; None without limit, where some arrive."""
    if any(load.arrival_rate is not None for load in loads):
        return None
    return max(1, -(-sum(load.population for load in loads) // segments))


def _names(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name} {i}" for i in range(1, count + 1)]
