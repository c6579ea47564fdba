"""Demands by regression on the utilization law, without a queueing model.

Over runs m U = m U0 + sum of X_c D_c, a straight line in the throughputs. With one class its
intercept is background load [1]_; with many, demands are kept from falling below nothing, since
classes that rise and fall together would else trade negative demands for positive ones [2]_. What
it finds serves as a start for the fit and as a check beside it.

References
----------
.. [1] D. A. Menasce, V. A. F. Almeida and L. W. Dowdy, "Performance by Design," Prentice-Hall,
   2004, ch. 12.
.. [2] C. L. Lawson and R. J. Hanson, "Solving Least Squares Problems," Prentice-Hall, 1974, ch. 23.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt



@dataclass(frozen=True, slots=True)
class Regression:
    """Demands of the classes at one station."""

    #: Of each class. [s]
    demands: tuple[float, ...]
    #: By the scatter around the line; infinite without a run to spare, 0 for a demand that was
    #: kept from falling below nothing. [s]
    standard_errors: tuple[float, ...]
    #: Busy servers without any customer, 0 unless asked for. [servers]
    background: float = 0.0
    #: Its standard error.
    background_error: float = 0.0


def utilization_regression(
    throughputs: Sequence[Sequence[float]],
    busy: Sequence[float],
    deviations: Sequence[float] | None = None,
    *,
    background: bool = False,
) -> Regression:
    """Demands at a station from throughputs and busy servers.

    Parameters
    ----------
    throughputs : sequence of sequence of float
        Of each class in each run. [1/s]
    busy : sequence of float
        Busy servers m U in each run. [servers]
    deviations : sequence of float, optional
        Standard deviation of each of them; all alike if not given.
    background : bool
        Whether part of it belongs to no class.

    Raises
    ------
    ValueError
        If there are fewer runs than demands.

    Examples
    --------
    >>> found = utilization_regression([[1.0], [2.0], [4.0]], [0.3, 0.5, 0.9], background=True)
    >>> round(found.demands[0], 6), round(found.background, 6)
    (0.2, 0.1)
    >>> mix = utilization_regression([[1, 0], [0, 1], [1, 1]], [0.2, 0.0, 0.1])
    >>> [round(d, 3) for d in mix.demands]
    [0.15, 0.0]
    """
    import numpy as np
    from scipy.optimize import nnls

    matrix = np.array(throughputs, dtype=np.float64).reshape(len(busy), -1)
    if background:
        matrix = np.column_stack([matrix, np.ones(len(busy))])
    runs, count = matrix.shape
    if runs < count:
        raise ValueError(f"{count} demands need at least {count} runs, there are {runs}")
    weight = 1.0 / np.array(deviations if deviations is not None else [1.0] * runs)
    target = np.array(busy, dtype=np.float64) * weight
    sizes = np.abs(matrix).max(axis=0)
    sizes[sizes == 0.0] = 1.0
    scaled = matrix / sizes * weight[:, None]
    found, distance = nnls(scaled, target)
    free = found > 0.0
    errors = np.zeros(count)
    spare = runs - int(free.sum())
    if free.any():
        information = scaled[:, free].T @ scaled[:, free]
        spread = distance**2 / spare if spare else inf
        errors[free] = np.sqrt(np.maximum(np.diag(np.linalg.pinv(information)), 0.0)) * sqrt(spread)
    values, errors = found / sizes, errors / sizes
    end = count - 1 if background else count
    return Regression(
        tuple(float(v) for v in values[:end]),
        tuple(float(e) for e in errors[:end]),
        float(values[-1]) if background else 0.0,
        float(errors[-1]) if background else 0.0,
    )


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
