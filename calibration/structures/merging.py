"""Merging: requests that come together share an operation, so that a busier server has fewer.

Theory and sources: `calibration/structures/THEORY.md`, merging.
"""

from collections.abc import Iterator

from calibration.estimation.data import CalibrationData
from calibration.estimation.fit import Search
from calibration.model_evaluation.model import ServiceModel
from calibration.structures.station_law import SAME_LOAD, one_load
from calibration.structures.structure import Extension, Parameter, Structure

#: Standard deviation of the power, half-normal from nothing on. [1]
EXPECTED = 0.2


def power(data: CalibrationData, s: int) -> Parameter:
    """The power of the load by which a series has fewer operations a request."""
    quantity, station = data.series[s]
    return Parameter(
        f"merging of {quantity} of {station}", "1", "merging", (s,), (0.05, 0.2),
        Search(ratio=False, low=0.0, high=1.0), 0.0, EXPECTED, EXPECTED,
    )  # fmt: skip


def _extensions(data: CalibrationData, _: ServiceModel) -> Iterator[Extension]:
    if data.series:
        powers = tuple(power(data, s) for s in range(len(data.series)))
        yield Extension("merging of operations", powers)


MERGING = Structure(
    "merging",
    "requests that come together share operations: group commit, merged writes, packets",
    _extensions,
    one_load(SAME_LOAD + "another population"),
)
