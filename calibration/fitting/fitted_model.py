"""What a calibration is: models fitted to the same data, and what those data do not say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, inf, sqrt
from typing import Any, Self

from calibration.estimation.data import CalibrationData, Conditions
from calibration.estimation.interval import NINETY, NINETY_FIVE
from calibration.estimation.tail_shape import TailShape
from calibration.model_evaluation.answers import answers, nearly
from calibration.model_evaluation.model import Answer, ServiceModel, blank
from calibration.structures.structure import Parameter, with_values
from qmodel.tabular import Tabular

#: A standard error up to this share of a parameter, or of the size that matters, is knowledge. [1]
KNOWN = 0.5

#: Why a model counts of which the data say nothing; and how many times the smallest pool that they
#: do not exclude its pool is.
CARRIED, LARGER = "carried to higher loads", 2.2


@dataclass(frozen=True, slots=True)
class FittedModel:
    """One structure fitted to the data.

    Parameters
    ----------
    name, structure : str
        Of the model, with its station, and of the structure it has.
    parameters : tuple of Parameter
        The free numbers.
    values, standard_errors : tuple of float
        Of each; a standard error is infinite where the data do not see the parameter.
    covariance : tuple of tuple of float
        Of the parameters; widened where the data scatter more than their noise.
    residuals : tuple of float
        (measured - predicted) / standard deviation of each number of the data.
    error : float
        Mean absolute relative error of the fit. [1]
    admissible : bool
        Whether it is within noise of the best, and its own parameters are known.
    weight : float
        Its part in a prediction. [1]
    reason : str
        Why it is admissible, or why not.
    """

    name: str
    structure: str
    parameters: tuple[Parameter, ...]
    values: tuple[float, ...]
    standard_errors: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    residuals: tuple[float, ...]
    error: float
    admissible: bool = False
    weight: float = 0.0
    reason: str = ""

    @property
    def chi_square(self) -> float:
        """Sum of the squared residuals."""
        return sum(r * r for r in self.residuals)

    def identified(self, i: int) -> bool:
        """Whether the data fix a parameter: to half of itself, or of the size that matters."""
        size = max(abs(self.values[i]), self.parameters[i].scale)
        return self.standard_errors[i] <= KNOWN * size

    def value(self, name: str) -> float:
        """The value of the parameter of this name."""
        return self.values[[p.name for p in self.parameters].index(name)]

    def interval(self, i: int, deviations: float = NINETY_FIVE) -> tuple[float, float]:
        """A confidence interval, 95 % by default, on the scale of the search and in its limits."""
        value, error = self.values[i], self.standard_errors[i]
        search = self.parameters[i].search
        if search.ratio:
            if error == inf:
                return 0.0, inf
            factor = exp(min(deviations * error / value, 690.0))
            return value / factor, value * factor
        return (
            max(search.low, value - deviations * error),
            min(search.high, value + deviations * error),
        )

    def widened(self, factor: float) -> Self:
        """The same with standard errors so many times as large."""
        if factor == 1.0:
            return self
        return replace(
            self, standard_errors=tuple(e * factor for e in self.standard_errors),
            covariance=tuple(tuple(c * factor**2 for c in row) for row in self.covariance),
        )  # fmt: skip

    def correlations(self) -> Iterator[tuple[int, int, float]]:
        """Each pair of parameters with its correlation."""
        for i, row in enumerate(self.covariance):
            for j in range(i):
                product = row[i] * self.covariance[j][j]
                if product > 0.0:
                    yield j, i, row[j] / sqrt(product)


@dataclass(frozen=True, slots=True)
class Unknown:
    """What the data cannot tell, and the measurement that would."""

    #: The parameters, or the models, that cannot be told apart.
    what: tuple[str, ...]
    #: How they hide behind one another.
    reason: str
    #: What to measure; empty if nothing would help.
    measure: str

    def __str__(self) -> str:
        return "; ".join(filter(None, (self.reason, self.measure)))


@dataclass(frozen=True, slots=True)
class Calibration(Tabular):
    """Models of one system, fitted side by side.
    As a table: a row per model and parameter, with its 95 % interval.

    Parameters
    ----------
    data : CalibrationData
        What they were fitted to.
    reference : float
        Load at which demands are stated.
    models : tuple of FittedModel
        Admissible ones first, the best of them at the front.
    refused : tuple of (str, str)
        Structures that could not be fitted, and why.
    widening : float
        Factor on all standard errors, because the best model fits worse than noise allows. [1]
    unknown : tuple of Unknown
        What the data do not fix.
    contradictions : tuple of str
        What the audit found in the data and was told to pass over.
    shapes : tuple of TailShape
        How response times spread about their mean, as measured percentiles say.
    """

    data: CalibrationData
    reference: float
    models: tuple[FittedModel, ...]
    refused: tuple[tuple[str, str], ...] = ()
    widening: float = 1.0
    unknown: tuple[Unknown, ...] = ()
    contradictions: tuple[str, ...] = ()
    shapes: tuple[TailShape, ...] = ()

    def __hash__(self) -> int:
        """Of what is cheap: a calibration holds thousands of numbers, and is a key of caches."""
        return hash((self.data.source, self.reference, self.widening, len(self.models)))

    @property
    def best(self) -> FittedModel:
        """The model that the data speak for most."""
        return self.models[0]

    @property
    def admissible(self) -> tuple[FittedModel, ...]:
        """The models that predict."""
        return tuple(model for model in self.models if model.admissible)

    @property
    def deviations(self) -> float:
        """Standard errors to either side of a 90 % interval: Student's, by the degrees of freedom.

        By the expansion of Cornish and Fisher, to 1 % from three degrees of freedom on.
        """
        freedom = max(3, len(self.data.numbers) - len(self.best.values))
        z = NINETY
        return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)

    @property
    def smallest_pool(self) -> int | None:
        """The smallest pool that is not excluded, where all laws are carried. [customers]"""
        found = (m for m in self.admissible if m.structure == "pool" and m.weight < 1.0)
        carried = next((m for m in found if m.reason == CARRIED), None)
        return None if carried is None else ceil(carried.value("size of pool") / LARGER - 1e-9)

    def model(self, name: str) -> FittedModel:
        """The model of this name."""
        return next(model for model in self.models if model.name == name)

    def service(self, fitted: FittedModel, values: Sequence[float] | None = None) -> ServiceModel:
        """A fitted model as the demands and structures it stands for."""
        data = self.data
        names = data.classes, data.stations, data.series
        empty = blank(*names, self.reference, data.pool, data.thinking)
        return with_values(empty, fitted.parameters, fitted.values if values is None else values)

    def _caption(self) -> str:
        fit = f"{len(self.admissible)} of {len(self.models)} models predict"
        return f"{self.data.source}: {fit}; the best is {self.best.name}"

    def _columns(self) -> dict[str, list[Any]]:
        both = [(model, i) for model in self.models for i in range(len(model.values))]
        intervals = [model.interval(i) for model, i in both]
        of_model = ("name", "admissible", "weight", "error")
        return {
            **{
                what.replace("name", "model"): [getattr(m, what) for m, _ in both]
                for what in of_model
            },
            "parameter": [m.parameters[i].name for m, i in both],
            "unit": [m.parameters[i].unit for m, i in both],
            "value": [m.values[i] for m, i in both],
            "low": [low for low, _ in intervals],
            "high": [high for _, high in intervals],
        }

    def predicted(self, fitted: FittedModel) -> tuple[float, ...]:
        """What a model says of each number it was fitted to."""
        return tuple(
            each.measurement.value - r * each.measurement.standard_deviation
            for each, r in zip(self.data.numbers, fitted.residuals, strict=True)
        )


def numbers(data: CalibrationData, model: ServiceModel) -> list[float]:
    """What a model says of each measured number; infinite where it has no steady state."""
    return numbers_of(data, answers(model, data.runs))


def chi_square_of(data: CalibrationData, model: ServiceModel) -> float:
    """Sum of the squares of what a model leaves of each number, in standard deviations."""
    total = 0.0
    for each, value in zip(data.numbers, numbers(data, model), strict=True):
        measured = each.measurement
        total += ((measured.value - value) / measured.standard_deviation) ** 2
    return total


def side_by_side(
    data: CalibrationData, models: Sequence[ServiceModel], runs: Sequence[Conditions]
) -> list[list[Answer | None]]:
    """What each model says of runs, for what they differ by; approximate where `takes_long`."""
    if takes_long(data):
        return nearly(models, runs)
    return [answers(model, runs) for model in models]


def takes_long(data: CalibrationData) -> bool:
    """Whether an exact answer takes a lattice of populations: several classes, users counted."""
    return len(data.classes) > 1 and all(run.population is not None for run in data.runs)


def numbers_of(data: CalibrationData, found: Sequence[Answer | None]) -> list[float]:
    """As `numbers`, of what a model says of each run."""
    return [
        inf
        if (answer := found[each.run]) is None
        else answer.of(each.quantity, data.place_of(each))
        for each in data.numbers
    ]
