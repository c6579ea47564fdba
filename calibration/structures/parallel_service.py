"""Parallel service: a drive works on several requests at once, and its monitor shows any of them.

Theory and sources: `calibration/structures/THEORY.md`, parallel_service.
"""

from calibration.estimation.data import CalibrationData
from calibration.structures.station_law import SAME_LOAD, at_stations, first_of, one_load
from calibration.structures.structure import Structure


def _one_class(data: CalibrationData) -> str | None:
    if len(data.classes) > 1:
        return f"it holds for one class of customers, there are {len(data.classes)}"
    return None


PARALLEL = Structure(
    "parallel service",
    "a drive works on several requests at once, and its monitor shows the time in which it has any",
    at_stations(
        "parallel service at {}", "parallel service at {}", "parallel", (0.0, 1.0),
        lambda *_: ((0.3, 1.0), 0.2), single=True, of="disk",
    ),
    first_of(_one_class, one_load(SAME_LOAD + "another population")),
)  # fmt: skip
