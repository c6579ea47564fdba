"""The load levels as data of a calibration, and every level predicted from the low ones."""

from collections.abc import Iterator
from math import sqrt
from statistics import fmean

from calibration.agreements.comparison import Comparison, by_status, for_one_more
from calibration.agreements.live_corpus import PROCESSORS, as_user_table
from calibration.agreements.published import Published, published
from calibration.audits.noise import Noise
from calibration.audits.shipped import user_observations
from calibration.estimation.data import CalibrationData
from calibration.fitting.fitted_model import Calibration
from calibration.fitting.observed_data import calibration_data
from calibration.fitting.replicates import of_replicates
from calibration.predicting.prediction import predict_all
from calibration.printed_tables.table import MeasuredTable, load_table

__all__ = ["ALONE", "BESIDE", "PROCESSORS"]

ALONE, BESIDE = "postgresql_live/levels", "postgresql_live/beside_a_process"

#: Most clients of the rows that are fitted; the others have up to four times as many.
MOST_FITTED = 10

#: Columns, and what predictions and comparisons call them.
METRICS = (
    ("throughput", "throughput", "throughput"),
    ("response_time", "response_time", "response time"),
    ("cpu", "utilization:cpu", "utilization"),
)


def rows(table: MeasuredTable, *, fitted: bool) -> tuple[str, ...]:
    """Rows by whether they are fitted."""
    return tuple(row for row in table.rows if (table.value(row, "users") <= MOST_FITTED) == fitted)


def noise_of(table: MeasuredTable) -> Noise:
    """Noise of one run: how much the fitted runs of the same number of clients differ."""
    return of_replicates(as_user_table(table, rows(table, fitted=True)))


def data_of(table: MeasuredTable) -> CalibrationData:
    """What the calibration sees: the fitted rows and nothing else."""
    noise = noise_of(table)
    seen = user_observations(as_user_table(table, rows(table, fitted=True)), noise)
    return calibration_data(seen, table.source.cite(), noise)


def cells(table: MeasuredTable) -> tuple[str, ...]:
    """Names of the cells that are fitted."""
    return tuple(
        f"{table.name}:{row}:{column}"
        for row in rows(table, fitted=True)
        for column, _, _ in METRICS
    )


def number(table: MeasuredTable, row: str, column: str) -> Published:
    """A measured number in base units: 1/s, s, and a share of both processors."""
    return published(table, row, column, {"response_time": "s", "cpu": "1"}.get(column))


def tables() -> tuple[MeasuredTable, MeasuredTable]:
    """Alone, and beside another process."""
    return load_table(ALONE), load_table(BESIDE)


def compare_levels(table: MeasuredTable, fitted: Calibration, subject: str) -> Iterator[Comparison]:
    """Throughput, response time and utilization of every row.

    The baselines are a rule of three from the highest fitted row: without contention the response
    time stays and rates grow with the clients; "linear" has it the other way round.
    """
    low, high = rows(table, fitted=True), rows(table, fitted=False)
    populations = [int(table.value(row, "users")) for row in (*low, *high)]
    most = max(populations[: len(low)])
    highest = [row for row, users in zip(low, populations, strict=False) if users == most]
    for (status, row), users, prediction in zip(
        by_status(low, high),
        populations,
        predict_all(fitted, populations, one_run=True),
        strict=True,
    ):
        for column, name, title in METRICS:
            measured = number(table, row, column)
            metric = next(m for m in prediction.metrics if m.name == name)
            before = fmean(number(table, each, column).value for each in highest)
            free, linear = before * users / most, before
            if column == "response_time":
                free, linear = linear, free
            yield Comparison(
                published=measured,
                subject=subject,
                metric=title,
                case=f"N = {users}",
                status=status,
                model="calibration",
                # The noise of one run is in it already; print rounding is not.
                predicted=for_one_more(metric.interval, measured.half_unit / sqrt(3.0)),
                fitted_on=cells(table),
                by_model=metric.by_model,
                baselines=(("no contention", free), ("linear", linear)),
                extrapolated=prediction.beyond,
            )
