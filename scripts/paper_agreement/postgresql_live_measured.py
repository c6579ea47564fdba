"""What the models of postgresql_live say of published numbers: measured."""

from collections.abc import Iterator
from math import sqrt
from statistics import fmean

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.published import Published, published
from calibration.fitting.fitted_model import Calibration
from calibration.predicting.prediction import predict_all
from calibration.printed_tables.table import MeasuredTable
from calibration.systems.postgresql_live.measured import METRICS, cells, rows
from scripts.paper_agreement.shared import by_status


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


def number(table: MeasuredTable, row: str, column: str) -> Published:
    """A measured number in base units: 1/s, s, and a share of both processors."""
    return published(table, row, column, {"response_time": "s", "cpu": "1"}.get(column))
