"""What a calibration is fitted to: measured runs, their conditions, and their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

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
    """Under what a run was made.

    Parameters
    ----------
    name : str
        As a report names it.
    population : tuple of int, optional
        Users of each class; None where only a throughput is known. [customers]
    arrival_rate : tuple of float, optional
        Measured throughput of each class where the population is not known. [1/s]
    think_time : tuple of (float or None)
        Of each class; None where it was not stated. [s]
    servers : tuple of int
        Of each station.
    """

    name: str
    population: tuple[int, ...] | None
    arrival_rate: tuple[float, ...] | None
    think_time: tuple[float | None, ...]
    servers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Datum:
    """One measured number of a run.

    Parameters
    ----------
    run : int
        Position of its run.
    quantity : str
        throughput, response_time, utilization, volume or operations.
    of : str
        The station of a rate; empty for the rest.
    customer_class : str
        The class it was measured for; empty if all of them together.
    measurement : Measurement
        In base units; the standard deviation joins print rounding and the noise of one run.
    unit : str
        As it was printed.
    scale : float
        Size of that unit in base units.
    """

    run: int
    quantity: str
    of: str
    customer_class: str
    measurement: Measurement
    unit: str = "1"
    scale: float = 1.0

    @property
    def title(self) -> str:
        """In words."""
        what = self.quantity.replace("_", " ")
        of = f" of {self.of}" if self.of else ""
        return f"{what}{of}" + (f" ({self.customer_class})" if self.customer_class else "")


@dataclass(frozen=True, slots=True)
class CalibrationData:
    """Measured runs of one system.

    Parameters
    ----------
    source : str
        Where they were read.
    classes, stations : tuple of str
        Classes of customers, and the stations whose utilization was measured.
    series : tuple of (str, str)
        Volumes and operations that were measured, with their stations.
    runs : tuple of Conditions
        In an order that does not depend on that of the table.
    numbers : tuple of Datum
        What was measured in them.
    noise : Noise
        Of one run, as assumed.
    whole_cycle : bool
        Whether response times include all thinking.
    notes : tuple of str
        What was left out, and what was taken for granted.
    assumed : tuple of str
        Stations that were taken as one server, since nobody said how many they have.
    """

    source: str
    classes: tuple[str, ...]
    stations: tuple[str, ...]
    series: tuple[tuple[str, str], ...]
    runs: tuple[Conditions, ...]
    numbers: tuple[Datum, ...]
    noise: Noise
    whole_cycle: bool = False
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    @property
    def populations(self) -> tuple[int, int] | None:
        """Least and most users in a run, None if nobody counted them."""
        found = [sum(run.population) for run in self.runs if run.population is not None]
        return (min(found), max(found)) if found else None

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
        if number.of:
            return self.series.index((number.quantity, number.of))
        if number.customer_class:
            return self.classes.index(number.customer_class)
        return None

    def of(self, quantity: str, run: int) -> Iterator[Datum]:
        """All numbers of a quantity in a run."""
        return (each for each in self.numbers if each.run == run and each.quantity == quantity)
