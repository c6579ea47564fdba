"""Largest population of one class for the exact recursions. Original: measured limits."""

from __future__ import annotations

from qmodel.kernels.saturation import saturated
from qmodel.model.closed_network import one_class
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network

#: Populations that are taken without a question: seconds at most.
FEW = 2_000_000
#: Numbers computed at most, customers x numbers for each: about a minute.
WORK = 500_000_000
#: Populations of which every constant is kept, at most: some gigabytes.
KEPT = 20_000_000


def too_many(network: Network, *, kept: bool) -> str | None:
    """Why a population is too large, or None if it is not; ``kept`` where memory grows with it."""
    for customer_class in network.classes:
        if isinstance(customer_class, ClosedClass) and customer_class.population > FEW:
            break
    else:
        return None
    model = one_class(network)
    if not model.demands or saturated(model) is not None:
        return None
    rows = len(model.demands)
    if kept:
        for rates in model.rates:
            rows += len(rates or ())
    if kept and model.population > KEPT:
        return f"{model.population:.3g} customers, it keeps {KEPT:.0e}; linearizer may serve"
    work = float(model.population * rows)
    if work > WORK:
        return (
            f"{model.population:.3g} customers at {len(model.demands)} stations are {work:.3g} "
            f"numbers, it takes {WORK:.0e}; linearizer may serve"
        )
    return None
