"""How much editing and searching move through the disk channel, by block size; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

from calibration.agreements.run_comparison import Measured
from calibration.estimation.fit import RATIO, REAL, fit
from calibration.printed_tables.run import Measurement
from calibration.systems.notes31.laboratory import REFERENCE


@dataclass(frozen=True, slots=True)
class DiskVolumes:
    """Volume of one interaction by task at the reference block, and how it grows with the block."""

    #: By task. [bytes]
    at_reference: dict[str, float]
    #: Volume is proportional to the block to this power. [1]
    exponent: float
    #: Relative standard deviation of a run about the law. [1]
    scatter: float
    #: Of the volumes, in the order of tasks [bytes], and of the exponent [1].
    standard_errors: tuple[float, ...]
    #: Runs less parameters.
    degrees_of_freedom: int


def fit_disk_volumes(measured: Sequence[Measured]) -> DiskVolumes:
    """Fit the law to runs whose block is known."""
    tasks = tuple(dict.fromkeys(m.task for m in measured))
    blocks = [log(m.hardware.disk.block / REFERENCE.disk.block) for m in measured]
    logs = [log(m.run.disk_volume) for m in measured]

    def predict(parameters: Sequence[float]) -> list[float]:
        *sizes, exponent = parameters
        return [
            log(sizes[tasks.index(m.task)]) + exponent * block
            for m, block in zip(measured, blocks, strict=True)
        ]

    start = [*(max(m.run.disk_volume for m in measured if m.task == task) for task in tasks), 0.1]
    search = (*(RATIO for _ in tasks), REAL)

    # One for every logarithm; the residuals then tell how large the scatter is.
    found = fit(predict, [Measurement(value, 1.0) for value in logs], start, search)
    scatter = sqrt(found.chi_square / found.degrees_of_freedom)
    *sizes, exponent = found.values
    return DiskVolumes(
        at_reference=dict(zip(tasks, sizes, strict=True)), exponent=exponent, scatter=scatter,
        standard_errors=tuple(scatter * error for error in found.standard_errors),
        degrees_of_freedom=found.degrees_of_freedom,
    )  # fmt: skip
