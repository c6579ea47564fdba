"""Merging: concurrent requests share an operation, so a busier server has fewer; see THEORY.md."""

from collections.abc import Iterator

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.station_law import SAME_LOAD, one_load
from calibration.structures.structure import Extension, Parameter, Structure

#: Standard deviation of the power, half-normal from nothing on. [1]
EXPECTED = 0.2


def powers(data: CalibrationData) -> tuple[Parameter, ...]:
    """The powers of the load by which a request has fewer operations of each kind."""
    return tuple(
        Parameter(
            f"merging of operations of {station}", "1", "merging", (s,), (0.05, 0.2),
            Search(ratio=False, low=0.0, high=1.0), 0.0, EXPECTED, EXPECTED,
        )
        for s, (quantity, station) in enumerate(data.series)
        if quantity == "operations"
    )  # fmt: skip


def _extensions(data: CalibrationData, _: ServiceModel) -> Iterator[Extension]:
    if found := powers(data):
        yield Extension("merging", found)


MERGING = Structure(
    "merging",
    "simultaneous requests share operations, whose number per request falls with this power of "
    "the load: group commit, merged writes",
    _extensions,
    one_load(SAME_LOAD + "another population"),
)
