"""Scale factor: customers take more of a station, or less, than its monitor shows."""

from __future__ import annotations

from collections.abc import Iterator

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.structure import Extension, Parameter, Structure, timed

#: Monitors are not off by more than this factor without anybody noticing. [1]
MOST = 5.0


def _extensions(_: CalibrationData, model: ServiceModel) -> Iterator[Extension]:
    for k, station in enumerate(model.stations):
        yield Extension(
            f"scale factor of {station}",
            (
                Parameter(
                    f"scale factor of {station}", "1", "scale", (k,), (0.8, 1.25),
                    Search(ratio=False, low=1.0 / MOST, high=MOST), 1.0, 1.0,
                ),
            ),
        )  # fmt: skip


def _why_not(data: CalibrationData) -> str | None:
    return None if timed(data) else "no number depends on how long an interaction takes"


STRUCTURE = Structure(
    "scale factor",
    "the monitor of a station sees a constant share of the work that is done there",
    _extensions,
    _why_not,
)
