"""Weighted least squares: parameters of a model from measured numbers with known noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from calibration.run import Measurement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NotCalibratable(ValueError):
    """The data cannot fix the parameters; the text says why and what to measure."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A weighted least-squares fit.

    Parameters
    ----------
    values, standard_errors : tuple of float
        Of each parameter; the standard errors are those of the stated noise.
    covariance : tuple of tuple of float
        Of the parameters.
    residuals : tuple of float
        (measured - predicted) / standard deviation, one for each number.
    """

    values: tuple[float, ...]
    standard_errors: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    residuals: tuple[float, ...]

    @property
    def correlation(self) -> tuple[tuple[float, ...], ...]:
        """Correlation matrix of the parameters."""
        return tuple(
            tuple(c / (a * b) for c, b in zip(row, self.standard_errors, strict=True))
            for row, a in zip(self.covariance, self.standard_errors, strict=True)
        )

    @property
    def chi_square(self) -> float:
        """Sum of the squared residuals; about ``degrees_of_freedom`` for a model that holds."""
        return sum(r * r for r in self.residuals)

    @property
    def degrees_of_freedom(self) -> int:
        """Numbers less parameters."""
        return len(self.residuals) - len(self.values)


def fit(
    predict: Callable[[Sequence[float]], Sequence[float]],
    measured: Sequence[Measurement],
    start: Sequence[float],
) -> Fit:
    """Fit positive parameters to measured numbers.

    Parameters
    ----------
    predict : callable
        Parameters to one predicted number for each measured one.
    measured : sequence of Measurement
        The numbers, at least two for each parameter.
    start : sequence of float
        Where the search starts, each > 0; the parameters are fitted on a log scale.

    Raises
    ------
    NotCalibratable
        If there are too few numbers, or some parameter does not move any of them.

    Examples
    --------
    >>> from calibration.run import Measurement
    >>> data = [Measurement(2.1, 0.1), Measurement(1.9, 0.1)]
    >>> found = fit(lambda p: [p[0], p[0]], data, start=[1.0])
    >>> round(found.values[0], 3), round(found.standard_errors[0], 3)
    (2.0, 0.071)
    """
    import numpy as np
    from scipy.optimize import least_squares

    if len(measured) < 2 * len(start):
        raise NotCalibratable(
            f"{len(start)} parameters need at least {2 * len(start)} measured numbers, "
            f"there are {len(measured)}; measure another population"
        )

    def residuals(logs: NDArray[np.float64]) -> NDArray[np.float64]:
        predicted = predict([float(v) for v in np.exp(logs)])
        return np.array(
            [(m.value - p) / m.standard_deviation for m, p in zip(measured, predicted, strict=True)]
        )

    found = least_squares(
        residuals, [log(v) for v in start], jac="3-point", xtol=1e-12, ftol=1e-12, gtol=1e-12
    )
    values = np.exp(found.x)
    # Singular values of the weighted Jacobian: what the data cannot see has none.
    _, singular, right = np.linalg.svd(np.asarray(found.jac), full_matrices=False)
    if singular[-1] < 1e-6 * singular[0]:
        weak = int(np.argmax(np.abs(right[-1])))
        raise NotCalibratable(f"parameter {weak + 1} does not move any of the measured numbers")
    covariance = (right.T / singular**2) @ right * np.outer(values, values)
    return Fit(
        values=tuple(float(v) for v in values),
        standard_errors=tuple(float(e) for e in np.sqrt(np.diag(covariance))),
        covariance=tuple(tuple(float(c) for c in row) for row in covariance),
        residuals=tuple(float(r) for r in found.fun),
    )
