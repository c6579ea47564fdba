"""What a user writes: the schema, strict, units required, base units inside (s, bytes, 1)."""

import re
from collections.abc import Iterable
from math import ceil, inf
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from advisor.configuration.hours import DAY, UserProfile, Window, minutes_of
from advisor.configuration.monitored import LoadTest, Monitored
from advisor.configuration.promises import ABOVE_MEAN, Promise, Promised, PromisedEach, ServiceLevel
from advisor.configuration.software import Software
from advisor.configuration.suppressions import Suppression
from advisor.configuration.tiers import Tiers
from calibration.systems import SYSTEM_NAMES
from qmodel.devices.raid import LEVELS
from qmodel.documents import fields

#: Most that a configuration may have of each: rules try no more.
MOST_DRIVES, MOST_PROCESSORS, MOST_REPLICAS = 512, 1024, 64

Count = Annotated[int, Field(ge=1)]
#: Each drive and each segment is a station; beyond these numbers a review takes too long.
Drives = Annotated[int, Field(ge=1, le=MOST_DRIVES)]
#: Each is a rate of the processor's station: a slip of millions would never be solved.
Processors = Annotated[int, Field(ge=1, le=MOST_PROCESSORS)]
Segments = Annotated[int, Field(ge=1, le=64)]
Kilobytes = Annotated[float, Field(ge=0)]


def _window(value: Any) -> Window:
    if isinstance(value, Window):
        return value
    if not (isinstance(value, list | tuple) and len(value) == 2):
        raise ValueError('expected two times of day such as ["22:00", "06:00"]')
    if not all(isinstance(v, str) for v in value):
        raise ValueError('expected text such as "22:00" (quote it)')
    return Window.parse(*value)


def _time_of_day(value: Any) -> int:
    if not isinstance(value, str):
        raise ValueError('expected text such as "22:00" (quote it)')  # noqa: TRY004
    return minutes_of(value)


def _profile(value: Any) -> UserProfile:
    if isinstance(value, UserProfile):
        return value
    if not isinstance(value, dict):
        problem = 'expected a table of times and shares such as {"08:00" = "100 %"}'
        raise ValueError(problem)  # noqa: TRY004
    return UserProfile.parse(value)


def _level(raid: str) -> str:
    """A RAID level as it is written: "RAID 10" and "raid-10" are raid10."""
    raid = re.sub(r"[\s_-]", "", raid).lower()
    if raid.isdecimal():
        raid = f"raid{raid}"
    if raid not in LEVELS:
        raise ValueError(f'unknown "{raid}"; one of {", ".join(LEVELS)}; raid0 has no redundancy')
    return raid


def _system(name: str) -> str:
    if name not in SYSTEM_NAMES:
        raise ValueError(f'no measured system "{name}"; one of {", ".join(SYSTEM_NAMES)}')
    return name


def _usable(share: float) -> float:
    """A target of utilization; below 1 % it is a slip, a convention."""
    if share < 0.01:
        meant = 1e4 * share if share >= 0.0005 else 80
        raise ValueError(f'{100 * share:.3g} % of the time? write "{meant:.3g} %"')
    return share


Hours = Annotated[
    Window, BeforeValidator(_window, json_schema_input_type=tuple[str, str]),
    Field(description="two times of day", examples=[["22:00", "06:00"]]),
]  # fmt: skip

TimeOfDay = Annotated[
    int, BeforeValidator(_time_of_day, json_schema_input_type=str),
    Field(description="a time of day", examples=["22:00"]),
]  # fmt: skip
Profile = Annotated[
    UserProfile, BeforeValidator(_profile, json_schema_input_type=dict[str, float | str]),
    Field(description="share of the users at work from a time on", examples=[{"08:00": "100 %"}]),
]  # fmt: skip


class MeasuredServer(fields.StrictModel):
    """What a calibration measured, where it is not the server as it is written."""

    cores: Processors | None = None
    processor: str | None = None
    cpu_speed: Annotated[float, Field(gt=0)] | None = None


class MeasuredDisk(fields.StrictModel):
    """The drives that a calibration measured, where they are not those as written."""

    raid: Annotated[str, AfterValidator(_level)] | None = None
    drives: Drives | None = None
    drive: fields.Name | None = None
    arrays: Count | None = None
    stripe: fields.Memory | None = None
    block: fields.Memory | None = None


class MeasuredLan(fields.StrictModel):
    """The network that a calibration measured, where it is not the one as written."""

    rate: Annotated[fields.BitRate, Field(ge=1)] | None = None
    segments: Segments | None = None
    network: fields.Name | None = None


