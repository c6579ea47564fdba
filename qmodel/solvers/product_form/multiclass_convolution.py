"""Exact convolution of several closed classes, any stations: delay to load-dependent.

G(n) = G'(n) + sum of D_c G(n - e_c), station by station: Reiser and Kobayashi (1975).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, product_form/multiclass_convolution.
"""

from collections.abc import Sequence

from qmodel.model.closed_network import SeveralClasses, not_closed, several_classes
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.solvers.method import Method
from qmodel.solvers.product_form.lattice_limit import lattice_work, too_large, too_steep


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    reason = network.product_form_violation() or not_closed(network)
    if reason is None:
        model = several_classes(network)
        several = len(model.rates) - model.rates.count(None)
        reason = too_large(network, _rows(model), max(1, several), several)
        reason = reason or too_steep(network, model)
    return reason


def solve(network: Network) -> Solution:
    """Exact throughput and residence times by convolution over the lattice of populations.

    Raises `NotApplicable` if normalizing constants leave the range of floats, which two stations or
    more with rates that fall a hundredfold can bring about.
    """
    model = several_classes(network)
    if not model.stations:
        rates = [n / time for n, time in zip(model.population, model.delay, strict=True)]
        return model.solution(network, "multiclass-convolution", rates, [[]] * len(rates))
    from qmodel.solvers.product_form.lattice_convolution import convolve

    throughput, residence = convolve(model, near_throughputs(model))
    return model.solution(
        network, "multiclass-convolution", throughput.tolist(), residence.tolist()
    )


def near_throughputs(model: SeveralClasses) -> Sequence[float]:
    """Throughputs by `bard_schweitzer`, good enough to scale by. [1/s]"""
    from qmodel.solvers.amva import bard_schweitzer

    delay, queued = list(model.delay), []
    for c, row in enumerate(model.demand):
        times = []
        for demand, rates in zip(row, model.rates, strict=True):
            capacity = 1.0 if rates is None else max(rates)
            times.append(demand / capacity)
            if rates is not None:
                delay[c] += max(0.0, demand / rates[0] - times[-1])
        queued.append(times)
    return bard_schweitzer.near_throughputs(model.population, delay, queued)


def _rows(model: SeveralClasses) -> int:
    """Numbers kept for every population of a hyperplane, at most."""
    lengths = sorted(len(rates) for rates in model.rates if rates is not None)
    rows = 2 * sum(rates is None for rates in model.rates)
    for length in lengths[1:]:
        rows += length - 1
    return rows


def work(network: Network) -> float:
    """Numbers it would compute."""
    model = several_classes(network)
    several = len(model.rates) - model.rates.count(None)
    return lattice_work(network, _rows(model), max(1, several), several)


METHOD = Method("multiclass-convolution", True, solve, why_not, work)
