"""Hidden delay: time inside the response time that nobody queues for and no monitor showed."""

from __future__ import annotations

from collections.abc import Iterator

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.structure import Extension, Parameter, Structure, timed


def _extensions(data: CalibrationData, model: ServiceModel) -> Iterator[Extension]:
    parameters = []
    for c, name in enumerate(data.classes):
        of = f" ({name})" if len(data.classes) > 1 else ""
        size = sum(model.demand[c]) or 1.0
        times = [
            d.measurement.value
            for d in data.numbers
            if d.quantity == "response_time" and d.customer_class in {"", name}
        ]
        starts = tuple({0.3 * size: 0, max(0.1 * size, min(times, default=size) - size): 0})
        parameters.append(
            Parameter(
                f"hidden delay{of}",
                "s",
                "hidden_delay",
                (c,),
                starts,
                Search(ratio=False, low=0.0),
                0.0,
                size,
            )
        )
    yield Extension("hidden delay", tuple(parameters))


def _why_not(data: CalibrationData) -> str | None:
    return None if timed(data) else "no number depends on how long an interaction takes"


STRUCTURE = Structure(
    "hidden delay",
    "part of the response time is spent without queueing, where nothing was measured",
    _extensions,
    _why_not,
)
