"""The structures that are fitted side by side, one a file; a new one is a file and a line here."""

from __future__ import annotations

from calibration.structures import (
    background_load,
    extra_delay,
    extra_queue,
    load_dependent,
    load_varying_demand,
    product_form,
    scale_factor,
    service_variability,
)
from calibration.structures.structure import Structure

STRUCTURES: tuple[Structure, ...] = (
    product_form.STRUCTURE,
    extra_delay.STRUCTURE,
    extra_queue.STRUCTURE,
    service_variability.STRUCTURE,
    scale_factor.STRUCTURE,
    load_dependent.STRUCTURE,
    load_varying_demand.STRUCTURE,
    background_load.STRUCTURE,
)
