"""Exact mean value analysis of one closed class: delay stations and single servers.

The recursion is in `qmodel.kernels.mean_value_analysis`.

References
----------
.. [1] M. Reiser and S. S. Lavenberg, "Mean-value analysis of closed multichain queuing
   networks," Journal of the ACM 27(2), 1980, pp. 313-322.
"""

from __future__ import annotations

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
from qmodel.solvers.product_form.recursion_limit import too_many


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
