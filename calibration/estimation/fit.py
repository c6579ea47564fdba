"""Weighted least squares: parameters of a model from measured numbers with known noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, inf, isfinite, log
from typing import TYPE_CHECKING, Any, Literal

from calibration.printed_tables.run import Measurement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A direction of the parameters that moves the numbers by less than this share of what the best
#: direction does cannot be told from rounding in the derivatives. [1]
BLIND = 1e-6

#: Step of derivatives by approximate predictions, on the scale of the search. [1]
STEP = 1e-4

#: Most evaluations of the derivatives; the hardest published problem tried takes 1400.
EVALUATIONS = 3000


class NotCalibratable(ValueError):
    """The data cannot fix the parameters; the text says why and what to measure."""


@dataclass(frozen=True, slots=True)
class Search:
    """How a parameter is searched.

    Examples
    --------
    >>> Search().inward(1.0), Search(ratio=False, low=0.0).outward(2.5, unit=2.0)
    (0.0, 5.0)
    """

    #: On a scale of ratios, for what is positive; else on a linear one.
    ratio: bool = True
    #: Ends of the search on a linear scale.
    low: float = -inf
    high: float = inf

    def inward(self, value: float, unit: float = 1.0) -> float:
        """The value as the search sees it."""
        return log(value) if self.ratio else value / unit

    def outward(self, searched: float, unit: float = 1.0) -> float:
        """The value itself; ratios stay within 1e-97 and 1e97, so that products do as well."""
        return exp(min(max(searched, -225.0), 225.0)) if self.ratio else searched * unit


#: Positive numbers; any numbers.
RATIO = Search()
REAL = Search(ratio=False)


@dataclass(frozen=True, slots=True)
class Fit:
    """A weighted least-squares fit."""

    #: Of each parameter; the standard errors are those of the stated noise, infinite where the data
    #: do not see a parameter.
    values: tuple[float, ...]
    standard_errors: tuple[float, ...]
    #: Of the parameters, over the directions that the data see.
    covariance: tuple[tuple[float, ...], ...]
    #: (measured - predicted) / standard deviation, one for each number.
    residuals: tuple[float, ...]
    #: Each combination of parameters that the data do not see, by the positions it moves.
    blind: tuple[tuple[int, ...], ...] = ()

    @property
    def chi_square(self) -> float:
        """Sum of the squared residuals; about ``degrees_of_freedom`` for a model that holds."""
        return sum(r * r for r in self.residuals)

    @property
    def degrees_of_freedom(self) -> int:
        """Numbers less parameters."""
        return len(self.residuals) - len(self.values)


def fit(
    predict: Callable[[Sequence[float]], Sequence[float]], measured: Sequence[Measurement],
    start: Sequence[float], search: Sequence[Search] | None = None, *, blind: bool = False,
    tolerance: float = 1e-14, evaluations: int = EVALUATIONS,
    derivatives: Literal["2-point", "3-point"] = "3-point",
    nearly: Callable[[list[list[float]]], NDArray[np.float64]] | None = None, below: float = inf,
) -> Fit:  # fmt: skip
    """Fit parameters to measured numbers.

    Parameters
    ----------
    predict : callable
        Parameters to one predicted number for each measured one.
    measured : sequence of Measurement
        The numbers, at least two for each parameter.
    start : sequence of float
        Where the search starts.
    search : sequence of Search, optional
        How each parameter is searched; by default all are positive, on a scale of ratios.
    blind : bool
        Whether combinations of parameters that the data do not see are reported in the fit rather
        than refused.
    tolerance : float
        Relative change of chi-square and of the parameters at which the search ends. [1]
    evaluations : int
        Most evaluations of the derivatives.
    derivatives : {"2-point", "3-point"}
        Differences of the search; the last steps and the covariance always have the latter.
    nearly : callable, optional
        Several sets of parameters to rows of approximate predictions. Their ratios are the
        derivatives then, where they are finite.
    below : float
        Chi-square of another start's fit; a search that does not end below it is given up.

    Raises
    ------
    NotCalibratable
        If there are too few numbers, some parameter does not move any of them, or the search does
        not come to an end.
    """
    import numpy as np
    from scipy.optimize import least_squares

    check_count(len(start), len(measured))
    ways = tuple(search) if search is not None else (RATIO,) * len(start)
    # Derivatives are differences over a step relative to 1, so 1 must be a step worth taking.
    units = [abs(value) or 1.0 for value in start]
    target = np.array([m.value for m in measured])
    deviation = np.array([m.standard_deviation for m in measured])

    def outward(searched: NDArray[np.float64]) -> list[float]:
        return [
            way.outward(float(v), unit) for way, v, unit in zip(ways, searched, units, strict=True)
        ]

    known: dict[bytes, NDArray[np.float64]] = {}  # each search begins where one ended

    def residuals(searched: NDArray[np.float64]) -> NDArray[np.float64]:
        place = searched.tobytes()
        if place not in known:
            predicted = np.asarray(predict(outward(searched)), dtype=np.float64)
            known[place] = (target - predicted) / deviation
        return known[place]

    def slopes(searched: NDArray[np.float64]) -> NDArray[np.float64]:
        """Derivatives of the residuals by ratios of approximate predictions."""
        steps = np.where(searched + STEP > high, -STEP, STEP)
        points = [searched, *(searched + np.diag(steps))]
        asked = [outward(point) for point in points]
        said = nearly(asked) if nearly else np.array([np.nan])
        if not np.isfinite(said).all():
            said = np.array([predict(each) for each in asked], dtype=np.float64)
        now = target - deviation * residuals(searched)
        ratio = np.divide(now, said[0], out=np.ones_like(now), where=said[0] != 0.0)
        moved: NDArray[np.float64] = ((said[1:] - said[0]) * ratio / steps[:, None]).T
        moved /= -deviation[:, None]
        return moved

    jacobian: Any = derivatives if nearly is None else slopes
    low = np.array([-inf if w.ratio else w.low / u for w, u in zip(ways, units, strict=True)])
    high = np.array([inf if w.ratio else w.high / u for w, u in zip(ways, units, strict=True)])
    inward = [w.inward(v, u) for w, v, u in zip(ways, start, units, strict=True)]
    first = np.clip(np.array(inward), low, high)
    if not np.isfinite(residuals(first)).all():
        raise NotCalibratable("the model has no solution at the starting values of the fit")
    # Most searches end where another did, which a rough one shows.
    for rough in (1e4, 1.0) if below < inf else (1.0,):
        with np.errstate(over="ignore"):  # of a step that is refused then
            found = least_squares(
                residuals, first, jac=jacobian, x_scale="jac", bounds=(low, high),
                xtol=rough * tolerance, ftol=rough * tolerance, gtol=rough * tolerance,
                max_nfev=evaluations,
            )  # fmt: skip
        if not found.success:
            raise NotCalibratable(f"the fit did not converge within {evaluations} steps")
        if 2.0 * found.cost > below:
            raise NotCalibratable("another start fits better")
        first = found.x
    if nearly is None:
        jacobian = "3-point"
        if derivatives == "2-point":
            found = least_squares(residuals, found.x, jac=jacobian, bounds=(low, high), max_nfev=1)
    found = _settled(found, residuals, jacobian, low, high, tolerance)
    values = outward(found.x)
    # What a step of 1 of the search is, in units of the parameter itself.
    sizes = np.array([v if w.ratio else u for w, v, u in zip(ways, values, units, strict=True)])
    covariance, unseen = _covariance(np.asarray(found.jac), sizes)
    if unseen and not blind:
        weak = max(unseen[0][1], key=lambda entry: entry[1])[0]
        raise NotCalibratable(f"parameter {weak + 1} does not move any of the measured numbers")
    groups = tuple(tuple(i for i, _ in entries) for _, entries in unseen)
    hidden = {i for group in groups for i in group}
    return Fit(
        values=tuple(values),
        standard_errors=tuple(
            inf if i in hidden else float(e) for i, e in enumerate(np.sqrt(np.diag(covariance)))
        ),
        covariance=tuple(tuple(float(c) for c in row) for row in covariance),
        residuals=tuple(float(r) for r in found.fun),
        blind=groups,
    )


def check_count(parameters: int, numbers: int) -> None:
    """Refuse more than one free parameter for two numbers."""
    if numbers < 2 * parameters:
        raise NotCalibratable(
            f"{parameters} parameter{'s need' if parameters > 1 else ' needs'} at least "
            f"{2 * parameters} measured numbers, "
            f"there are {numbers}; measure another population"
        )


def _settled(
    found: Any, residuals: Callable[[NDArray[np.float64]], NDArray[np.float64]], jacobian: Any,
    low: NDArray[np.float64], high: NDArray[np.float64], tolerance: float,
) -> Any:  # fmt: skip
    """The minimum of chi-square by Gauss-Newton steps from where the search ended.

    Near its minimum chi-square changes with the square of a step, which rounding hides; the
    gradient changes in proportion. A step p of predictions J p is worth taking if |J p|^2
    exceeds a thousandth of the tolerance times chi-square, and is taken if the next one is at most
    half as long: where residuals are large and the model is much curved it is not.
    """
    import numpy as np
    from scipy.optimize import least_squares

    def step(at: Any) -> tuple[NDArray[np.float64], float]:
        lengths = np.linalg.norm(at.jac, axis=0)
        lengths[lengths == 0.0] = 1.0
        unit = at.jac / lengths
        move = -np.linalg.lstsq(unit, at.fun, rcond=BLIND)[0]
        return move / lengths, float(np.linalg.norm(unit @ move))

    move, length = step(found)
    while length**2 > 2e-3 * tolerance * found.cost and not found.active_mask.any():
        there = found.x + move
        if not ((low < there) & (there < high)).all() or not np.isfinite(residuals(there)).all():
            break
        # One evaluation: the residuals and their derivatives, no search.
        following = least_squares(residuals, there, jac=jacobian, bounds=(low, high), max_nfev=1)
        move, shorter = step(following)
        if shorter > 0.5 * length:
            break
        found, length = following, shorter
    return found


def _covariance(
    jacobian: NDArray[np.float64], sizes: NDArray[np.float64]
) -> tuple[NDArray[np.float64], list[tuple[float, list[tuple[int, float]]]]]:
    """Covariance over the directions that the data see, and the others with their entries."""
    import numpy as np

    # Columns of equal length, so that a weak parameter is not taken for an unseen one.
    lengths = np.linalg.norm(jacobian, axis=0)
    dead = lengths <= BLIND * float(lengths.max(initial=0.0))
    scale = np.where(dead, 1.0, lengths)
    unit: Any = np.where(dead, 0.0, jacobian / scale)
    _, singular, right = np.linalg.svd(unit, full_matrices=False)
    seen = singular > BLIND * singular[0] if singular[0] > 0.0 else np.zeros(len(singular), bool)
    unseen = []
    for value, row in zip(singular[~seen], right[~seen], strict=True):
        share = np.abs(row) / np.abs(row).max()
        unseen.append(
            (float(value), [(int(i), float(share[i])) for i in np.flatnonzero(share > 0.1)])
        )
    inverse = np.where(seen, 1.0 / np.where(seen, singular, 1.0) ** 2, 0.0)
    step = sizes / scale
    covariance = (right.T * inverse) @ right * step[:, None] * step
    if not isfinite(float(covariance.sum())):
        raise NotCalibratable("the measured numbers contradict each other: no parameters fit them")
    return 0.5 * (covariance + covariance.T), unseen  # symmetric but for rounding
