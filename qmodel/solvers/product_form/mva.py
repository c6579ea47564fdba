"""Exact mean value analysis of one closed class: delay stations and single servers.
Theory and sources: `qmodel/solvers/THEORY.md`, product_form/mva.
"""

from qmodel.kernels.mean_value_analysis import mean_values
from qmodel.kernels.saturation import saturated
from qmodel.model.closed_network import (
    empty_solution,
    not_one_class,
    not_single_server,
    one_class,
    one_class_solution,
)
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.solvers.method import Method


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    return not_one_class(network) or not_single_server(network) or too_many(network, kept=False)


def solve(network: Network) -> Solution:
    """Exact throughput and residence times, customer by customer."""
    model = one_class(network)
    n = model.population
    if not n:
        return empty_solution(network, "mva")
    row = saturated(model) or mean_values([n], model.delay, model.demands)[n]
    return one_class_solution(network, model, "mva", row)


METHOD = Method("mva", True, solve, why_not)


#: Populations that are taken without a question: seconds at most.
FEW = 2_000_000
#: Numbers computed at most, customers x numbers for each: about a minute.
WORK = 500_000_000
#: Populations of which every constant is kept, at most: some gigabytes.
KEPT = 20_000_000


def too_many(network: Network, *, kept: bool) -> str | None:
    """Why a population is too large, or None if it is not; ``kept`` where memory grows with it."""
    most = max(network.populations, default=0)
    if not kept and most <= FEW:
        return None
    speeds = 0
    for station in network.stations if kept else ():
        speeds += min(most, getattr(station, "servers", 0) or len(getattr(station, "rates", ())))
    if most <= FEW and most * speeds <= WORK:
        return None
    model = one_class(network)
    if not model.demands or saturated(model) is not None:
        return None
    rows = len(model.demands)
    if kept:
        lengths = sorted(len(rates or ()) for rates in model.rates)
        # Of the longest, where there are few customers, single coefficients are enough.
        rows += sum(lengths if most > FEW else lengths[:-1])
    if kept and model.population > KEPT:
        return f"{model.population:.3g} customers, it keeps {KEPT:.0e}; linearizer may serve"
    work = float(model.population * rows)
    if work > WORK:
        return (
            f"{model.population:.3g} customers at {len(model.demands)} stations are {work:.3g} "
            f"numbers, it takes {WORK:.0e}; linearizer may serve"
        )
    return None
