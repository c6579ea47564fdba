"""Predictions of other loads and other hardware stand on runs that the model reproduces."""

from collections.abc import Sequence

from advisor.configuration.configuration import Configuration
from advisor.predicting.calibrated import calibration_of
from calibration.predicting.reproduction import Miss, not_reproduced
from qmodel.errors import NotApplicable

_SHOWN = {"1": (100.0, " %"), "1/s": (1.0, " /s"), "s": (1.0, " s")}


def what_differs(differing: Sequence[Miss]) -> str:
    """The furthest number, and how many more there are."""
    first = differing[0]
    factor, unit = _SHOWN.get(first.number.unit, (1.0, ""))
    if first.number.quantity == "utilization":
        factor, unit = 100.0, " %"
    more = f" (and {len(differing) - 1} more)" if len(differing) > 1 else ""
    return (
        f"{first.number.title} of {first.run} was {first.number.measurement.value * factor:.4g}"
        f"{unit}, predicted {first.predicted * factor:.4g}{unit}{more}"
    )


def check_reproduced(configuration: Configuration, *, anyway: bool = False) -> None:
    """Refuse to go beyond runs that the calibration does not reproduce.

    Raises
    ------
    qmodel.NotApplicable
        In one line that names the furthest number and the remedy.
    """
    calibration = calibration_of(configuration)
    if calibration is None or anyway:
        return
    if differing := not_reproduced(calibration):
        raise NotApplicable(
            f"{configuration.settings.workload.calibration}: INP006 not what was measured: "
            f"{what_differs(differing)}; calibrate the table again, or use --anyway"
        )
