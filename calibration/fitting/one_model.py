"""One model fitted to the data: from several starts, with what is expected of its parameters."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import ceil, floor, inf

import numpy as np
from numpy.typing import NDArray

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Fit, NotCalibratable, Search, fit
from calibration.fitting.fitted_model import (
    FittedModel,
    chi_square_of,
    numbers,
    numbers_of,
    side_by_side,
    takes_long,
)
from calibration.model_evaluation.model import ServiceModel
from calibration.printed_tables.run import Measurement
from calibration.structures.structure import Parameter, with_values

#: A search of a model ends when chi-square and parameters change less than this, or after so many
#: steps: what takes longer is no model of these numbers.
TOLERANCE, EVALUATIONS = 1e-9, 100
#: The tolerance where derivatives are those of approximate answers.
NEARLY = 1e-6
#: From one size of a pool to the next that is looked at, a ratio. [1]
STEP = 1.5
#: Of a larger pool it hardly matters that it is whole. [customers]
MANY = 100.0


def fit_model(
    data: CalibrationData, model: ServiceModel, parameters: Sequence[Parameter], noise: float = 1.0
) -> Fit:
    """Fit parameters of a model to the data from the best of their starting values.

    What is expected of a parameter counts as one more number, beside data whose noise is so many
    times the usual. A pool is searched among real numbers and comes out as a whole one.
    """
    expected = [(i, p.neutral or 0.0) for i, p in enumerate(parameters) if p.expected]

    def service(values: Sequence[float]) -> ServiceModel:
        return with_values(model, parameters, values)

    def told(said: list[float], values: Sequence[float]) -> list[float]:
        return [*said, *(values[i] - neutral for i, neutral in expected)]

    def exactly(values: Sequence[float]) -> list[float]:
        return told(numbers(data, service(values)), values)

    def roughly(points: list[list[float]]) -> NDArray[np.float64]:
        found = side_by_side(data, [service(values) for values in points], data.runs)
        said = [numbers_of(data, each) for each in found]
        return np.array([told(*each) for each in zip(said, points, strict=True)])

    measured = [each.measurement for each in data.numbers]
    measured += [Measurement(0.0, parameters[i].expected / noise) for i, _ in expected]
    search = [p.search for p in parameters]
    count = max(len(p.starts) for p in parameters)
    starts = [[p.starts[min(i, len(p.starts) - 1)] for p in parameters] for i in range(count)]
    starts = [*_likely_pool(data, service, parameters, starts), *starts]
    derivatives = None
    if takes_long(data):  # exact answers are for the last few steps
        derivatives = roughly
        found = _best(lambda v: roughly([list(v)])[0].tolist(), measured, starts, search, roughly)
        starts = [[going_on_from(p, v) for p, v in zip(parameters, found.values, strict=True)]]
    best = _best(exactly, measured, starts, search, derivatives)
    best = replace(best, residuals=best.residuals[: len(data.numbers)])
    return _with_whole_pool(data, model, parameters, noise, best)


def _likely_pool(
    data: CalibrationData, service: Callable[[Sequence[float]], ServiceModel],
    parameters: Sequence[Parameter], starts: Sequence[Sequence[float]],
) -> list[list[float]]:  # fmt: skip
    """The first start with the pool that fits best beside it: most of a crowd waits outside one."""
    at = next((i for i, p in enumerate(parameters) if p.sets == "pool"), None)
    if at is None or len(starts) == 1:
        return []
    sizes = [1.0]
    while sizes[-1] < max(parameters[at].starts):
        sizes.append(float(ceil(STEP * sizes[-1])))
    tried = [[*starts[0][:at], size, *starts[0][at + 1 :]] for size in sizes]
    misfits = [chi_square_of(data, service(values)) for values in tried]
    return [min(zip(misfits, tried, strict=True), key=lambda each: each[0])[1]]


def _with_whole_pool(
    data: CalibrationData, model: ServiceModel, parameters: Sequence[Parameter], noise: float,
    best: Fit,
) -> Fit:  # fmt: skip
    """The other parameters beside the better of the whole pools around the one that was found.

    The covariance stays that of the search, which knows how sure the size is.
    """
    at = next((i for i, p in enumerate(parameters) if p.sets == "pool"), None)
    if at is None or best.values[at] > MANY:
        return best
    others = [
        replace(p, starts=(going_on_from(p, value),))
        for i, (p, value) in enumerate(zip(parameters, best.values, strict=True)) if i != at
    ]  # fmt: skip
    fits = []
    for size in {float(floor(best.values[at])), float(ceil(best.values[at]))}:
        with suppress(NotCalibratable):
            fits.append((fit_model(data, replace(model, pool=(size,)), others, noise), size))
    if not fits:
        return best
    found, size = min(fits, key=lambda each: each[0].chi_square)
    values = (*found.values[:at], size, *found.values[at:])
    return replace(best, values=values, residuals=found.residuals)


def model_of(
    data: CalibrationData, name: str, structure: str, parameters: Sequence[Parameter], found: Fit
) -> FittedModel:
    """A fit of parameters as a model, with the mean of its relative errors."""
    errors = [
        abs(r) * each.measurement.standard_deviation / each.measurement.value
        for each, r in zip(data.numbers, found.residuals, strict=True)
    ]
    return FittedModel(
        name, structure, tuple(parameters), found.values, found.standard_errors,
        found.covariance, found.residuals, sum(errors) / len(errors),
    )  # fmt: skip


def going_on_from(parameter: Parameter, value: float) -> float:
    """Where to go on from a value: a search needs a size above nothing."""
    return value if abs(value) > 0.03 * parameter.scale else 0.03 * parameter.scale


def _best(
    predict: Callable[[Sequence[float]], list[float]], measured: Sequence[Measurement],
    starts: Sequence[Sequence[float]], search: Sequence[Search],
    roughly: Callable[[list[list[float]]], NDArray[np.float64]] | None,
) -> Fit:  # fmt: skip
    """The fit from the best of some starts."""
    best: Fit | None = None
    failure = "no start"
    for start in starts:
        try:
            best = fit(
                predict, measured, start, search,
                blind=True, tolerance=TOLERANCE if roughly is None else NEARLY,
                evaluations=EVALUATIONS, derivatives="2-point", nearly=roughly,
                below=inf if best is None else best.chi_square - 1e-9,
            )  # fmt: skip
        except NotCalibratable as error:
            failure = str(error)
    if best is None:
        raise NotCalibratable(failure)
    return best
