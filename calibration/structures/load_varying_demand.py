"""Demands that vary with load: proportional to the number of users to some power."""

from __future__ import annotations

from collections.abc import Iterator

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.structure import Extension, Parameter, Structure, several_loads


def _extensions(_: CalibrationData, model: ServiceModel) -> Iterator[Extension]:
    for k, station in enumerate(model.stations):
        yield Extension(
            f"demand of {station} varies with load",
            (
                Parameter(
                    f"load exponent of {station}", "1", "growth", (k,), (-0.05, 0.05),
                    Search(ratio=False, low=-2.0, high=2.0), 0.0, 0.2,
                ),
            ),
        )  # fmt: skip


def _why_not(data: CalibrationData) -> str | None:
    if not several_loads(data):
        return "the load is the same in all runs; measure another population"
    return None


STRUCTURE = Structure(
    "load-varying demand",
    "one interaction takes more, or less, of a station the more users there are, as with a cache "
    "that fills",
    _extensions,
    _why_not,
)
