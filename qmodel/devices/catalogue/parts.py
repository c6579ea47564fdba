"""What a catalogue file may hold: the tables of its parts, each value with a source."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from qmodel.devices.catalogue.price import Price
from qmodel.documents.fields import (
    BitRate,
    DataRate,
    Frequency,
    KeyProblem,
    Many,
    Memory,
    Name,
    PositiveTime,
    Rotation,
    Share,
    Storage,
    StrictModel,
)
from qmodel.model.validation import assign

Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]

#: What the speed of a processor with a SPECrate 2017 integer base is relative to, and its rate.
SPECRATE_CORE = "core of SPECrate 10"
SPECRATE_OF_IT = 10.0


def _price(text: object) -> object:
    Price.read(text)
    return text


class Part(StrictModel):
    """Any part: its name, where its figures come from, and what it costs."""

    kind: ClassVar[str]
    name: Name
    source: Name
    sources: Annotated[dict[str, Name], Field(default_factory=dict, description="of single values")]
    year: Annotated[int, Field(ge=1980, le=2100)] | None = None
    provider: Annotated[Name, Field(description="of the cloud it is rented in")] | None = None
    cost: Annotated[str, BeforeValidator(_price)] | None = None

    @model_validator(mode="after")
    def _sources_of_values(self) -> Self:
        for key in self.sources:
            if key not in self.model_fields_set or key in {"name", "source", "sources"}:
                raise KeyProblem(f'there is no "{key}" that this could be the source of', key)
        return self

    def _derive(self, how: str, **value: object) -> None:
        """Set what follows from what was given, with how as its source."""
        assign(self, **value)
        self.model_fields_set.update(value)
        for key in value:
            self.sources.setdefault(key, how)

    @property
    def values(self) -> dict[str, object]:
        """What was given, in base units, without name and sources."""
        kept = type(self).model_fields
        return {
            key: getattr(self, key)
            for key in kept
            if key in self.model_fields_set and key not in {"name", "source", "sources"}
        }

    def source_of(self, key: str) -> str:
        """Where one value comes from."""
        return self.sources.get(key, self.source)


class Processor(Part):
    """A processor; its speed holds among those relative to the same one.

    ``specrate`` is the published SPECrate 2017 integer base of ``chips`` processors, all threads of
    every core at work; the speed of a core follows from it unless given.
    """

    kind = "processor"
    clock: Frequency | None = None
    bus: Frequency | None = None
    cores: Count = 1
    threads: Annotated[int, Field(ge=1, le=2)] = 1
    specrate: Positive | None = None
    chips: Count = 1
    speed: Positive | None = None
    relative_to: Name | None = None

    @model_validator(mode="after")
    def _speed_of_what(self) -> Self:
        if self.specrate is not None and self.speed is None and self.relative_to is None:
            each = self.specrate / (self.chips * self.cores)
            self._derive("follows from specrate / chips / cores / 10", speed=each / SPECRATE_OF_IT)
            self._derive("follows from specrate", relative_to=SPECRATE_CORE)
        if (self.speed is None) != (self.relative_to is None):
            raise KeyProblem("give speed and relative_to together", "speed")
        return self


class Drive(Part):
    """A drive, rotating or solid-state, or a volume of a cloud.

    ``iops`` are random reads of 4 KiB a second with a long queue; by Little's law so many are read
    at once, unless ``parallelism`` is given; ``write_iops`` random writes of 4 KiB a second that go
    on for long. ``endurance`` is in writes of the whole drive a day. A volume with its bucket full
    does ``burst_iops`` for so long.
    """

    kind = "drive"
    seek_time: PositiveTime | None = None
    rotation: Rotation | None = None
    read_latency: PositiveTime | None = None
    write_latency: PositiveTime | None = None
    parallelism: Count | None = None
    transfer_rate: DataRate
    capacity: Storage | None = None
    iops: Positive | None = None
    write_iops: Positive | None = None
    burst_iops: Positive | None = None
    burst_time: PositiveTime | None = None
    endurance: Positive | None = None

    @model_validator(mode="after")
    def _one_kind_of_drive(self) -> Self:
        if self.iops and self.read_latency and self.parallelism is None:
            at_once = max(1, round(self.iops * self.read_latency))
            self._derive("follows from iops x read latency", parallelism=at_once)
        turning = (self.seek_time, self.rotation)
        solid = (self.read_latency, self.write_latency, self.parallelism)
        if (None in turning and None in solid) or (any(turning) and any(solid)):
            raise KeyProblem(
                "expected seek_time and rotation, or read_latency, write_latency and iops", "name"
            )
        return self


class Controller(Part):
    """A controller of drives."""

    kind = "controller"
    cache: Memory | None = None
    read_share: Share | None = None
    write_back: bool | None = None
    drives: Count | None = None
    channel_rate: DataRate | None = None


class NetworkPart(Part):
    """A kind of Ethernet."""

    kind = "network"
    rate: BitRate
    medium: Literal["shared", "switched"]
    duplex: Literal["half", "full"]
    usable_share: Annotated[Share, Field(gt=0)] | None = None


class MemoryTerm(StrictModel):
    """Bytes for each of something."""

    driver: Name
    bytes: Annotated[float, Field(gt=0)]


class MemoryRulePart(Part):
    """A rule of how much memory a server needs; see `qmodel.devices.memory_need`."""

    kind = "memory_rule"
    errata: Many[Name] = ()
    term: Annotated[Many[MemoryTerm], Field(min_length=1)]


class Machine(Part):
    """A server as a source describes it, by names of parts."""

    kind = "machine"
    processor: Name
    processors: Count = 1
    memory: Memory | None = None
    drives: Count | None = None
    drive: Name | None = None
    controller: Name | None = None
    network: Name | None = None


class CatalogueFile(StrictModel):
    """A file of parts, of one kind or of several."""

    processor: Many[Processor] = ()
    drive: Many[Drive] = ()
    controller: Many[Controller] = ()
    network: Many[NetworkPart] = ()
    memory_rule: Many[MemoryRulePart] = ()
    machine: Many[Machine] = ()