class Server(fields.StrictModel):
    """The machine: a processor of the measured system or the catalogue, or a relative speed.

    ``threads`` are those of the mail agent, which memory is counted by; see rule MEM002.
    ``replicas`` are equal servers behind a balancer; ``cpu_quota`` is how many processors' time a
    container may take, ``cpu_share`` what of the node it is sure of; a burstable machine has spent
    its ``credits``, time of one processor, when it was above its ``baseline`` share for so long.
    """

    name: str = ""
    processor: str | None = None
    reference_processor: str | None = None
    cpu_speed: Annotated[float, Field(gt=0)] | None = None
    cpus: Processors = 1
    cores: Processors = 1
    hyper_threads: bool = False
    encryption: fields.Share = 0.0
    most_active: Count | None = None
    threads: Count | None = None
    memory: fields.Memory | None = None
    replicas: Annotated[int, Field(ge=1, le=MOST_REPLICAS)] = 1
    cpu_quota: Annotated[fields.Processors, Field(le=1024)] | None = None
    cpu_share: Annotated[fields.Share, Field(gt=0)] | None = None
    baseline: Annotated[fields.Share, Field(gt=0)] | None = None
    credits: fields.PositiveTime | None = None
    measured_on: MeasuredServer | None = None


class Cache(fields.StrictModel):
    """A controller's cache; see `qmodel.devices.controller_cache`."""

    read_hits: fields.Share = 0.0
    write_back: bool = False
    rewritten: fields.Share = 0.0
    full_stripes: fields.Share = 0.0
    read_ahead: Count = 1


class DiskArray(fields.StrictModel):
    """Equal drives. Figures are the named drive's, or typical of 1994, unless given."""

    raid: Annotated[str, AfterValidator(_level)] = "raid0"
    drives: Drives
    stripe: fields.Memory = 65536.0
    block: fields.Memory | None = None
    controller: str = ""
    drive: fields.Name | None = None
    seek_time: fields.Time = 0.010
    rotation_time: fields.PositiveTime = 60.0 / 5400.0
    transfer_rate: fields.DataRate = 4e6
    read_latency: fields.PositiveTime | None = None
    write_latency: fields.PositiveTime | None = None
    parallelism: Count | None = None
    write_iops: Annotated[float, Field(gt=0)] | None = None
    capacity: fields.Storage | None = None
    arrays: Count = 1
    spread: Annotated[float, Field(ge=0)] = 0.0
    channel_rate: fields.DataRate | None = None
    state: Literal["normal", "degraded", "rebuilding"] = "normal"
    cache: Cache = Cache()
    measured_on: MeasuredDisk | None = None


class Lan(fields.StrictModel):
    """Equal segments of one Ethernet: shared up to 100 Mb/s unless told otherwise."""

    rate: Annotated[fields.BitRate, Field(ge=1)]
    segments: Segments = 1
    network: fields.Name | None = None
    medium: Literal["shared", "switched"] | None = None
    duplex: Literal["half", "full"] | None = None
    usable_share: Annotated[fields.Share, Field(ge=0.001)] | None = None
    measured_on: MeasuredLan | None = None


class CatalogueTable(fields.StrictModel):
    """A file of the user's own parts, beside the configuration."""

    file: fields.Name


class Demands(fields.StrictModel):
    """What one interaction asks for: a task of the measured system, or the demands themselves.

    ``delay`` is what it spends elsewhere: at other services, on the way.
    """

    name: fields.Name
    task: str | None = None
    cpu: fields.Time | None = None
    delay: fields.Time = 0.0
    disk_kb: Kilobytes = 0.0
    lan_kb: Kilobytes = 0.0
    write_share: fields.Share | None = None

    @property
    def task_name(self) -> str:
        """The name its task goes by; demands given here stand beside the system's tasks."""
        return f"{self.name} as given" if self.cpu is not None else self.task or self.name


class WorkloadClass(Demands):
    """Users that do one thing, or requests of one kind.

    ``arrival_rate`` is given of every class or of none; with ``workload.arrival_rate`` beside it,
    which is the total, it says the mix.
    """

    arrival_rate: fields.PositiveRate | None = None
    share: Annotated[fields.Share, Field(gt=0)] = 1.0


class BatchTask(Demands):
    """Work outside of response times, and when it runs; without a window or a start, off-peak.

    ``duration`` is as measured at work, ``work`` as measured on an idle server; ``start`` is when
    it starts today, the window's start unless given, and stays if it is ``fixed``. ``pause`` is the
    time between one piece of work and the next, which follows at once if it is not given.
    """

    window: Hours | None = None
    duration: fields.PositiveTime | None = None
    work: fields.PositiveTime | None = None
    pause: fields.Time = 0.0
    start: TimeOfDay | None = None
    fixed: bool = False
    after: fields.Many[str] = ()
    not_with: fields.Many[str] = ()
    command: str = ""

    def hours(self, off_peak: Window) -> Window:
        """When it runs today: as long as it takes from its start on, that of its window if none.

        Its window is ``off_peak`` without one. Where nothing says how long it takes: its window's
        length, or a minute from a start without a window.
        """
        length, start, window = self.duration or self.work, self.start, self.window or off_peak
        if start is None and length is not None:
            start = window.start
        if start is None:
            return window
        if length is None and self.window is not None:
            length = 60.0 * self.window.length
        minutes = max(1, ceil((length or 0.0) / 60 - 1e-9))
        return Window(start, (start + minutes) % DAY)


