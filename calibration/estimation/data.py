"""What a calibration is fitted to: measured runs, their conditions, and their numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean

from calibration.audits.noise import USUAL, Noise
from calibration.printed_tables.run import Measurement

#: The resource of a hidden queue: a lock, a pool or a device that no monitor showed.
NOT_MEASURED = "not measured"

#: Noise of one run: two runs that differ by d have a standard deviation of d / sqrt(2) each.
ONE_RUN = USUAL.scaled(1.0 / sqrt(2.0))

#: Where nothing is known of the noise it is estimated, with this to begin with.
UNSTATED = Noise(0.015, 0.015, 0.015, 0.03, 0.03)


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under what a run was made."""

    #: As a report names it.
    name: str
    #: Users of each class; None where only a throughput is known. [customers]
    population: tuple[int, ...] | None
    #: Measured throughput of each class where the population is not known. [1/s]
    arrival_rate: tuple[float, ...] | None
    #: Of each class; None where it was not stated. [s]
    think_time: tuple[float | None, ...]
    #: Of each station.
    servers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Datum:
    """One measured number of a run."""

    #: Position of its run.
    run: int
    #: throughput, response_time, utilization, volume, operations or pool_use.
    quantity: str
    #: The station of a rate, or the pool; empty for the rest.
    of: str
    #: The class it was measured for; empty if all of them together.
    customer_class: str
    #: In base units; the standard deviation joins print rounding and the noise of one run.
    measurement: Measurement
    #: As it was printed.
    unit: str = "1"
    #: Size of that unit in base units.
    scale: float = 1.0

    @property
    def title(self) -> str:
        """In words."""
        what = self.quantity.replace("_", " ")
        of = f" of {self.of}" if self.of else ""
        return f"{what}{of}" + (f" ({self.customer_class})" if self.customer_class else "")


@dataclass(frozen=True, slots=True)
class CalibrationData:
    """Measured runs of one system."""

    #: Where they were read.
    source: str
    #: Classes of customers, and the stations whose utilization was measured.
    classes: tuple[str, ...]
    stations: tuple[str, ...]
    #: Volumes and operations that were measured, with their stations.
    series: tuple[tuple[str, str], ...]
    #: In an order that does not depend on that of the table.
    runs: tuple[Conditions, ...]
    #: What was measured in them.
    numbers: tuple[Datum, ...]
    #: Of one run, as assumed.
    noise: Noise
    #: Whether response times include all thinking.
    whole_cycle: bool = False
    #: What was left out, and what was taken for granted.
    notes: tuple[str, ...] = ()
    #: Stations that were taken as one server, since their number of servers was not given.
    assumed: tuple[str, ...] = ()
    #: How many may be inside at once: the smallest pool that the table names. [customers]
    pool: float = inf

    @property
    def populations(self) -> tuple[int, int] | None:
        """Least and most users in a run, None if they were not counted."""
        found = [sum(run.population) for run in self.runs if run.population is not None]
        return (min(found), max(found)) if found else None

    @property
    def thinking(self) -> tuple[float, ...]:
        """Think time of each class in the mean of the runs that state it, else 0. [s]"""
        columns = zip(*[run.think_time for run in self.runs], strict=True)
        told = [[time for time in column if time is not None] for column in columns]
        return tuple([fmean(times) if times else 0.0 for times in told])

    @property
    def rates(self) -> tuple[float, float] | None:
        """Least and most interactions per second of a run, None where a run does not say."""
        measured = [
            sum(d.measurement.value for d in self.of("throughput", i))
            if run.arrival_rate is None
            else sum(run.arrival_rate)
            for i, run in enumerate(self.runs)
        ]
        return (min(measured), max(measured)) if all(measured) else None

    def place_of(self, number: Datum) -> int | None:
        """The position of a number's station, series or class; None for all classes together."""
        if number.quantity == "utilization":
            return self.stations.index(number.of)
        if number.of and number.quantity != "pool_use":
            return self.series.index((number.quantity, number.of))
        if number.customer_class:
            return self.classes.index(number.customer_class)
        return None

    def response_times(self, name: str) -> list[float]:
        """All that were measured of a class, or of all together. [s]"""
        numbers = (each for each in self.numbers if each.quantity == "response_time")
        return [each.measurement.value for each in numbers if each.customer_class in {"", name}]

    def utilizations(self, station: str) -> list[tuple[int, float]]:
        """Position of the run, and what was measured there of a station. [1]"""
        busy = [each for each in self.numbers if each.quantity == "utilization"]
        return [(each.run, each.measurement.value) for each in busy if each.of == station]

    def of(self, quantity: str, run: int) -> Iterator[Datum]:
        """All numbers of a quantity in a run."""
        return (each for each in self.numbers if each.run == run and each.quantity == quantity)
