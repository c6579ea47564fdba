"""The load levels as data of a calibration, and every level predicted from the low ones."""

from collections.abc import Iterator
from math import sqrt
from statistics import fmean

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.published import Published, published
from calibration.audits.noise import Noise
from calibration.estimation.data import CalibrationData, Conditions, Datum
from calibration.estimation.interval import Range
from calibration.fitting.fitted_model import Calibration
from calibration.fitting.replicates import noise_within
from calibration.predicting.prediction import predict_all
from calibration.printed_tables.run import Measurement
from calibration.printed_tables.table import MeasuredTable, load_table

ALONE, BESIDE = "postgresql_live/levels", "postgresql_live/beside_a_process"

#: Most clients of the rows that are fitted; the others have up to four times as many.
MOST_FITTED = 10

#: Processors of the machine.
PROCESSORS = 2

#: Column, quantity, and what comparisons call it.
METRICS = (
    ("throughput", "throughput", "throughput"),
    ("response_time", "response_time", "response time"),
    ("cpu", "utilization", "utilization"),
)


def rows(table: MeasuredTable, *, fitted: bool) -> tuple[str, ...]:
    """Rows by whether they are fitted."""
    return tuple(
        row
        for row, users in zip(table.rows, table.values("users"), strict=True)
        if ((users or 0.0) <= MOST_FITTED) == fitted
    )


def noise_of(table: MeasuredTable) -> Noise:
    """Noise of one run: how much the fitted runs of the same number of clients differ."""
    chosen = rows(table, fitted=True)
    return noise_within(
        [table.cell(row, "users").value for row in chosen],
        [
            (quantity, [table.cell(row, column).value for row in chosen])
            for column, quantity, _ in METRICS
        ],
    )


def data_of(table: MeasuredTable) -> CalibrationData:
    """What the calibration sees: the fitted rows and nothing else."""
    noise = noise_of(table)
    chosen = rows(table, fitted=True)
    return CalibrationData(
        source=table.source.cite(),
        classes=("queries",),
        stations=("cpu",),
        series=(),
        runs=tuple(
            Conditions(
                f"{table.name}: {row}",
                (int(table.value(row, "users")),),
                None,
                (table.cell(row, "think_time").value,),
                (PROCESSORS,),
            )
            for row in chosen
        ),
        numbers=tuple(
            _datum(table, i, row, column, quantity, noise)
            for i, row in enumerate(chosen)
            for column, quantity, _ in METRICS
        ),
        noise=noise,
    )


def _datum(
    table: MeasuredTable, run: int, row: str, column: str, quantity: str, noise: Noise
) -> Datum:
    cell = table.cell(row, column)
    assert cell.value is not None
    assert cell.half_unit is not None
    spread = (cell.half_unit**2 / 3.0 + (noise.of(quantity) * cell.value) ** 2) ** 0.5
    station = "cpu" if quantity == "utilization" else ""
    return Datum(run, quantity, station, "", Measurement(cell.value, spread), cell.unit)


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


#: Names of the metrics in predictions.
_PREDICTED = {
    "throughput": "throughput",
    "response_time": "response_time",
    "cpu": "utilization:cpu",
}


def compare_levels(table: MeasuredTable, fitted: Calibration, subject: str) -> Iterator[Comparison]:
    """Throughput, response time and utilization of every row.

    The baselines are a rule of three from the highest fitted row: without contention the response
    time stays and rates grow with the clients; "linear" has it the other way round.
    """
    every = [(row, "fitted") for row in rows(table, fitted=True)]
    every += [(row, "held out") for row in rows(table, fitted=False)]
    populations = [int(table.value(row, "users")) for row, _ in every]
    most = max(users for users, (_, status) in zip(populations, every, strict=True)
               if status == "fitted")  # fmt: skip
    highest = [row for (row, _), users in zip(every, populations, strict=True) if users == most]
    for (row, status), users, prediction in zip(
        every, populations, predict_all(fitted, populations, one_run=True), strict=True
    ):
        for column, _, title in METRICS:
            measured = number(table, row, column)
            metric = next(m for m in prediction.metrics if m.name == _PREDICTED[column])
            before = fmean(number(table, each, column).value for each in highest)
            grows = column != "response_time"
            yield Comparison(
                published=measured,
                subject=subject,
                metric=title,
                case=f"N = {users}",
                status="fitted" if status == "fitted" else "held out",
                model="calibration",
                predicted=_rounded(metric.interval, measured.half_unit),
                fitted_on=cells(table),
                by_model=metric.by_model,
                baselines=(
                    ("no contention", before * users / most if grows else before),
                    ("linear", before if grows else before * users / most),
                ),
                extrapolated=prediction.beyond,
            )


def _rounded(interval: Range, half_unit: float) -> Range:
    """With print rounding added; the noise of one run is in it already."""
    return for_one_more(interval, sqrt(half_unit**2 / 3.0))
