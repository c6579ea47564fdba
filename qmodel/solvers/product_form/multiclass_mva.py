"""Exact mean value analysis of several closed classes: delay stations and single servers.
Theory and sources: `qmodel/solvers/THEORY.md`, product_form/multiclass_mva.
"""

from collections.abc import Iterator, Sequence

from qmodel.model.closed_network import not_closed, not_single_server, several_classes
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.numerics.arrays import Array
from qmodel.solvers.method import Method
from qmodel.solvers.product_form.lattice_limit import lattice_work, too_large


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    return (
        network.product_form_violation()
        or not_closed(network)
        or not_single_server(network)
        or too_large(network, rows=len(network.stations))
    )


def solve(network: Network) -> Solution:
    """Exact throughput and residence times over the lattice of populations."""
    model = several_classes(network)
    throughput, residence = [], []
    if model.population:
        throughputs, times = mean_value_analysis(model.population, model.delay, model.demand)
        throughput, residence = throughputs.tolist(), times.tolist()
    return model.solution(network, "multiclass-mva", throughput, residence)


def mean_value_analysis(
    population: Sequence[int], delay: Sequence[float], demand: Sequence[Sequence[float]]
) -> tuple[Array, Array]:
    """Throughput, shape (C,), and residence times at single servers, shape (C, K)."""
    ((_, throughput, residence),) = with_first_class(population, delay, demand, population[0])
    return throughput, residence


def with_first_class(
    population: Sequence[int], delay: Sequence[float], demand: Sequence[Sequence[float]],
    least: int = 0,
) -> Iterator[tuple[int, Array, Array]]:  # fmt: skip
    """Population of the first class, throughput (C,), residence times at single servers (C, K).

    The population of the first class goes from ``least`` to its own, all others are at theirs. What
    is said of the class while it has no customer means nothing.

    The population is at least 1 of each class; it is quickest where the largest is first. ``delay``
    is think time and demands at delay stations [s], ``demand`` those at single servers, shape (C,
    K) [s]. Populations of the first class below ``least`` are gone through in silence.
    """
    import numpy as np

    from qmodel.solvers.product_form.population_lattice import lattice

    plan, kept = lattice(population)
    by_station = np.array(demand, float).T[:, :, None]
    stations = len(by_station)
    thinking = np.array(delay, float)[:, None]
    add = np.add.reduce
    # One more than the queue lengths, of this hyperplane and of the one before.
    here, there = np.ones((2, stations, plan.width + 1))
    others = sum(population[1:])
    first = others + least
    at = 0
    for total, start, stop, customers, before in plan.steps() if kept is None else kept:
        if total != at:
            at = total
            here, there = there, here
        # Arrival theorem: an arrival sees the network with one customer less of its class.
        residence = there.take(before, axis=1)
        residence *= by_station
        cycle = add(residence, 0)
        cycle += thinking
        throughput = customers / cycle
        if total >= first and stop == plan.width:
            yield total - others, throughput[:, -1], residence[:, :, -1].T.copy()
        residence *= throughput
        add(residence, 1, out=here[:, start:stop], initial=1.0)


def work(network: Network) -> float:
    """Numbers it would compute."""
    return lattice_work(network, rows=len(network.stations))


METHOD = Method("multiclass-mva", True, solve, why_not, work)
