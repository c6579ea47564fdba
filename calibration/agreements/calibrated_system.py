"""A calibration as a measured system, as reports describe it: what was fitted, and what not."""

from __future__ import annotations

from functools import lru_cache

from calibration.agreements.system import Model, Parameter, System
from calibration.fitting.fitted_model import Calibration


@lru_cache(maxsize=64)
def calibrated_system(calibration: Calibration) -> System:
    """A calibration as a system whose tasks are its classes."""
    best = calibration.best
    return System(
        name="calibration",
        title=f"the server measured in {calibration.data.source}",
        source=f"{len(calibration.data.numbers)} numbers of {len(calibration.data.runs)} runs",
        models=tuple(
            Model(
                m.name,
                m.structure,
                tuple(
                    Parameter(p.name, v, p.unit, e)
                    for p, v, e in zip(m.parameters, m.values, m.standard_errors, strict=True)
                ),
                chi_square=best.chi_square,
            )
            for m in calibration.admissible
        ),
        compare=lambda: (),
        notes=tuple(str(each) for each in calibration.unknown),
        calibration=calibration,
    )