class Workload(fields.StrictModel):
    """The users and what they do."""

    system: Annotated[str, AfterValidator(_system)] | None = None
    calibration: fields.Name | None = None
    users: Annotated[int, Field(ge=1), BeforeValidator(fields.whole)] = 1
    #: As it was measured, or none, if it is not given. [s]
    think_time: fields.Time | None = None
    arrival_rate: fields.PositiveRate | None = None
    peak: Hours = Window(8 * 60, 18 * 60)
    off_peak: Hours = Window(22 * 60, 6 * 60)
    off_peak_share: fields.Share | None = None
    profile: Profile | None = None
    weights: bool = False
    classes: Annotated[tuple[WorkloadClass, ...], Field(alias="class", min_length=1, strict=False)]

    @model_validator(mode="after")
    def _loaded(self) -> Self:
        rates = [c.arrival_rate for c in self.classes if c.arrival_rate is not None]
        if 0 < len(rates) < len(self.classes):
            i = next(i for i, c in enumerate(self.classes) if c.arrival_rate is None)
            raise fields.KeyProblem("required, other classes have one", "class", i, "arrival_rate")
        if rates:
            parts = tuple(
                c.model_copy(update={"share": (c.arrival_rate or 0.0) / sum(rates)})
                for c in self.classes
            )
            update = {"classes": parts, "arrival_rate": self.arrival_rate or sum(rates)}
            return self.model_copy(update=update)
        if "users" not in self.model_fields_set and self.arrival_rate is None:
            raise fields.KeyProblem("required, or arrival_rate", "users")
        return self

    @model_validator(mode="after")
    def _normalised(self) -> Self:
        """Weights become shares: what each is of their sum."""
        total = sum(c.share for c in self.classes)
        if not self.weights or total == 1.0:
            return self
        parts = [c.model_copy(update={"share": c.share / total}) for c in self.classes]
        return self.model_copy(update={"classes": tuple(parts)})

    @property
    def load(self) -> float:
        """How many users there are, or requests per second. [customers], [1/s]"""
        return float(self.users) if self.arrival_rate is None else self.arrival_rate


class Targets(fields.StrictModel):
    """What was promised, to every class and to some of them more."""

    promised: Annotated[Promised | None, Field(alias="response_time")] = None
    slo: ServiceLevel | None = None
    classes: Annotated[PromisedEach, Field(alias="class")] = ()
    utilization: Annotated[fields.Share, Field(gt=0), AfterValidator(_usable)] | None = None
    #: Replicas that may be lost without a target missed.
    survive: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _agree(self) -> Self:
        for name, promise in (("", Promise()), *self.classes):  # beside what all are promised
            try:
                self.common.beside(promise)
            except fields.KeyProblem as error:
                key = ("class", name) if name else ("slo",)
                raise fields.KeyProblem(f"{error.key_path[-1]}: {error.problem}", *key) from None
        return self

    def of(self, name: str) -> Promise:
        """What a class was promised."""
        return self.common.beside(dict(self.classes).get(name, Promise()))

    @property
    def common(self) -> Promise:
        """What every class was promised."""
        return (self.promised or Promise()).beside(self.slo or Promise())

    @property
    def response_time(self) -> float | None:
        """The mean that every class was promised. [s]"""
        return self.promised.mean if self.promised else None

    def mean_limit(self, names: Iterable[str]) -> float | None:
        """What no class's mean may pass, which percentiles from p90 on are above. [s]"""
        found = [
            min((t for p, t in self.of(name).limits if p is None or p >= ABOVE_MEAN), default=inf)
            for name in names
        ]
        return max(found) if max(found) < inf else None

    @property
    def has_times(self) -> bool:
        """Whether a response time is promised at all."""
        return bool(self.promised or self.slo or self.classes)


class ServerConfig(fields.StrictModel):
    """A whole configuration."""

    schema_version: Annotated[Literal[1], Field(alias="schema")] = 1
    title: str = ""
    catalogue: CatalogueTable | None = None
    server: Server = Server()
    software: Software = Software()
    disk: DiskArray = DiskArray(drives=1)
    lan: Lan = Lan.model_validate({"rate": "1 Gb/s"})
    tiers: Annotated[Tiers, Field(alias="tier")] = ()
    workload: Workload
    batch: fields.Many[BatchTask] = ()
    targets: Targets | None = None
    monitored: Monitored | None = None
    load_test: LoadTest | None = None
    suppress: fields.Many[Suppression] = ()

    @property
    def standing(self) -> int:
        """Replicas that are left when as many are lost as the targets say."""
        return self.server.replicas - (self.targets.survive if self.targets else 0)

    @property
    def lost(self) -> str:
        """How many replicas are lost in all that is predicted, in words; empty for none."""
        lost = self.server.replicas - self.standing
        return f" with {lost} of {self.server.replicas} replicas lost" if lost else ""

    def describes(self, device: str) -> bool:
        """Whether there is a table of a device, such as "disk"."""
        return device in self.model_fields_set
