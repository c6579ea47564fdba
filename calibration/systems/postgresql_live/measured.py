"""The load levels as data of a calibration, and every level predicted from the low ones."""

from calibration.agreements.live_corpus import PROCESSORS, as_user_table
from calibration.audits.noise import Noise
from calibration.audits.shipped import user_observations
from calibration.estimation.data import CalibrationData
from calibration.fitting.observed_data import calibration_data
from calibration.fitting.replicates import of_replicates
from calibration.printed_tables.table import MeasuredTable, load_table

__all__ = ["ALONE", "BESIDE", "PROCESSORS"]

ALONE, BESIDE = "postgresql_live/levels", "postgresql_live/beside_a_process"

#: Most clients of the rows that are fitted; the others have up to four times as many.
MOST_FITTED = 10

#: Columns, and what predictions and comparisons call them.
METRICS = (
    ("throughput", "throughput", "throughput"), ("response_time", "response_time", "response time"),
    ("cpu", "utilization:cpu", "utilization"),
)  # fmt: skip


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


def tables() -> tuple[MeasuredTable, MeasuredTable]:
    """Alone, and beside another process."""
    return load_table(ALONE), load_table(BESIDE)
