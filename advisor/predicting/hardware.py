"""What a configuration runs on and what it asks for, as the calibration floor knows them."""

from math import ceil, inf

from advisor.configuration.configuration import Configuration
from advisor.configuration.schema import Demands
from advisor.configuration.schema import DiskArray as DiskSettings
from advisor.configuration.schema import Lan as LanSettings
from calibration.hardware.hardware import DiskArray, Hardware, Lan
from calibration.hardware.task import Task
from calibration.systems import load_system
from qmodel.devices.controller_cache import ControllerCache
from qmodel.devices.disk import Disk
from qmodel.devices.lan import SWITCHED_FROM
from qmodel.devices.processor import THREAD_GAIN
from qmodel.devices.raid import LEVELS
from qmodel.devices.ssd import SolidStateDrive

#: Share of a shared segment's rate that carries traffic at saturation, unless given or measured
#: with the system's own messages: the planners' figure that the 1995 TechNote uses.
SHARED_USABLE = 0.70


def speed_of(configuration: Configuration) -> float:
    """Speed of one processor relative to the reference processor. [1]"""
    server, name = configuration.settings.server, configuration.settings.workload.system
    if name and server.processor:
        return load_system(name).processors[server.processor].value
    return server.cpu_speed or 1.0


def hardware_of(configuration: Configuration) -> Hardware:
    """The hardware as the calibration floor knows it."""
    settings = configuration.settings
    if settings.tiers and settings.workload.calibration is None:
        problem = "a tier is a station of workload.calibration, which is not given; see [[machine]]"
        raise configuration.document.error(("tier",), problem)
    disk, lan = settings.disk, settings.lan
    server, cache = settings.server, disk.cache
    processors, speed = server.cpus * server.cores, speed_of(configuration)
    there = processors
    quota = min(float(processors), server.cpu_quota or inf)
    if quota < processors:  # time of so many processors: whole ones, each of them a little slower
        processors = ceil(quota)
        speed *= quota / processors
    return Hardware(
        processors=processors,
        speed=speed,
        disk=DiskArray(
            LEVELS[disk.raid], disk.drives, _drive(disk), disk.block or disk.stripe,
            stripe=disk.stripe, arrays=disk.arrays, spread=disk.spread,
            cache=ControllerCache(**cache.model_dump()), channel_rate=disk.channel_rate,
            state=disk.state,
        ),
        lan=Lan(lan.rate, lan.segments, *_medium(lan, settings.workload.system)),
        allowed=processors / there, quota=None if processors == quota else quota,
        thread_gain=THREAD_GAIN if server.hyper_threads else None,
        encryption=server.encryption,
        most_active=server.most_active,
        tiers=tuple(tier.hardware for tier in settings.tiers),
    )  # fmt: skip


def _drive(disk: DiskSettings) -> Disk | SolidStateDrive:
    read, write, parallelism = disk.read_latency, disk.write_latency, disk.parallelism
    if read is None or write is None or parallelism is None:  # all three or none
        return Disk(disk.seek_time, disk.rotation_time, disk.transfer_rate)
    return SolidStateDrive(read, write, disk.transfer_rate, parallelism, disk.write_iops)


def _medium(lan: LanSettings, system: str | None) -> tuple[float, bool]:
    """Usable share at saturation, and whether both directions have the rate."""
    switched = lan.medium == "switched" or (lan.medium is None and lan.rate >= SWITCHED_FROM)
    usual = 1.0 if switched else shared_usable(system)
    full = lan.duplex == "full" or (lan.duplex is None and switched)
    return usual if lan.usable_share is None else lan.usable_share, full


def shared_usable(system: str | None) -> float:
    """What messages of a measured system, or of any, leave of a shared segment's rate. [1]

    How much is lost depends on the length of the frames, which a system's tasks bring with them.
    """
    reference = load_system(system).reference if system else None
    measured = 1.0 if reference is None else reference.lan.usable_share
    return SHARED_USABLE if measured == 1.0 else measured


def given_task(each: Demands, cpu: float) -> Task:
    """The task of demands that a configuration gives itself."""
    return Task(
        name=each.task_name, title=each.name, interaction="one interaction", cpu=cpu,
        disk_volume=each.disk_kb * 1e3, lan_volume=each.lan_kb * 1e3, client=each.delay,
        write_share=each.write_share,
    )  # fmt: skip
