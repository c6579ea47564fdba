"""Buzen's convolution for one closed class: delay, single-server, multi-server, load-dependent.
Theory and sources: `qmodel/solvers/THEORY.md`, product_form/convolution.
"""

from qmodel.kernels import convolution
from qmodel.kernels.saturation import saturated
from qmodel.model.closed_network import empty_solution, not_one_class, one_class, one_class_solution
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.solvers.method import Method
from qmodel.solvers.product_form.mva import too_many


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    return not_one_class(network) or too_many(network, kept=True)


def solve(network: Network) -> Solution:
    """Exact throughput and residence times by convolution."""
    model = one_class(network)
    if not model.population:
        return empty_solution(network, "convolution")
    row = saturated(model) or convolution.convolution(model)[model.population]
    return one_class_solution(network, model, "convolution", row)


METHOD = Method("convolution", True, solve, why_not)
