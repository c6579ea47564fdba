"""What the model says of a configuration: times, throughputs, utilizations, with intervals."""

from dataclasses import dataclass, field

from calibration.agreements.ensemble import Variant
from calibration.estimation.interval import Range
from calibration.hardware.hardware import station_kind
from qmodel import NotConverged
from qmodel.errors import FileError, NotApplicable, Unstable

#: How qmodel says that a configuration has no outlook.
WITHOUT_OUTLOOK = (FileError, NotApplicable, NotConverged, Unstable)


@dataclass(frozen=True, slots=True)
class ClassOutlook:
    """One class of users or one batch task."""

    #: Name of the class.
    name: str
    #: Whether it is a batch task.
    batch: bool
    #: Users, or copies of the task, at work. [customers]
    population: int
    #: Of one interaction. [s]
    response_time: Range
    #: Interactions per second, all users together. [1/s]
    throughput: Range
    #: Percentiles of the response time by their share, where asked for. [1], [s]
    tails: tuple[tuple[float, Range], ...] = ()

    def within(self, share: float | None) -> Range:
        """The percentile of a share, or the mean response time. [s]"""
        return self.response_time if share is None else dict(self.tails)[share]


@dataclass(frozen=True, slots=True)
class ResourceOutlook:
    """One resource, by all classes together."""

    #: Name of the resource.
    name: str
    #: Of its busiest station. [1]
    utilization: Range
    #: How many it has.
    stations: int
    #: Customers at all of them, waiting and in service. [customers]
    queue_length: Range


@dataclass(frozen=True, slots=True)
class Outlook:
    """The prediction for one configuration."""

    #: Users at work. [customers]
    users: int
    #: Users first, then batch tasks.
    classes: tuple[ClassOutlook, ...]
    #: Those that customers can queue at.
    resources: tuple[ResourceOutlook, ...]
    #: Of all interactions of users, by how often each class has one. [s], [1/s]
    response_time: Range
    throughput: Range
    #: The busiest resource.
    bottleneck: str
    #: Each admissible calibration's own response time of the first class at work. [s]
    by_member: tuple[tuple[str, float], ...]
    #: How the networks were solved.
    method: str
    #: Whether the number of users lies outside the fitted ones.
    extrapolated: bool
    #: Calibrations in which the busiest resource is one that was not measured.
    hidden: tuple[str, ...] = ()
    #: Whether the server is unstable somewhere within the calibration's uncertainty.
    near_saturation: bool = False
    #: Of users from outside, instead of a number of them. [1/s]
    arrival_rate: float | None = None

    @property
    def load(self) -> float:
        """Users, or requests per second. [customers], [1/s]"""
        return float(self.users) if self.arrival_rate is None else self.arrival_rate

    def resource(self, name: str) -> ResourceOutlook:
        """The resource of this name, or the busiest such device; an idle one if there is none."""
        for found in self.resources:
            if found.name == name:
                return found
        alike = [r for r in self.resources if station_kind(r.name) == name]
        if alike:
            return max(alike, key=lambda r: r.utilization.mid)
        return ResourceOutlook(name, Range(0.0, 0.0, 0.0), 0, Range(0.0, 0.0, 0.0))

    def class_of(self, name: str) -> ClassOutlook | None:
        """A class, None if it has no users."""
        return next((c for c in self.classes if c.name == name), None)

    def time_of(self, name: str) -> Range | None:
        """Response time of a class, None if it has no users. [s]"""
        found = self.class_of(name)
        return found.response_time if found else None


@dataclass(frozen=True, slots=True)
class Prediction:
    """An outlook and the solutions of every variant behind it."""

    #: The ranges.
    outlook: Outlook
    #: Every way the world may be.
    ways: tuple[Variant, ...]
    #: Response time of each class at work, by variant. [s]
    times: tuple[dict[str, float], ...]
    #: Of each resource's busiest station, by variant. [1]
    utilizations: tuple[dict[str, float], ...]
    #: Of each class at work, by variant. [1/s]
    throughputs: tuple[dict[str, float], ...]
    #: Customers at each resource, by variant. [customers]
    queue_lengths: tuple[dict[str, float], ...]
    #: Percentiles of classes by their share, by variant. [s]
    tails: tuple[dict[tuple[str, float], float], ...]
    #: Why some calibration has no steady state itself; empty where all have one.
    unstable: str = ""


@dataclass(frozen=True, slots=True)
class VariantOutlook:
    """Of one variant, each class and resource at its worst over the peak."""

    times: dict[str, float]
    throughputs: dict[str, float]
    utilizations: dict[str, float]
    queue_lengths: dict[str, float]
    stations: dict[str, int]
    methods: tuple[str, ...]
    #: Percentiles of classes by their share, where asked for. [s]
    tails: dict[tuple[str, float], float] = field(default_factory=dict)
