"""Predictions of other loads and other hardware stand on runs that the model reproduces."""

from collections.abc import Sequence

from advisor.configuration.configuration import Configuration
from advisor.predicting.calibrated import calibration_of
from calibration.fitting.fitted_model import Calibration
from calibration.predicting.reproduction import Miss, not_reproduced
from qmodel.errors import NotApplicable

#: A model that is off its own runs by more, on average, is not usable; a convention. [1]
WRONG = 0.10
_SHOWN = {"1": (100.0, " %"), "1/s": (1.0, " /s"), "s": (1e3, " ms")}


def what_differs(differing: Sequence[Miss]) -> str:
    """The furthest number, and how many more there are."""
    first = differing[0]
    own = 1.0 / first.number.scale, f" {first.number.unit}"
    factor, unit = _SHOWN.get(first.number.unit, own)
    if first.number.quantity in {"utilization", "pool_use"}:
        factor, unit = 100.0, " %"
    more = f" (and {len(differing) - 1} more)" if len(differing) > 1 else ""
    return (
        f"{first.number.title} of {first.run} was {first.number.measurement.value * factor:.4g}"
        f"{unit}, predicted {first.predicted * factor:.4g}{unit}{more}"
    )


def why_not_usable(calibration: Calibration | None) -> str:
    """Why the runs of a calibration do not bear predictions; empty where they do."""
    if calibration is None:
        return ""
    if differing := not_reproduced(calibration):
        return f"does not reproduce its own runs: {what_differs(differing)}"
    error = calibration.best.error
    return f"off its own runs by {100.0 * error:.0f} % on average" if error > WRONG else ""


def caveat(configuration: Configuration) -> str:
    """What an answer from a calibration that is not usable says of itself; else empty."""
    why = why_not_usable(calibration_of(configuration))
    return f"the calibration is NOT USABLE, {why}: a first idea, no more" if why else ""


def not_as_measured(calibration: Calibration | None) -> str:
    """Finding INP006 in one line, with its remedy; empty where every run is reproduced."""
    if why := why_not_usable(calibration):
        why = f"INP006 the calibration is not usable, {why}; see qmodel calibrate --residuals"
    return why


def check_reproduced(configuration: Configuration, *, anyway: bool = False) -> None:
    """Refuse to go beyond runs that the calibration does not reproduce.

    Raises
    ------
    qmodel.NotApplicable
        In one line that names the furthest number and the remedy.
    """
    problem = "" if anyway else not_as_measured(calibration_of(configuration))
    if problem:
        name = configuration.settings.workload.calibration
        raise NotApplicable(f"{name}: {problem}, or use --anyway")
