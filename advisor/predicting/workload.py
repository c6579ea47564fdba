"""From a configuration to what runs and what it runs on: hardware, loads, calibrations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from advisor.configuration.calibrated import calibration_beside
from advisor.configuration.configuration import Configuration
from advisor.configuration.configure import configure
from advisor.configuration.schema import BatchTask, Demands
from advisor.configuration.schema import DiskArray as DiskSettings
from advisor.configuration.schema import Lan as LanSettings
from advisor.configuration.shares import shares
from calibration.agreement.calibrated_system import calibrated_system
from calibration.agreement.ensemble import Member, Variant
from calibration.agreement.system import System
from calibration.hardware.hardware import DiskArray, Hardware, Lan
from calibration.hardware.task import Load, Task
from calibration.systems import load_system
from qmodel.devices.controller_cache import ControllerCache
from qmodel.devices.disk import Disk
from qmodel.devices.hardware_threads import THREAD_GAIN
from qmodel.devices.lan import SWITCHED_FROM
from qmodel.devices.raid import LEVELS
from qmodel.devices.ssd import SolidStateDrive
from qmodel.documents.document import Document

#: The one member of a workload whose demands the configuration gives itself.
AS_GIVEN = "demands as given"
#: Share of a shared segment's rate that carries traffic at saturation, unless given: the planners'
#: figure that the 1995 TechNote uses.
SHARED_USABLE = 0.70


def system_of(configuration: Configuration) -> System | None:
    """The measured system, or the calibration, that the workload refers to, if it does."""
    workload = configuration.settings.workload
    if workload.calibration is not None:
        return _calibrated(configuration.document, workload.calibration)
    return load_system(workload.system) if workload.system else None


@lru_cache(maxsize=64)
def _calibrated(document: Document, file: str) -> System:
    """The system of a calibration, whose hardware is that of the file as it is written."""
    written = configure(document.data, document)
    shares_of_writes = {
        each.task_name: each.write_share
        for each in written.settings.workload.classes
        if each.write_share is not None
    }
    return calibrated_system(
        calibration_beside(document, file), hardware_of(written), shares_of_writes
    )


def speed_of(configuration: Configuration) -> float:
    """Speed of one processor relative to the reference processor. [1]"""
    server, name = configuration.settings.server, configuration.settings.workload.system
    if name and server.processor:
        return load_system(name).processors[server.processor].value
    return server.cpu_speed or 1.0


def hardware_of(configuration: Configuration) -> Hardware:
    """The hardware as the calibration floor knows it."""
    settings = configuration.settings
    disk, lan = settings.disk, settings.lan
    server, cache = settings.server, disk.cache
    return Hardware(
        processors=server.cpus * server.cores,
        speed=speed_of(configuration),
        disk=DiskArray(
            LEVELS[disk.raid],
            disk.drives,
            _drive(disk),
            disk.block or disk.stripe,
            stripe=disk.stripe,
            arrays=disk.arrays,
            spread=disk.spread,
            cache=ControllerCache(**cache.model_dump()),
            channel_rate=disk.channel_rate,
            state=disk.state,
        ),
        lan=Lan(lan.rate, lan.segments, *_medium(lan)),
        thread_gain=THREAD_GAIN if server.hyper_threads else None,
        encryption=server.encryption,
        most_active=server.most_active,
    )


def _drive(disk: DiskSettings) -> Disk | SolidStateDrive:
    read, write, parallelism = disk.read_latency, disk.write_latency, disk.parallelism
    if read is None or write is None or parallelism is None:  # all three or none
        return Disk(disk.seek_time, disk.rotation_time, disk.transfer_rate)
    return SolidStateDrive(read, write, disk.transfer_rate, parallelism)


def _medium(lan: LanSettings) -> tuple[float, bool]:
    """Usable share at saturation, and whether both directions have the rate."""
    switched = lan.medium == "switched" or (lan.medium is None and lan.rate >= SWITCHED_FROM)
    usual = 1.0 if switched else SHARED_USABLE
    full = lan.duplex == "full" or (lan.duplex is None and switched)
    return usual if lan.usable_share is None else lan.usable_share, full


def members_of(configuration: Configuration) -> tuple[Member, ...]:
    """The admissible calibrations, or the demands as given."""
    system = system_of(configuration)
    settings = configuration.settings
    given = tuple(
        _given_task(each, each.cpu)
        for each in (*settings.workload.classes, *settings.batch)
        if each.cpu is not None
    )
    if system is None:
        return (Member(AS_GIVEN, "the configuration gives the demands itself", (), given),)
    return tuple(replace(member, fixed=(*member.fixed, *given)) for member in system.members)


def loads_of(
    configuration: Configuration, way: Variant, running: Sequence[BatchTask] = ()
) -> tuple[tuple[Load, bool], ...]:
    """The users of each class that has any, then the running batch tasks.

    Each load comes with whether it is a batch task. Users pause between interactions as the
    configuration says, or else as the measured ones did.
    """
    workload = configuration.settings.workload
    populations = shares(workload.users, [c.share for c in workload.classes])
    users = [
        Load(
            each.name,
            task,
            population,
            workload.think_time or task.think_time,
            None if workload.arrival_rate is None else workload.arrival_rate * each.share,
        )
        for each, population in zip(workload.classes, populations, strict=True)
        for task in (_task(way, each),)
        if population or workload.arrival_rate is not None
    ]
    batch = [Load(each.name, _task(way, each), 1, each.pause) for each in running]
    return (*((load, False) for load in users), *((load, True) for load in batch))


def used_tasks(configuration: Configuration) -> tuple[str, ...]:
    """Names of all tasks that the model knows, users' first."""
    settings = configuration.settings
    loads = [b for b in settings.batch if has_load(configuration, b)]
    return tuple(dict.fromkeys(e.task_name for e in (*settings.workload.classes, *loads)))


def has_load(configuration: Configuration, batch: BatchTask) -> bool:
    """Whether the model knows what a batch task asks of the server."""
    system = system_of(configuration)
    return batch.cpu is not None or (system is not None and batch.task_name in system.task_names)


def peak_sets(configuration: Configuration) -> tuple[tuple[BatchTask, ...], ...]:
    """The different sets of batch tasks that run together at some time of the peak.

    A set changes only where a task's hours or the peak start: those times are all there is to see.
    """
    settings = configuration.settings
    peak = settings.workload.peak
    timed = [(b, b.hours) for b in settings.batch if b.hours and has_load(configuration, b)]
    starts = {peak.start, *(w.start for _, w in timed if w.start in peak)}
    found = {
        tuple(i for i, (_, window) in enumerate(timed) if start in window): None
        for start in sorted(starts)
    }
    return tuple(tuple(timed[i][0] for i in running) for running in found)


def _task(way: Variant, each: Demands) -> Task:
    """The task, with the share of writes that the configuration may know better."""
    task = way.tasks[each.task_name]
    return task if each.write_share is None else replace(task, write_share=each.write_share)


def _given_task(each: Demands, cpu: float) -> Task:
    return Task(
        name=each.task_name,
        title=each.name,
        interaction="one interaction",
        cpu=cpu,
        disk_volume=each.disk_kb * 1e3,
        lan_volume=each.lan_kb * 1e3,
        client=0.0,
        write_share=each.write_share,
    )
