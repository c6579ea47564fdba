"""What tasks run on: processors, drives and network segments, as records of device figures."""

import re
from dataclasses import dataclass, field
from typing import Literal

from qmodel.devices.controller_cache import ControllerCache
from qmodel.devices.disk import Disk
from qmodel.devices.raid import Level
from qmodel.devices.ssd import SolidStateDrive
from qmodel.errors import InvalidInput

State = Literal["normal", "degraded", "rebuilding"]

#: Share of a drive's time that a rebuild takes unless told otherwise; a convention.
REBUILD_SHARE = 0.20


@dataclass(frozen=True, slots=True)
class DiskArray:
    """Equal drives under one RAID level, as one array or several."""

    #: RAID level.
    level: Level
    #: Number of drives in all.
    drives: int
    #: Each of them.
    drive: Disk | SolidStateDrive
    #: Bytes moved by one operation. [bytes]
    block: float
    #: Time of a sequential operation beyond its transfer, relative to the controller that the task
    #: was measured with. [1]
    overhead: float = 1.0
    #: Stripe unit; longer operations are cut into pieces of it. [bytes]
    stripe: float | None = None
    #: Equal arrays that the drives make.
    arrays: int = 1
    #: How much more the busiest array gets than the least busy one, relative to that. [1]
    spread: float = 0.0
    #: Of the controller.
    cache: ControllerCache = field(default_factory=ControllerCache)
    #: Highest rate of the channel between controller and memory; None where it does not limit.
    #: [bytes/s]
    channel_rate: float | None = None
    #: Whether one drive is missing, and whether its contents are being restored.
    state: State = "normal"

    @property
    def drives_each(self) -> int:
        """Drives of one array.

        Raises
        ------
        qmodel.InvalidInput
            If the arrays cannot be equal, or not of that level.
        """
        each, left = divmod(self.drives, self.arrays) if self.arrays >= 1 else (0, 1)
        if left:
            raise InvalidInput(f"{self.drives} drives do not make {self.arrays} equal arrays")
        if reason := self.level.why_not(each):
            raise InvalidInput(reason)
        return each

    @property
    def working(self) -> int:
        """Drives that work. [drives]"""
        return self.drives - (self.state != "normal")


@dataclass(frozen=True, slots=True)
class Lan:
    """Equal segments with the users spread evenly over them."""

    #: Nominal rate of a segment. [bit/s]
    rate: float
    #: Number of segments.
    segments: int
    #: Share of the nominal rate that carries traffic at saturation; one user alone has all of it.
    #: [1]
    usable_share: float = 1.0
    #: Whether traffic to and from the server each have the rate.
    full_duplex: bool = False


@dataclass(frozen=True, slots=True)
class Tier:
    """Processors of one of several machines: its measured station, [servers], relative speed."""

    name: str
    processors: int
    speed: float


@dataclass(frozen=True, slots=True)
class Hardware:
    """What the tasks run on."""

    #: Processor cores that share the work. [servers]
    processors: int
    #: Speed of one of them relative to the reference processor. [1]
    speed: float
    #: The drives.
    disk: DiskArray
    #: The network.
    lan: Lan
    #: Throughput of a core with two hardware threads over that with one; None where a core runs
    #: one. [1]
    thread_gain: float | None = None
    #: Processor time for encryption, as a share of the other. [1]
    encryption: float = 0.0
    #: Most interactions that the server works on at a time, by its memory, threads or connections;
    #: see `qmodel.devices.memory_limit`. Others wait to be let in. [customers]
    most_active: int | None = None
    #: Other processors at stations that are no device of a configuration.
    tiers: tuple[Tier, ...] = ()
    #: Of the processors there are, the part that a quota leaves to share the work. [1]
    allowed: float = 1.0
    #: The processors' worth of time that a quota leaves where it is no whole number; ``speed`` is
    #: then that of as many whole ones. [servers]
    quota: float | None = None


#: How the name of a pool that is a station ends.
POOL = " pool"
#: Names of stations by device; disks and interfaces also by what Linux calls them.
_KINDS = (
    ("cpu", re.compile(r"cpu|processor|cores?")),
    ("disk", re.compile(r"(disk|drive|array|sd|vd|xvd|hd|nvme|md|dm)[a-z0-9 _.-]*")),
    ("lan", re.compile(r"(lan|net|network|ethernet|eth|en|wl|bond)[a-z0-9 _.-]*")),
)


def station_kind(name: str) -> str:
    """The device, "cpu", "disk" or "lan"; empty for a station that is none of a configuration."""
    return next((kind for kind, names in _KINDS if names.fullmatch(name.lower())), "")


def device_kind(name: str) -> str:
    """As `station_kind`, also of one of several machines: the device is named last."""
    return station_kind(name) or station_kind(name.rpartition("-")[2])


def is_pool(name: str) -> bool:
    """Whether a station is a pool whose places are held for a part of a request."""
    return name.endswith(POOL)


def is_tier(name: str) -> bool:
    """Whether a station may be the processors of one of several machines."""
    return not station_kind(name) and device_kind(name) in {"", "cpu"}
