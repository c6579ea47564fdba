"""What the models of domino5_raid say of published numbers: growth."""

from collections.abc import Iterator
from dataclasses import replace

from calibration.agreements.comparison import Comparison
from calibration.systems.domino5_raid.growth import _FITTED, _HELD_OUT, LAW, _point, calibrated
from scripts.paper_agreement.shared import by_status


def compare() -> Iterator[Comparison]:
    """Differences of growth at 3,000 and 4,000 users."""
    fitted = calibrated()
    for status, row in by_status(_FITTED, _HELD_OUT):
        point = _point(row)
        predicted = fitted.predict(point)
        yield Comparison(
            published=point.published,
            subject="several arrays",
            metric="growth of the fastest array over the slowest",
            case="",
            status=status,
            model=LAW.name,
            predicted=replace(predicted, low=max(0.0, predicted.low)),
            fitted_on=fitted.cells,
            baselines=(("mean of both at 3,000 users", _mean()),),
            extrapolated="" if status == "fitted" else "4,000 users, fitted to 3,000",
        )


def _mean() -> float:
    return sum(_point(row).published.value for row in _FITTED) / len(_FITTED)
