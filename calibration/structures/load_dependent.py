"""Load-dependent speed: with j customers a station is j to some power as fast as with one."""

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
    several_loads,
)

#: Largest population whose every value is solved for the busy time of a station. [customers]
LARGEST = 150


def _extensions(data: CalibrationData, model: ServiceModel) -> Iterator[Extension]:
    for k, station in enumerate(model.stations):
        if model.demand[0][k] and all(run.servers[k] == 1 for run in data.runs):
            yield Extension(
                f"load-dependent speed of {station}",
                (
                    Parameter(
                        f"speed exponent of {station}", "1", "exponent", (k,), (-0.1, 0.3),
                        Search(ratio=False, low=-1.0, high=1.0), 0.0, 0.3,
                    ),
                ),
            )  # fmt: skip


def _why_not(data: CalibrationData) -> str | None:
    if reason := one_class_of_known_population(data):
        return reason
    if not several_loads(data):
        return "the load is the same in all runs; measure another population"
    most = max(sum(run.population or ()) for run in data.runs)
    if most > LARGEST:
        return f"{most} customers are more than the {LARGEST} it is solved for"
    return None


STRUCTURE = Structure(
    "load-dependent speed",
    "a station serves faster, or slower, the more customers are there, as a disk with a sorted "
    "queue or a processor that swaps",
    _extensions,
    _why_not,
)
