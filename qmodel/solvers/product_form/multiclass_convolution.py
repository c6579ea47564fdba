"""Exact convolution of several closed classes, any stations: delay to load-dependent.

The normalizing constants G(n) of all populations n are the coefficients of a product of one
power series per station in C variables [1]. With u the sum over classes of D_c x_c, a single
server is 1 / (1 - u): G(n) = G'(n) + sum of D_c G(n - e_c). A station of rates r(1) ... r(M),
the last going on, is nested the same way (Horner),

    1 + u / r(1) (1 + u / r(2) (... (1 / (1 - u / r(M))))),

so every stage needs the hyperplane before only, and all stages of all stations go as one array
(`population_lattice`). Everything is positive and nothing is subtracted. One load-dependent station
is left out of the product and brought in at the end, at the one population asked for: that takes a
sum over the lattice, made on the way, instead of M stages, and it gives the mean numbers at that
station from the network without it, the complement of [2]. With several such stations there is one
pass for each.

Demands are measured at throughputs near the true ones (those of `bard_schweitzer`), so that
within a hyperplane the constants that matter are of one size; each hyperplane has a power of two
of its own, so that no think time leaves the range of floats. Rates that differ more than a
millionfold do, and are refused (`too_steep`).

References
----------
.. [1] M. Reiser and H. Kobayashi, "Queuing networks with multiple closed chains: theory and
   computational algorithms," IBM Journal of Research and Development 19(3), 1975, pp. 283-294.
.. [2] M. Reiser, "Mean-value analysis and convolution method for queue-dependent servers in
   closed queueing networks," Performance Evaluation 1(1), 1981, pp. 7-18.
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
