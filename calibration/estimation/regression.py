"""Demands of several runs: regression on the utilization law, or a class's mean; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev


def regressed_demands(
    throughputs: Sequence[Sequence[float]], busy: Sequence[float], deviations: Sequence[float]
) -> list[float]:
    """Demands of the classes at a station, by least squares. [s]

    Of each run there are the throughputs of the classes [1/s], at least as many runs as classes,
    and its busy servers m U with their standard deviation.
    """
    import numpy as np
    from scipy.optimize import nnls

    matrix = np.array(throughputs, dtype=np.float64)
    weight = 1.0 / np.array(deviations)
    sizes = np.abs(matrix).max(axis=0)
    sizes[sizes == 0.0] = 1.0
    found, _ = nnls(matrix / sizes * weight[:, None], np.array(busy) * weight)
    return [float(each) for each in found / sizes]


@dataclass(frozen=True, slots=True)
class DemandEstimate:
    """A service demand averaged over runs."""

    #: The mean demand. [s]
    value: float
    #: Standard error of the mean, from the scatter between runs. [s]
    standard_error: float
    #: Standard deviation of a single run's demand over the mean. [1]
    variation: float
    #: Reference and demand of each run. [s]
    by_run: tuple[tuple[str, float], ...]


def mean_demand(by_run: Sequence[tuple[str, float]]) -> DemandEstimate:
    """Demands of at least two runs [s] as one, with the standard error of their mean."""
    demands = [demand for _, demand in by_run]
    mean, deviation = fmean(demands), stdev(demands)
    return DemandEstimate(
        value=mean, standard_error=deviation / sqrt(len(by_run)),
        variation=deviation / mean if mean else 0.0, by_run=tuple(by_run),
    )  # fmt: skip
