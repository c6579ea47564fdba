"""What a prediction depends on: derivatives and elasticities of every measure.

covariances    exact derivatives of product-form networks
held_customer  the network with a customer held at a station, which those are solutions of
differences    one customer or one server more; and derivatives where no exact method applies
parameters     what measures are differentiated by
elasticities   the result
"""

from qmodel.analysis.sensitivity import covariances, differences
from qmodel.analysis.sensitivity.elasticities import Sensitivity
from qmodel.errors import NotApplicable
from qmodel.model.network import Network, expect_network
from qmodel.solvers import METHODS, solve

__all__ = ["sensitivity"]


def sensitivity(network: Network, method: str = "auto") -> Sensitivity:
    """Derivatives and elasticities of throughput, times, queue lengths and utilizations.

    By demand, think time and arrival rate they are derivatives. Where an exact method applies
    they are exact: covariances of queue lengths, see `covariances`; otherwise
    they are differences of the approximate solution. By population and servers, which come in
    whole numbers, they are differences: one customer, or one server, more. Where the changed
    network is none, or no method solves it, they are nan.

    Parameters
    ----------
    network : Network
        Any network that can be solved.
    method : str
        As for `solve`; the name of an exact method means that any exact method may be used.

    Returns
    -------
    Sensitivity
        ``s["edit"].by_demand["cpu"].elasticity.response_time`` by name, or arrays:
        ``s.elasticity("response_time", by="demand")``. Its ``exact`` says which of the two it is.

    Raises
    ------
    NotApplicable
        If no method asked for applies.
    Unstable
        If an open class arrives faster than a station can serve.
    NotConverged
        If an approximate method stops early.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, sensitivity
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", 20, think_time=5.0)], [[0.40, 0.25]])
    >>> found = sensitivity(network)
    >>> faster_cpu = found["users"].by_demand["cpu"]
    >>> round(faster_cpu.elasticity.response_time, 3)  # 1 % faster: response time falls by 2 %
    1.953
    >>> round(found["users"].by_population["users"].derivative.response_time, 3)  # s, one user more
    0.325
    """
    expect_network(network)
    # A step may leave product form where stations serve in order; differences see that.
    if network.has_product_form_kinds and method in {
        "auto",
        "exact",
        *(m.name for m in METHODS if m.exact),
    }:
        try:
            solution = solve(network, "exact" if method == "auto" else method)
            slopes = covariances.slopes(network, solution)
        except NotApplicable:
            if method != "auto":
                raise
        else:
            steps = differences.steps(network, solution, "exact")
            return Sensitivity(solution, True, "covariances of queue lengths", (*slopes, *steps))
    solution = solve(network, method)
    derivatives = differences.slopes(network, solution, method)
    steps = differences.steps(network, solution, method)
    return Sensitivity(solution, False, f"differences of {solution.method}", derivatives + steps)
