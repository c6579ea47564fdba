"""Hidden queue: a station that customers queue for and no monitor showed."""

from __future__ import annotations

from collections.abc import Iterator

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.structure import Extension, Parameter, Structure, several_loads, timed


def _extensions(data: CalibrationData, model: ServiceModel) -> Iterator[Extension]:
    parameters = []
    for c, name in enumerate(data.classes):
        of = f" ({name})" if len(data.classes) > 1 else ""
        size = max(model.demand[c], default=0.0) or 1.0
        parameters.append(
            Parameter(
                f"demand of hidden queue{of}",
                "s",
                "hidden_queue",
                (c,),
                (0.2 * size, 0.9 * size),
                Search(ratio=False, low=0.0),
                0.0,
                size,
            )
        )
    yield Extension("hidden queue", tuple(parameters))


def _why_not(data: CalibrationData) -> str | None:
    if not timed(data):
        return "no number depends on how long an interaction takes"
    if not several_loads(data):
        return "at one load a hidden queue is a hidden delay; measure another population"
    return None


STRUCTURE = Structure(
    "hidden queue",
    "customers queue for something that was not measured, such as a lock or another device",
    _extensions,
    _why_not,
)
