"""Measured percentiles of response times beside those that are predicted.

Models are fitted to means; percentiles then say how times spread about them, see
`calibration.estimation.tail_shape`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from calibration.estimation.tail_shape import corrected, nearest, shapes_of_class
from calibration.fitting.fitted_model import Calibration
from calibration.fitting.measured_tails import tails
from calibration.model_evaluation.model import load_of
from calibration.recordings.user_table import UserTable

#: A deviation up to this share is none.
NEAR = 0.10


@dataclass(frozen=True, slots=True)
class MeasuredPercentile:
    """One measured percentile of one run."""

    #: Of the run, and its users or requests per second.
    run: str
    load: float
    #: The class; empty for the only one.
    of: str
    #: Which percentile, [1], what was measured, what is predicted and what the model alone says of
    #: exponential services. [s]
    share: float
    measured: float
    predicted: float
    exponential: float
    #: SCV of the response time of a request alone that it asks for. [1]
    scv: float

    @property
    def deviation(self) -> float:
        """Predicted over measured, less 1."""
        return self.predicted / self.measured - 1.0


def measured_percentiles(
    calibration: Calibration, table: UserTable
) -> tuple[MeasuredPercentile, ...]:
    """Every percentile that a table holds of the runs of a calibration.

    Left out where the model has none.
    """
    found = []
    for each in tails(calibration, table):
        run = calibration.data.runs[each.run]
        own = shapes_of_class(calibration.shapes, each.customer_class)
        said = corrected(own, each.mean, each.said, each.services, [each.share])[each.share]
        scv = nearest(own, each.share).alone if own else 1.0
        numbers = (each.share, each.measured, said, each.said[each.share], scv)
        found.append(MeasuredPercentile(run.name, load_of(run), each.of, *numbers))
    return tuple(found)


def deviations(found: Sequence[MeasuredPercentile]) -> Iterator[str]:
    """What measured percentiles say, in sentences: the farthest off, and how much times vary."""
    if not found:
        return
    worst = max(found, key=lambda each: abs(each.deviation))
    if abs(worst.deviation) <= NEAR:
        yield f"measured percentiles are met within {100 * abs(worst.deviation):.0f} %"
    else:
        yield (
            f"p{100 * worst.share:g} of {worst.run} measured {worst.measured:.3g} s, predicted "
            f"{worst.predicted:.3g} s ({100 * worst.deviation:+.0f} %)"
        )
    share = max(each.share for each in found)
    highest = [each for each in found if each.share == share]
    off = fmean(each.measured / each.exponential for each in highest) - 1.0
    if abs(off) > NEAR:
        side = "above" if off > 0.0 else "below"
        yield (
            f"measured p{100 * share:g} is {100 * abs(off):.0f} % {side} that of exponential "
            f"services (squared variation without waiting {highest[0].scv:.2g}, exponential is 1); "
            "predicted percentiles follow it"
        )
