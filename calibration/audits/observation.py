"""One measured run as the laws see it: numbers with their uncertainties, and their task."""

from dataclasses import dataclass
from math import sqrt

from calibration.audits.contradiction import Place


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a table."""

    #: In base units.
    value: float
    #: Print rounding, half a unit of the last place, in base units.
    rounding: float
    #: Standard deviation between replicates, in base units.
    noise: float
    #: As printed.
    unit: str
    #: Size of the printed unit in base units.
    scale: float
    place: Place

    @property
    def deviation(self) -> float:
        """Standard deviation: rounding is uniform over its interval. [base units]"""
        return sqrt(self.rounding**2 / 3.0 + self.noise**2)

    @property
    def relative(self) -> float:
        """Standard deviation over the value; infinite for 0. [1]"""
        return self.deviation / self.value if self.value > 0.0 else float("inf")

    def show(self, value: float | None = None) -> str:
        """The number, or another one in its unit, with four digits."""
        shown = (self.value if value is None else value) / self.scale
        digits = f"{shown:.4g}" if abs(shown) < 1000.0 else f"{shown:.0f}"
        return digits if self.unit == "1" else f"{digits} {self.unit}"


@dataclass(frozen=True, slots=True, order=True)
class Series:
    """A quantity at a station that each interaction adds to."""

    quantity: str
    station: str

    @property
    def title(self) -> str:
        """In words."""
        return f"{self.station} {self.quantity}"


@dataclass(frozen=True, slots=True)
class Observation:
    """One measured run."""

    name: str
    place: Place
    #: What one interaction is, with all that must be equal for two runs to be of the same task.
    task: str
    #: What was changed between runs; None if nothing is said to be.
    configuration: str | None = None
    #: As set. [customers], [s]
    population: Number | None = None
    think_time: Number | None = None
    #: As measured. [1/s], [s]
    throughput: Number | None = None
    response_time: Number | None = None
    #: Whether the response time includes all think time, so that X = N / R.
    whole_cycle: bool = False
    #: Utilizations [1], volumes [bytes/s] and operations [1/s] by station.
    rates: tuple[tuple[Series, Number], ...] = ()
    #: Servers of the stations with more than one.
    servers: tuple[tuple[str, int], ...] = ()
    #: Sizes of pools, by name.
    pools: tuple[tuple[str, int], ...] = ()
    #: Places in use over those there are, by pool. [1]
    pool_use: tuple[tuple[str, Number], ...] = ()
    #: Nominal rates of channels. [bytes/s]
    capacity: tuple[tuple[str, Number], ...] = ()
    #: Shares of the population by class; the rest is one more class. [1]
    shares: tuple[tuple[str, float], ...] = ()
    line: int | None = None
    #: How long it was measured. [s]
    length: float | None = None
    #: Quantity, class and number where a quantity was measured class by class; laws that speak of a
    #: whole run do not look at them.
    by_class: tuple[tuple[str, str, Number], ...] = ()
    #: Class (empty for the only one), share [1] and percentile of response times.
    percentiles: tuple[tuple[str, float, Number], ...] = ()

    def rate(self, series: Series) -> Number | None:
        """The number of a series, None if it was not measured."""
        return dict(self.rates).get(series)

    def servers_at(self, station: str) -> int:
        """Servers of a station, 1 unless said otherwise."""
        return dict(self.servers).get(station, 1)

    def cycle(self, think_time: float | None = None) -> float | None:
        """R + Z, with a think time where none is stated; None if one of them is not known. [s]"""
        if self.response_time is None:
            return None
        if self.whole_cycle:
            return self.response_time.value
        given = think_time if self.think_time is None else self.think_time.value
        return None if given is None else self.response_time.value + given

    @property
    def throughput_by_little(self) -> float | None:
        """Little's law, X = N / (R + Z); None if one of them is not known. [1/s]"""
        cycle = self.cycle()
        return self.population.value / cycle if self.population and cycle else None
