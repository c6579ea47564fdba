"""What one more structure promises: the fall of chi-square after its first Gauss-Newton step."""

from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from calibration.estimation.data import CalibrationData
from calibration.fitting.fitted_model import numbers_of, side_by_side
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.structure import Parameter, with_values

#: Step of a derivative, relative to the size of a parameter. [1]
STEP = 1e-4


def first_gain(
    data: CalibrationData, model: ServiceModel, known: Sequence[Parameter],
    added: Sequence[Parameter], residuals: Sequence[float],
) -> float:  # fmt: skip
    """Fall of chi-square by a step of all parameters, those added starting where they do nothing.

    With residuals r, without them, and their derivatives J by the parameters it is
    |r|^2 - min_p |r - J p|^2, the least over steps p into the range of the added ones; infinite
    where the model has no answer nearby, so that it is tried. The only start of ``known`` ones is
    their value.
    """
    from scipy.optimize import lsq_linear  # half a second to import

    free = (*known, *added)
    centre = [*(p.starts[0] for p in known), *(p.neutral or 0.0 for p in added)]
    deviation: NDArray[np.float64] = np.array(
        [each.measurement.standard_deviation for each in data.numbers]
    )
    points, steps = [centre], []
    for j, (parameter, value) in enumerate(zip(free, centre, strict=True)):
        size = abs(value) if parameter.search.ratio else parameter.scale or abs(value) or 1.0
        step = STEP * size
        if value + step > parameter.search.high:
            step = -step
        points.append([*centre[:j], value + step, *centre[j + 1 :]])
        steps.append(step)
    services = [with_values(model, free, values) for values in points]
    said = np.array([numbers_of(data, each) for each in side_by_side(data, services, data.runs)])
    if not np.isfinite(said).all():
        return inf
    slopes = ((said[1:] - said[0]).T / steps) / deviation[:, None]
    left = np.array(residuals)
    # Added parameters at the end of their range move one way only.
    free_down = [i < len(known) or centre[i] > p.search.low for i, p in enumerate(free)]
    free_up = [i < len(known) or centre[i] < p.search.high for i, p in enumerate(free)]
    ends = np.where(free_down, -inf, 0.0), np.where(free_up, inf, 0.0)
    lengths = np.linalg.norm(slopes, axis=0)
    unit = slopes / np.where(lengths > 0.0, lengths, 1.0)
    return float(left @ left - 2.0 * lsq_linear(unit, left, ends, method="bvls").cost)
