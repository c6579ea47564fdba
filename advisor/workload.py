"""From a configuration to what runs and what it runs on: hardware, loads, calibrations."""

from __future__ import annotations

from dataclasses import replace

from advisor.config import BatchTask, Configuration, Demands
from calibration.ensemble import Member, Variant
from calibration.server import DiskArray, Hardware, Lan
from calibration.system import System
from calibration.systems import load_system
from calibration.task import Load, Task
from qmodel.devices.disk import Disk
from qmodel.devices.raid import LEVELS

#: The one member of a workload whose demands the configuration gives itself.
AS_GIVEN = "demands as given"


def system_of(configuration: Configuration) -> System | None:
    """The measured system the workload refers to, if it does."""
    name = configuration.settings.workload.system
    return load_system(name) if name else None


def speed_of(configuration: Configuration) -> float:
    """Speed of one processor relative to the reference processor. [1]"""
    server = configuration.settings.server
    system = system_of(configuration)
    if system and server.processor:
        return system.processors[server.processor].value
    return server.cpu_speed or 1.0


def hardware_of(configuration: Configuration) -> Hardware:
    """The hardware as the calibration floor knows it."""
    settings = configuration.settings
    disk, lan = settings.disk, settings.lan
    return Hardware(
        processors=settings.server.cpus,
        speed=speed_of(configuration),
        disk=DiskArray(
            LEVELS[disk.raid],
            disk.drives,
            Disk(disk.seek_time, disk.rotation_time, disk.transfer_rate),
            disk.block or disk.stripe,
        ),
        lan=Lan(lan.rate, lan.segments, lan.usable_share),
    )


def members_of(configuration: Configuration) -> tuple[Member, ...]:
    """The admissible calibrations, or the demands as given."""
    system = system_of(configuration)
    settings = configuration.settings
    given = tuple(
        _given_task(each)
        for each in (*settings.workload.classes, *settings.batch)
        if each.cpu is not None
    )
    if system is None:
        return (Member(AS_GIVEN, "the configuration gives the demands itself", (), given),)
    return tuple(replace(member, fixed=(*member.fixed, *given)) for member in system.members)


def loads_of(
    configuration: Configuration, way: Variant, *, batch: bool = True
) -> tuple[tuple[Load, bool], ...]:
    """The loads of the busiest peak hour, each with whether it is a batch task."""
    workload = configuration.settings.workload
    populations = shares(workload.users, [c.share for c in workload.classes])
    loads = [
        (
            Load(
                each.name,
                way.tasks[each.task_name],
                population,
                workload.think_time,
                None if workload.arrival_rate is None else workload.arrival_rate * each.share,
            ),
            False,
        )
        for each, population in zip(workload.classes, populations, strict=True)
    ]
    if batch:
        loads += [
            (Load(each.name, way.tasks[each.task_name], 1), True)
            for each in busiest_hour(configuration)
            if each.task_name in way.tasks
        ]
    return tuple(loads)


def used_tasks(configuration: Configuration) -> tuple[str, ...]:
    """Names of all tasks of the configuration, users' first."""
    settings = configuration.settings
    each = (*settings.workload.classes, *(b for b in settings.batch if b.has_load))
    return tuple(dict.fromkeys(e.task_name for e in each))


def busiest_hour(configuration: Configuration) -> tuple[BatchTask, ...]:
    """The batch tasks that run together in the peak hour with most of them.

    Between equally many, the earliest hour.
    """
    settings = configuration.settings
    with_load = [b for b in settings.batch if b.has_load]
    best: tuple[BatchTask, ...] = ()
    for minute in settings.workload.peak.minutes():
        running = tuple(b for b in with_load if b.window and minute in b.window)
        if len(running) > len(best):
            best = running
    return best


def shares(users: int, parts: list[float]) -> list[int]:
    """Whole users for each part, by largest remainders; they add up to ``users``.

    Examples
    --------
    >>> shares(10, [0.5, 0.25, 0.25])
    [5, 3, 2]
    """
    exact = [users * part / sum(parts) for part in parts]
    whole = [int(e) for e in exact]
    by_remainder = sorted(range(len(parts)), key=lambda i: (whole[i] - exact[i], i))
    for i in by_remainder[: users - sum(whole)]:
        whole[i] += 1
    return whole


def _given_task(each: Demands) -> Task:
    assert each.cpu is not None
    return Task(
        name=each.name,
        title=each.name,
        interaction="one interaction",
        cpu=each.cpu,
        disk_volume=each.disk_kb * 1e3,
        lan_volume=each.lan_kb * 1e3,
        client=0.0,
        write_share=each.write_share,
    )
