"""A comparison: one published number, what was predicted for it, and from which numbers."""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

from calibration.agreements.ensemble import NINETY_PERCENT
from calibration.agreements.published import Published
from calibration.estimation.interval import Range

#: A fit saw the number; a fit of the same model to its other rows predicts it; no fit saw it.
Status = Literal["fitted", "left out", "held out"]

#: In the order they are shown.
STATUSES: tuple[Status, ...] = ("held out", "left out", "fitted")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One published number and what was predicted for it, in the unit of the number."""

    #: The number and where it is printed.
    published: Published
    #: What was measured: a task or a part of the system, and the quantity.
    subject: str
    metric: str
    #: Under what circumstances, as in "N = 20"; summaries keep cases apart.
    case: str
    #: Whether the prediction comes from a fit that saw the number.
    status: Status
    #: What predicts.
    model: str
    #: 90 % interval for such a number: rival models, parameters, and the noise of one
    #: measurement.
    predicted: Range
    #: The cells that the prediction rests on, as `Published.cell` names them.
    fitted_on: tuple[str, ...] = ()
    #: What each admissible or rival model predicts alone.
    by_model: tuple[tuple[str, float], ...] = ()
    #: Naive baselines, to be beaten.
    baselines: tuple[tuple[str, float], ...] = ()
    #: In which respect the prediction leaves the range of what was fitted; empty if it does not.
    extrapolated: str = ""
    #: Why the model is known to fail here; empty if it is not. Shown, never tuned away.
    known_failure: str = ""
    #: What else is to be known.
    note: str = ""

    @property
    def unit(self) -> str:
        """Unit of all its numbers."""
        return self.published.unit

    def error_of(self, predicted: float) -> float:
        """Relative error of a prediction; none anywhere in a printed range or limit. [1]"""
        nearest = self.published.nearest(predicted)
        return (predicted - nearest) / abs(nearest) if predicted != nearest else 0.0

    @property
    def error(self) -> float:
        """Relative error of the prediction. [1]"""
        return self.error_of(self.predicted.mid)

    @property
    def inside(self) -> bool:
        """Whether the number lies in the interval; for a limit, whether the prediction keeps it.

        Of a printed range some part must lie in the interval.
        """
        if self.published.is_limit:
            return self.error == 0.0
        return self.published.nearest(self.predicted.low) <= self.predicted.high and (
            self.published.nearest(self.predicted.high) >= self.predicted.low
        )

    @property
    def half_width(self) -> float:
        """Half the width of the interval over the prediction. [1]"""
        return (self.predicted.high - self.predicted.low) / 2.0 / abs(self.predicted.mid)


def for_one_more(predicted: Range, standard_deviation: float) -> Range:
    """The interval for one more measurement: its own noise added in quadrature.

    The noise is that of the prediction's size, not the measured one's, so that an interval does
    not depend on the number that it is held against.

    Examples
    --------
    >>> found = for_one_more(Range(7.0, 10.0, 14.0), 4.0 / NINETY_PERCENT)
    >>> found.low, found.mid, round(found.high, 2)
    (5.0, 10.0, 15.66)
    """
    noise = NINETY_PERCENT * standard_deviation
    return Range(
        predicted.mid - sqrt((predicted.mid - predicted.low) ** 2 + noise**2), predicted.mid,
        predicted.mid + sqrt((predicted.high - predicted.mid) ** 2 + noise**2),
    )  # fmt: skip
