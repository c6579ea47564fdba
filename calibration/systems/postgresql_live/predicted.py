"""Every level predicted, from the low loads of its own recording."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from statistics import fmean

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.estimation.interval import Range
from calibration.fitting.fitted_model import Calibration
from calibration.predicting.prediction import predict_all
from calibration.printed_tables.table import MeasuredTable
from calibration.systems.postgresql_live.measured import METRICS, cells, number, rows

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
    populations = [int(table.cell(row, "users").value or 0) for row, _ in every]
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
