"""Service demands straight from monitors, by the utilization law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from calibration.printed_tables.run import Run
from qmodel import laws


@dataclass(frozen=True, slots=True)
class DemandEstimate:
    """A service demand averaged over runs.

    Parameters
    ----------
    value : float
        The mean demand. [s]
    standard_error : float
        Standard error of the mean, from the scatter between runs. [s]
    variation : float
        Standard deviation of a single run's demand over the mean. [1]
    by_run : tuple of (str, float)
        Reference and demand of each run. [s]
    """

    value: float
    standard_error: float
    variation: float
    by_run: tuple[tuple[str, float], ...]


def processor_demand(measured: Sequence[Run], servers: int = 1) -> DemandEstimate:
    """Processor demand per interaction, D = m U / X averaged over runs.

    One demand should serve all runs of a task; the scatter says how well it does. Runs that are
    printed twice count twice: leave the copies out.

    Parameters
    ----------
    measured : sequence of Run
        At least two runs of one task.
    servers : int
        Processors of the server.

    Raises
    ------
    ValueError
        If there are fewer than two runs: one run has no scatter.

    Examples
    --------
    >>> from calibration.printed_tables.run import runs
    >>> from calibration.printed_tables.table import load_table
    >>> estimate = processor_demand(runs(load_table("notes31/table_4_7")))
    >>> round(estimate.value, 1), round(estimate.standard_error, 1)
    (65.8, 0.7)
    """
    if len(measured) < 2:
        raise ValueError(f"{len(measured)} run given, the scatter of a demand needs at least two")
    return mean_demand(
        [(run.source, laws.demand(run.utilization.value, run.throughput, servers))
         for run in measured]
    )  # fmt: skip


def mean_demand(by_run: Sequence[tuple[str, float]]) -> DemandEstimate:
    """Demands of at least two runs [s] as one, with the standard error of their mean.

    Examples
    --------
    >>> found = mean_demand([("at noon", 0.2), ("at night", 0.4)])
    >>> round(found.value, 9), round(found.standard_error, 9)
    (0.3, 0.1)
    """
    mean = squares = 0.0
    for _, demand in by_run:
        mean += demand
    mean /= len(by_run)
    for _, demand in by_run:
        squares += (demand - mean) * (demand - mean)
    deviation = sqrt(squares / (len(by_run) - 1))
    return DemandEstimate(
        value=mean,
        standard_error=deviation / sqrt(len(by_run)),
        variation=deviation / mean if mean else 0.0,
        by_run=tuple(by_run),
    )
