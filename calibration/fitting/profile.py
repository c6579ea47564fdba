"""Profile likelihood: how far a parameter can go while all others are refitted; see THEORY.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, isfinite

from calibration.estimation.fit import NotCalibratable
from calibration.estimation.interval import NINETY_FIVE
from calibration.fitting.fitted_model import Calibration, FittedModel, chi_square_of
from calibration.fitting.one_model import fit_model

#: Rise of chi-square at the ends of a 95 % interval of one parameter.
RISE = NINETY_FIVE**2

#: Beyond this many standard errors an interval counts as open.
FARTHEST = 20.0

#: Steps of the bisection towards an end; the end is then known to a thousandth of its distance.
_STEPS = 12

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Profile:
    """The 95 % interval of one parameter by profile likelihood."""

    #: Of the parameter.
    name: str
    unit: str
    #: Where chi-square is least.
    value: float
    #: Ends of the interval; a limit of the search where the data do not end it.
    low: float
    high: float
    #: Whether the data do not end it on that side.
    low_open: bool
    high_open: bool


def profiles(
    calibration: Calibration, name: str | None = None, progress: Progress | None = None
) -> tuple[Profile, ...]:
    """The profile of every parameter of a model, the best by default.

    Parameters
    ----------
    calibration : Calibration
        From `calibration.fitting.calibrate`.
    name : str, optional
        Which of its models.
    progress : callable, optional
        Told how many parameters of how many are done.

    Returns
    -------
    tuple of Profile
        One a parameter, in their order. An interrupt from the keyboard ends the search, and those
        found by then are returned.

    Examples
    --------
    >>> from calibration.fitting.calibrate import calibrate
    >>> from calibration.recordings.user_table import parse_user_table
    >>> fitted = calibrate(parse_user_table('''users,think_time [s],throughput [1/s],cpu
    ... 1,2,0.400,20.0
    ... 4,2,1.379,68.9
    ... 8,2,1.939,97.0
    ... '''))
    >>> (demand,) = profiles(fitted)
    >>> demand.name, round(demand.low, 2), round(demand.high, 2)
    ('demand of cpu', 0.49, 0.51)
    """
    model = calibration.best if name is None else calibration.model(name)
    found: list[Profile] = []
    count = len(model.parameters)
    try:
        for i, parameter in enumerate(model.parameters):
            if progress is not None:
                progress(i, count)
            (low, low_open), (high, high_open) = (
                _end(calibration, model, i, direction) for direction in (-1.0, 1.0)
            )
            ends = (low, high, low_open, high_open)
            found.append(Profile(parameter.name, parameter.unit, model.values[i], *ends))
        if progress is not None:
            progress(count, count)
    except KeyboardInterrupt:
        pass  # what was found by then is there
    return tuple(found)


def _end(
    calibration: Calibration, model: FittedModel, i: int, direction: float
) -> tuple[float, bool]:
    """An end of the interval, and whether it is open there."""
    parameter, value = model.parameters[i], model.values[i]
    error = model.standard_errors[i]
    if not isfinite(error) or not error:
        error = max(abs(value), parameter.scale) or 1.0
    limit = model.chi_square + RISE * calibration.widening**2
    nearest = list(model.values)
    search = parameter.search

    def at(deviations: float) -> float:
        if search.ratio:
            factor = min(deviations * error / value, 9.0)
            return value * exp(direction * factor)
        return min(max(value + direction * deviations * error, search.low), search.high)

    def inside(place: float) -> bool:
        nonlocal nearest
        found = _least(calibration, model, i, place, nearest)
        if found is None:
            return False
        nearest, chi_square = found
        return chi_square <= limit

    near, far = 0.0, 1.0
    while inside(at(far)):
        near, far = far, 2.0 * far
        stuck = not search.ratio and at(near) in {search.low, search.high}
        if far > FARTHEST or stuck or (search.ratio and far * error / value > 9.0):
            end = at(near)
            return (end if not search.ratio else (0.0 if direction < 0.0 else inf)), True
    for _ in range(_STEPS):
        middle = 0.5 * (near + far)
        near, far = (middle, far) if inside(at(middle)) else (near, middle)
    return at(0.5 * (near + far)), False


def _least(
    calibration: Calibration, model: FittedModel, i: int, place: float, nearest: Sequence[float]
) -> tuple[list[float], float] | None:
    """The other parameters at their best with one of them held, and chi-square there."""
    fixed = calibration.service(model, [*model.values[:i], place, *model.values[i + 1 :]])
    others = [
        replace(p, starts=(value,))
        for j, (p, value) in enumerate(zip(model.parameters, nearest, strict=True))
        if j != i
    ]
    if not others:
        return [place], chi_square_of(calibration.data, fixed)
    try:
        found = fit_model(calibration.data, fixed, others)
    except NotCalibratable:
        return None
    return [*found.values[:i], place, *found.values[i:]], found.chi_square
