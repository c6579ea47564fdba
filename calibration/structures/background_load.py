"""Background load: utilization that belongs to no customer and does not grow with them."""

from __future__ import annotations

from collections.abc import Iterator

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.structure import Extension, Parameter, Structure, several_loads


def _extensions(data: CalibrationData, model: ServiceModel) -> Iterator[Extension]:
    for k, station in enumerate(model.stations):
        least = min(
            (d.measurement.value for d in data.numbers
             if (d.quantity, d.of) == ("utilization", station)),
            default=0.0,
        )  # fmt: skip
        # More than the least utilization cannot be background, but for the noise in it.
        yield Extension(
            f"background load at {station}",
            (
                Parameter(
                    f"background load of {station}", "1", "background", (k,),
                    (0.1 * least, 0.7 * least),
                    Search(ratio=False, low=0.0, high=0.99), 0.0, max(0.1, least),
                ),
            ),
        )  # fmt: skip


def _why_not(data: CalibrationData) -> str | None:
    if not several_loads(data):
        return "the load is the same in all runs; measure the system without users"
    return None


STRUCTURE = Structure(
    "background load",
    "part of a utilization is background work that goes on without users",
    _extensions,
    _why_not,
)
