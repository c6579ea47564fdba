"""Variability of service: an SCV other than 1 where service is first come first served."""

from __future__ import annotations

from collections.abc import Iterator

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.structure import (
    Extension,
    Parameter,
    Structure,
    one_class_of_known_population,
)
from qmodel.kernels import LEAST_SCV

#: Largest SCV searched; heavier tails are no matter of an SCV. [1]
MOST = 50.0

#: Largest population it is solved for. [customers]
LARGEST = 2_000


def _extensions(data: CalibrationData, model: ServiceModel) -> Iterator[Extension]:
    for k, station in enumerate(model.stations):
        if model.demand[0][k] and all(run.servers[k] == 1 for run in data.runs):
            yield Extension(
                f"variable service at {station}",
                (
                    Parameter(
                        f"SCV of {station}", "1", "scv", (k,), (0.7, 4.0),
                        Search(ratio=False, low=LEAST_SCV, high=MOST), 1.0, 1.0,
                    ),
                ),
            )  # fmt: skip


def _why_not(data: CalibrationData) -> str | None:
    if reason := one_class_of_known_population(data):
        return reason
    if all(any(run.servers[k] > 1 for run in data.runs) for k in range(len(data.stations))):
        return "every measured station has several servers"
    most = max(sum(run.population or ()) for run in data.runs)
    if most > LARGEST:
        return f"{most} customers are more than the {LARGEST} it is solved for"
    return None


STRUCTURE = Structure(
    "variable service",
    "service at a single server varies more, or less, than exponentially",
    _extensions,
    _why_not,
)
