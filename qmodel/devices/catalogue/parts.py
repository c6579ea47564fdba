"""What a catalogue file may hold: the tables of its parts, each value with a source."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from qmodel.devices.catalogue.price import Price
from qmodel.documents import fields
from qmodel.model.validation import assign

Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]

#: What the speed of a processor with a SPECrate 2017 integer base is relative to, and its rate.
SPECRATE_CORE = "core of SPECrate 10"
SPECRATE_OF_IT = 10.0


def _price(text: object) -> object:
    Price.read(text)
    return text


class Part(fields.StrictModel):
    """Any part: its name, where its figures come from, and what it costs."""

    kind: ClassVar[str]
    name: fields.Name
    source: fields.Name
    sources: Annotated[
        dict[str, fields.Name], Field(default_factory=dict, description="of single values")
    ]
    year: Annotated[int, Field(ge=1980, le=2100)] | None = None
    provider: Annotated[fields.Name, Field(description="of the cloud it is rented in")] | None = (
        None
    )
    cost: Annotated[str, BeforeValidator(_price)] | None = None

    @model_validator(mode="after")
    def _sources_of_values(self) -> Self:
        for key in self.sources:
            if key not in self.model_fields_set or key in {"name", "source", "sources"}:
                raise fields.KeyProblem(
                    f'there is no "{key}" that this could be the source of', key
                )
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
    clock: fields.Frequency | None = None
    bus: fields.Frequency | None = None
    cores: Count = 1
    threads: Annotated[int, Field(ge=1, le=2)] = 1
    specrate: Positive | None = None
    chips: Count = 1
    speed: Positive | None = None
    relative_to: fields.Name | None = None

    @model_validator(mode="after")
    def _speed_of_what(self) -> Self:
        if self.specrate is not None and self.speed is None and self.relative_to is None:
            each = self.specrate / (self.chips * self.cores)
            self._derive("follows from specrate / chips / cores / 10", speed=each / SPECRATE_OF_IT)
            self._derive("follows from specrate", relative_to=SPECRATE_CORE)
        if (self.speed is None) != (self.relative_to is None):
            raise fields.KeyProblem("give speed and relative_to together", "speed")
        return self


class Drive(Part):
    """A drive, rotating or solid-state, or a volume of a cloud.

    ``iops`` are random reads of 4 KiB a second with a long queue; by Little's law so many are read
    at once, unless ``parallelism`` is given; ``write_iops`` random writes of 4 KiB a second that go
    on for long. ``endurance`` is in writes of the whole drive a day. A volume with its bucket full
    does ``burst_iops`` for so long.
    """

    kind = "drive"
    seek_time: fields.PositiveTime | None = None
    rotation: fields.Rotation | None = None
    read_latency: fields.PositiveTime | None = None
    write_latency: fields.PositiveTime | None = None
    parallelism: Count | None = None
    transfer_rate: fields.DataRate
    capacity: fields.Storage | None = None
    iops: Positive | None = None
    write_iops: Positive | None = None
    burst_iops: Positive | None = None
    burst_time: fields.PositiveTime | None = None
    endurance: Positive | None = None

    @model_validator(mode="after")
    def _one_kind_of_drive(self) -> Self:
        if self.iops and self.read_latency and self.parallelism is None:
            at_once = max(1, round(self.iops * self.read_latency))
            self._derive("follows from iops x read latency", parallelism=at_once)
        turning = (self.seek_time, self.rotation)
        solid = (self.read_latency, self.write_latency, self.parallelism)
        if (None in turning and None in solid) or (any(turning) and any(solid)):
            raise fields.KeyProblem(
                "expected seek_time and rotation, or read_latency, write_latency and iops", "name"
            )
        return self


class Controller(Part):
    """A controller of drives."""

    kind = "controller"
    cache: fields.Memory | None = None
    read_share: fields.Share | None = None
    write_back: bool | None = None
    drives: Count | None = None
    channel_rate: fields.DataRate | None = None


class NetworkPart(Part):
    """A kind of Ethernet."""

    kind = "network"
    rate: fields.BitRate
    medium: Literal["shared", "switched"]
    duplex: Literal["half", "full"]
    usable_share: Annotated[fields.Share, Field(gt=0)] | None = None


class MemoryTerm(fields.StrictModel):
    """Bytes for each of something."""

    driver: fields.Name
    bytes: Annotated[float, Field(gt=0)]


class MemoryRulePart(Part):
    """A rule of how much memory a server needs; see `qmodel.devices.memory_need`."""

    kind = "memory_rule"
    errata: fields.Many[fields.Name] = ()
    term: Annotated[fields.Many[MemoryTerm], Field(min_length=1)]


class Machine(Part):
    """A server as a source describes it, by names of parts."""

    kind = "machine"
    processor: fields.Name
    processors: Count = 1
    memory: fields.Memory | None = None
    drives: Count | None = None
    drive: fields.Name | None = None
    controller: fields.Name | None = None
    network: fields.Name | None = None


class CatalogueFile(fields.StrictModel):
    """A file of parts, of one kind or of several."""

    processor: fields.Many[Processor] = ()
    drive: fields.Many[Drive] = ()
    controller: fields.Many[Controller] = ()
    network: fields.Many[NetworkPart] = ()
    memory_rule: fields.Many[MemoryRulePart] = ()
    machine: fields.Many[Machine] = ()
