"""Laws: formulas of one or two parameters, fitted to published numbers and held against others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp, log, sqrt
from typing import Generic, TypeVar

from calibration.agreements.comparison import for_one_more
from calibration.agreements.ensemble import NINETY_PERCENT
from calibration.agreements.published import Published
from calibration.agreements.system import Model, Parameter
from calibration.estimation.fit import Fit, fit
from calibration.estimation.interval import Range
from calibration.printed_tables.run import REPLICATE_DIFFERENCE, Measurement

#: Relative standard deviation of a measurement of a kind that was never replicated: the largest
#: difference between the only replicates, by way of caution. [1]
UNKNOWN_NOISE = max(REPLICATE_DIFFERENCE.values())

#: A step of a parameter on the scale of ratios, for derivatives. [1]
_STEP = 1e-4

At = TypeVar("At")


@dataclass(frozen=True, slots=True)
class Point(Generic[At]):
    """A published number, where it was measured, and its relative noise beside print rounding."""

    published: Published
    at: At
    noise: float = UNKNOWN_NOISE

    @property
    def measurement(self) -> Measurement:
        """The number with its standard deviation, in the unit it is printed in."""
        return Measurement(self.published.value, self.deviation(self.published.value))

    def deviation(self, size: float, scatter: float = 1.0) -> float:
        """Standard deviation of a measurement of this size at this place."""
        return sqrt(self.published.half_unit**2 / 3.0 + (size * self.noise) ** 2) * scatter


@dataclass(frozen=True, slots=True)
class Law(Generic[At]):
    """A formula and its free parameters."""

    #: What the agreement report calls it, and what it assumes.
    name: str
    description: str
    #: Parameters, all positive, and a place to the number there.
    formula: Callable[[Sequence[float], At], float]
    #: Name, unit, and where the search starts.
    parameters: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True, slots=True)
class FittedLaw(Generic[At]):
    """A law with the points it was fitted to."""

    law: Law[At]
    fit: Fit
    points: tuple[Point[At], ...]

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells that the fit saw."""
        return tuple(point.published.cell for point in self.points)

    @property
    def scatter(self) -> float:
        """How much wider than their noise the residuals scatter, at least 1 (Birge's ratio).

        A law that misses its own points misses others by as much; its intervals are widened by
        this factor.
        """
        freedom = self.fit.degrees_of_freedom
        return max(1.0, sqrt(self.fit.chi_square / freedom)) if freedom else 1.0

    @property
    def widened(self) -> Fit:
        """The fit as it is if the noise is what the residuals say."""
        squared = self.scatter**2
        return replace(
            self.fit,
            standard_errors=tuple(error * self.scatter for error in self.fit.standard_errors),
            covariance=tuple(tuple(c * squared for c in row) for row in self.fit.covariance),
            residuals=tuple(residual / self.scatter for residual in self.fit.residuals),
        )

    def value(self, at: At) -> float:
        """The number at a place."""
        return self.law.formula(self.fit.values, at)

    def mean(self, change: Callable[[Sequence[float]], float]) -> Range:
        """90 % interval of a positive function of the parameters, from their uncertainty alone."""
        values = self.fit.values
        middle = change(values)
        slopes = []
        for i in range(len(values)):
            ends = [
                change([v * exp(step) if j == i else v for j, v in enumerate(values)])
                for step in (-_STEP, _STEP)
            ]
            slopes.append(log(ends[1] / ends[0]) / (2.0 * _STEP))
        variance = sum(
            slopes[i] * slopes[j] * covariance / (values[i] * values[j])
            for i, row in enumerate(self.fit.covariance)
            for j, covariance in enumerate(row)
        )
        factor = exp(NINETY_PERCENT * sqrt(max(variance, 0.0)) * self.scatter)
        return Range(middle / factor, middle, middle * factor)

    def predict(self, point: Point[At]) -> Range:
        """90 % interval for one more measurement at a point."""
        found = self.mean(lambda values: self.law.formula(values, point.at))
        return for_one_more(found, point.deviation(found.mid, self.scatter))

    def model(self) -> Model:
        """The law as the agreement report describes it."""
        return Model(
            name=self.law.name,
            description=self.law.description,
            parameters=tuple(
                Parameter(name, value, unit, error * self.scatter)
                for (name, unit, _), value, error in zip(
                    self.law.parameters, self.fit.values, self.fit.standard_errors, strict=True
                )
            ),
            fitted_on=self.cells,
            degrees_of_freedom=self.fit.degrees_of_freedom,
            chi_square=self.fit.chi_square,
        )


def fit_law(law: Law[At], points: Sequence[Point[At]]) -> FittedLaw[At]:
    """Fit a law to points, at least two for each parameter.

    Raises
    ------
    calibration.estimation.fit.NotCalibratable
        If there are too few points, or some parameter moves none of them.
    """
    predict = [point.at for point in points]
    found = fit(
        lambda values: [law.formula(values, at) for at in predict],
        [point.measurement for point in points], [start for _, _, start in law.parameters],
    )  # fmt: skip
    return FittedLaw(law, found, tuple(points))
