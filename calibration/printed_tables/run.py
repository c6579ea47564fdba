"""Measured runs: one row of a measured table as numbers with their uncertainties."""

from dataclasses import dataclass
from math import sqrt

from calibration.printed_tables.card import TableError
from calibration.printed_tables.table import MeasuredTable

#: Relative difference between the only two replicate runs, by quantity. Source: the runs of 1995
#: that differ in name only, Table 4-4 (SMART) and Table 4-7 (4 KB): completion time 1184 s and
#: 19.93 min (1.0 %), CPU 57 % and 55.72 % (2.3 %), LAN 97.73 and 98.48 KB/s (0.8 %).
REPLICATE_DIFFERENCE = {"response_time": 0.010, "utilization": 0.023, "volume_rate": 0.008}

#: Relative standard deviation of one run: two runs that differ by d have d / sqrt(2) each.
REPLICATE_NOISE = {name: d / sqrt(2.0) for name, d in REPLICATE_DIFFERENCE.items()}


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measured number and its standard deviation, in base units.

    The standard deviation joins print rounding (uniform over half a unit of the last place) and
    the noise between replicates of a run.
    """

    value: float
    standard_deviation: float


@dataclass(frozen=True, slots=True)
class Run:
    """One measured run of a closed workload."""

    table: str
    row: str
    source: str
    #: Workstations at work. [customers]
    population: int
    #: Time of one interaction, think time included where the source says so. [s]
    response_time: Measurement
    #: Of the processor. [1]
    utilization: Measurement
    #: Volume through the disk and the LAN channel. [bytes/s]
    disk_rate: Measurement
    lan_rate: Measurement

    @property
    def throughput(self) -> float:
        """Interactions per second by Little's law, N / T. [1/s]"""
        return self.population / self.response_time.value

    @property
    def disk_volume(self) -> float:
        """Bytes through the disk channel per interaction, by the forced flow law. [bytes]"""
        return self.disk_rate.value / self.throughput

    @property
    def lan_volume(self) -> float:
        """Bytes through the LAN channel per interaction, by the forced flow law. [bytes]"""
        return self.lan_rate.value / self.throughput


def runs(table: MeasuredTable) -> tuple[Run, ...]:
    """The rows of a table with cpu, lan, disk and response_time columns as runs.

    The population is the card's condition ``workstations``.
    """
    return tuple(
        Run(
            table=table.name, row=row, source=table.cite(row),
            population=int(table.conditions["workstations"]),
            response_time=_measurement(table, row, "response_time"),
            utilization=_measurement(table, row, "cpu"), disk_rate=_measurement(table, row, "disk"),
            lan_rate=_measurement(table, row, "lan"),
        )
        for row in table.rows
    )  # fmt: skip


def _measurement(table: MeasuredTable, row: str, column: str) -> Measurement:
    cell = table.cell(row, column)
    if cell.value is None or cell.half_unit is None:
        raise TableError(f"{table.name}: {row} has no {column}")
    noise = cell.value * REPLICATE_NOISE[table.column(column).quantity]
    return Measurement(cell.value, sqrt(cell.half_unit**2 / 3.0 + noise**2))
