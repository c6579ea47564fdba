"""The tables of a model file, and what each of them must hold."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from qmodel.customer_classes import ClosedClass, CustomerClass, OpenClass
from qmodel.formats.fields import KeyProblem, Many, Name, Population, Rate, StrictModel, Time
from qmodel.stations import DelayStation, LoadDependentStation, QueueingStation, Station


class StationTable(StrictModel):
    """A ``[[station]]`` of a file."""

    name: Name
    kind: Literal["queueing", "delay", "load_dependent"]
    servers: int = Field(1, ge=1)
    rates: Many[Annotated[float, Field(gt=0)]] = Field((), min_length=1)

    @model_validator(mode="after")
    def _kind_fits(self) -> Self:
        kind = f"a {self.kind} station"
        if "servers" in self.model_fields_set and self.kind != "queueing":
            raise KeyProblem(f"{kind} has no servers; remove the key", "servers")
        if "rates" in self.model_fields_set and self.kind != "load_dependent":
            raise KeyProblem(
                f'{kind} has no rates; remove the key or say "load_dependent"', "rates"
            )
        if self.kind == "load_dependent" and not self.rates:
            raise KeyProblem(f"required for {kind}, such as [1.0, 1.7, 2.2]", "rates")
        return self

    def station(self) -> Station:
        """The station meant."""
        if self.kind == "delay":
            return DelayStation(self.name)
        if self.kind == "load_dependent":
            return LoadDependentStation(self.name, self.rates)
        return QueueingStation(self.name, self.servers)


class ClassTable(StrictModel):
    """A ``[[class]]`` of a file."""

    name: Name
    population: Population = Field(0, ge=0)
    think_time: Time = 0.0
    arrival_rate: Rate = 0.0
    demand: dict[str, Time] = Field({})
    visits: dict[str, Annotated[float, Field(ge=0)]] = Field({})
    service_time: dict[str, Time] = Field({})

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
        return self

    @model_validator(mode="after")
    def _demand_is_given_once(self) -> Self:
        in_visits = {"visits", "service_time"} & self.model_fields_set
        if "demand" in self.model_fields_set and in_visits:
            raise KeyProblem(
                "demand given as well; keep demand, or visits with service_time", min(in_visits)
            )
        if in_visits:
            for key, other in (("visits", "service_time"), ("service_time", "visits")):
                if key not in self.model_fields_set:
                    raise KeyProblem(f"required with {other}", key)
                for station in getattr(self, other):
                    if station not in getattr(self, key):
                        raise KeyProblem(f"required, since {other} names it", key, station)
        elif "demand" not in self.model_fields_set:
            raise KeyProblem(
                'required, such as { cpu = "68 s" }; or visits with service_time', "demand"
            )
        if not self.named_stations:
            raise KeyProblem('names no station; expected e.g. { cpu = "68 s" }', self.demand_key)
        return self

    @property
    def demand_key(self) -> str:
        """The key under which this class names its stations."""
        return "visits" if "visits" in self.model_fields_set else "demand"

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

    def customer_class(self) -> CustomerClass:
        """The class meant."""
        if self.is_closed:
            return ClosedClass(self.name, self.population, self.think_time)
        return OpenClass(self.name, self.arrival_rate)


class NetworkFile(StrictModel):
    """A whole file: ``[[station]]`` and ``[[class]]``."""

    stations: Many[StationTable] = Field(alias="station", min_length=1)
    classes: Many[ClassTable] = Field(alias="class", min_length=1)
