"""The tables of a model file, and what each of them must hold."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from qmodel.documents.fields import KeyProblem, Many, Name, Population, Rate, StrictModel, Time
from qmodel.model import stations as kinds
from qmodel.model.customer_classes import ClosedClass, CustomerClass, OpenClass
from qmodel.model.population_limits import PopulationLimit
from qmodel.model.validation import warn_renamed

#: A distribution by its name, see `qmodel.model.distributions`.
Named = Literal["phase-type", "gamma", "lognormal", "pareto", "constant"]


class StationTable(StrictModel):
    """A ``[[station]]`` of a file."""

    name: Name
    kind: Literal["queueing", "delay", "load_dependent", "fork_join"]
    servers: int = Field(1, ge=1)
    discipline: Literal["any", "fcfs", "ps", "priority", "preemptive", "lcfs-pr", "random"] = "any"
    buffer: int | None = Field(None, ge=1)
    room: int | None = Field(None, ge=1, deprecated="room is now buffer")
    rates: Many[Annotated[float, Field(gt=0)]] = Field((), min_length=1)
    branches: int = Field(1, ge=1)

    @model_validator(mode="after")
    def _kind_fits(self) -> Self:
        kind = f"a {self.kind} station"
        for key in ("servers", "discipline", "buffer", "room"):
            if key in self.model_fields_set and self.kind != "queueing":
                raise KeyProblem(f"{kind} has no {key}; remove the key", key)
        for key in ("buffer", "room"):  # the latter is its name of old
            size = self.__dict__[key]
            if size is not None and size < self.servers:
                problem = f"must be >= {self.servers}, the number of servers, got {size}"
                raise KeyProblem(problem, key)
        if {"buffer", "room"} <= self.model_fields_set:
            raise KeyProblem("buffer given as well, which is its name now; remove the key", "room")
        for key, owner, such in (
            ("branches", "fork_join", "2"),
            ("rates", "load_dependent", "[1.0, 1.7, 2.2]"),
        ):
            is_given = key in self.model_fields_set
            if is_given and self.kind != owner:
                raise KeyProblem(f'{kind} has no {key}; remove the key or say "{owner}"', key)
            if self.kind == owner and not is_given:
                raise KeyProblem(f"required for {kind}, such as {such}", key)
        return self

    def station(self) -> kinds.Station:
        """The station meant."""
        if self.kind == "delay":
            return kinds.DelayStation(self.name)
        if self.kind == "load_dependent":
            return kinds.LoadDependentStation(self.name, self.rates)
        if self.kind == "fork_join":
            return kinds.ForkJoinStation(self.name, self.branches)
        buffer = self.buffer
        if "room" in self.model_fields_set:
            warn_renamed("the key room of a station", "buffer")
            buffer = self.__dict__["room"]
        return kinds.QueueingStation(self.name, self.servers, self.discipline, buffer)


#: Times of services or between arrivals, see `qmodel.model.distributions`.
Times = Named | Many[float] | dict[str, Any]


class ClassTable(StrictModel):
    """A ``[[class]]`` of a file."""

    name: Name
    population: Population = Field(0, ge=0)
    think_time: Time = 0.0
    arrival_rate: Rate = 0.0
    arrival_scv: float = Field(1.0, ge=0)
    priority: int = 0
    demand: dict[str, Time] = Field({})
    visits: dict[str, Annotated[float, Field(ge=0)]] = Field({})
    service_time: dict[str, Time] = Field({})
    scv: dict[str, Annotated[float, Field(ge=0)]] = Field({})
    distribution: dict[str, Times] = Field({})
    arrivals: Times | None = None
    route: Many[Name] | None = None

    @model_validator(mode="after")
    def _is_closed_or_open(self) -> Self:
        given = self.model_fields_set
        if {"population", "arrival_rate"} <= given:
            raise KeyProblem(
                "population and arrival_rate given; a closed class has the one, an open the other",
                "arrival_rate",
            )
        if not {"population", "arrival_rate"} & given:
            raise KeyProblem(
                'required for a closed class; an open one has arrival_rate = "0.5 /s"', "population"
            )
        if {"think_time", "arrival_rate"} <= given:
            raise KeyProblem("an open class has no think time; remove the key", "think_time")
        for key in ("arrival_scv", "arrivals"):
            if {key, "population"} <= given:
                raise KeyProblem("a closed class has no arrivals; remove the key", key)
        return self

    @model_validator(mode="after")
    def _demand_is_given_once(self) -> Self:
        if {"demand", "service_time"} <= self.model_fields_set:
            raise KeyProblem(
                "demand given as well; keep demand, or visits with service_time", "service_time"
            )
        if "demand" in self.model_fields_set:
            for station, visits in self.visits.items():
                if not visits and self.demand.get(station):
                    raise KeyProblem(
                        "must be > 0, since there is a demand, got 0", "visits", station
                    )
        elif {"visits", "service_time"} & self.model_fields_set:
            for key, other in (("visits", "service_time"), ("service_time", "visits")):
                if key not in self.model_fields_set:
                    raise KeyProblem(f"required with {other}", key)
                for station in getattr(self, other):
                    if station not in getattr(self, key):
                        raise KeyProblem(f"required, since {other} names it", key, station)
        else:
            raise KeyProblem(
                'required, such as { cpu = "68 s" }; or visits with service_time', "demand"
            )
        if not self.named_stations:
            raise KeyProblem('names no station; expected e.g. { cpu = "68 s" }', self.demand_key)
        for key in ("visits", "scv", "distribution"):
            for station in getattr(self, key):
                if station not in self.named_stations:
                    raise KeyProblem(
                        f"{self.demand_key} does not name it; remove it or give its demand",
                        key,
                        station,
                    )
        return self

    @property
    def demand_key(self) -> str:
        """The key under which this class names its stations."""
        given = self.model_fields_set
        return "visits" if "visits" in given and "demand" not in given else "demand"

    @property
    def named_stations(self) -> tuple[str, ...]:
        """The stations the class visits."""
        return tuple(getattr(self, self.demand_key))

    @property
    def is_closed(self) -> bool:
        """Whether it has a population."""
        return "population" in self.model_fields_set

    def demand_at(self, station: str) -> float:
        """Service demand D, or V S; 0 where the station is not named. [s]"""
        if self.demand_key == "demand":
            return self.demand.get(station, 0.0)
        return self.visits.get(station, 0.0) * self.service_time.get(station, 0.0)

    def visits_at(self, station: str) -> float:
        """Visit ratio V; 0 where the station is not named. [1]"""
        return self.visits.get(station, float(self.demand_at(station) > 0))

    def scv_at(self, station: str) -> float:
        """Squared coefficient of variation of the service time. [1]"""
        return self.scv.get(station, 1.0)

    @property
    def distributions(self) -> dict[Any, Any]:
        """Distributions as a network takes them."""
        served = {(self.name, station): each for station, each in self.distribution.items()}
        return served if self.arrivals is None else {**served, (self.name, ""): self.arrivals}

    def customer_class(self) -> CustomerClass:
        """The class meant."""
        if self.is_closed:
            return ClosedClass(self.name, self.population, self.think_time, self.priority)
        return OpenClass(self.name, self.arrival_rate, self.priority, self.arrival_scv)


class LimitTable(StrictModel):
    """A ``[[limit]]`` of a file."""

    name: Name
    customers: int = Field(ge=1)
    stations: Many[Name] = Field(min_length=1)
    classes: Many[Name] | None = Field(None, min_length=1)
    full: Literal["wait", "reject"] = "wait"
    held: Literal["interaction", "visit"] = "interaction"

    def limit(self) -> PopulationLimit:
        """The limit meant."""
        return PopulationLimit(**self.model_dump())


class NetworkFile(StrictModel):
    """A whole file: ``[[station]]``, ``[[class]]`` and ``[[limit]]``."""

    stations: Many[StationTable] = Field(alias="station", min_length=1)
    classes: Many[ClassTable] = Field(alias="class", min_length=1)
    limits: Many[LimitTable] = Field((), alias="limit")
