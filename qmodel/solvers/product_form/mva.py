"""Exact mean value analysis of one closed class: delay stations and single servers.

References
----------
.. [1] M. Reiser and S. S. Lavenberg, "Mean-value analysis of closed multichain queuing
   networks," Journal of the ACM 27(2), 1980, pp. 313-322.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from qmodel.solvers.product_form.recursion_limit import too_many
from qmodel.solvers.product_form.saturation_limit import saturated
from qmodel.solvers.product_form.unrolled_mva import LIMIT, recursion


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    return not_one_class(network) or not_single_server(network) or too_many(network, kept=False)


def solve(network: Network) -> Solution:
    """Exact throughput and residence times, customer by customer."""
    model = one_class(network)
    if not model.population:
        return empty_solution(network, "mva")
    found = saturated(model) or mean_value_analysis(model.population, model.delay, model.demands)
    return one_class_solution(network, model, "mva", found)


def mean_value_analysis(
    population: int, delay: float, demands: Sequence[float]
) -> tuple[float, ...]:
    """Throughput, then the residence time at each single server, with ``population`` customers."""
    if not demands:
        return (population / delay,)
    if len(demands) <= LIMIT:
        return recursion(len(demands))(population, delay, *demands)
    queue = [0.0] * len(demands)
    throughput = 0.0
    residence: list[float] = []
    for n in range(1, population + 1):
        # Arrival theorem: an arrival sees the network with one customer less.
        residence = [d * (1.0 + q) for d, q in zip(demands, queue, strict=True)]
        total = delay
        for r in residence:
            total += r
        throughput = n / total
        queue = [throughput * r for r in residence]
    return (throughput, *residence)


METHOD = Method("mva", True, solve, why_not)
