"""Linearizer with second differences between populations.

F_jkc(N - e_a - e_b) = F_jkc(N - e_a) + F_jkc(N - e_b) - F_jkc(N). Original; first differences are
those of Chandy and Neuse, CACM 25(2), 1982.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, amva/second_differences.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation
from qmodel.numerics.arrays import Array
from qmodel.solvers.amva import closed_model
from qmodel.solvers.amva.closed_model import Model, problems_of
from qmodel.solvers.amva.linearizer_core import solve_passes
from qmodel.solvers.amva.multiserver import DEFAULT
from qmodel.solvers.amva.multiserver.closed_marginals import idle_term
from qmodel.solvers.amva.population_batch import Problems, Solutions, within_bounds
from qmodel.solvers.amva.proportional_mva import corrected
from qmodel.solvers.method import Method

NAME = "second-differences"
#: Numbers of one evaluation at most: for each pair of classes, classes x stations and rates.
NUMBERS = 5_000_000


def solve(network: Network) -> Solution:
    """Approximate throughput and residence times, as of `linearizer.solve`."""
    return closed_model.solved(NAME, network, DEFAULT, solve_second_differences)


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if it applies."""
    if reason := closed_model.why_not(network, DEFAULT):
        return reason
    classes = sum(n > 0 for n in network.populations)
    queues = sum(not isinstance(station, DelayStation) for station in network.stations)
    rows = classes * queues + closed_model.rates_in_all(network)
    numbers = float(classes * (classes + 1) // 2 * classes * rows)
    if numbers > NUMBERS:
        return f"{classes} classes take {numbers:.3g} numbers, it takes {NUMBERS:.0e}"
    return None


METHOD = Method(NAME, False, solve, why_not)


class Pairs(NamedTuple):
    """Which populations are which."""

    #: The two classes of each pair, and where the population of two classes stands, (C, C).
    first: NDArray[np.int_]
    second: NDArray[np.int_]
    place: NDArray[np.int_]


def solve_second_differences(model: Model) -> Solutions:
    """What `Model.solution` takes."""
    size = len(model.closed.population)
    first, second = np.triu_indices(size)
    place = np.zeros((size, size), int)
    place[first, second] = place[second, first] = 1 + size + np.arange(len(first))
    pairs = Pairs(first, second, place)
    one = np.eye(size)
    less = np.concatenate([np.zeros((size, 1)), one, one[:, first] + one[:, second]], axis=1)
    alone, solutions = solve_passes(
        problems_of(model, less), 1, partial(_view, pairs), partial(_idle, pairs)
    )
    return within_bounds(alone, corrected(model, solutions))


def _view(
    pairs: Pairs, population: Array, queue: Array | None
) -> tuple[float, Array, Array | None]:
    """What an arrival sees; see `linearizer_core.View`."""
    own = np.divide(1.0, population, out=np.zeros_like(population), where=population > 0.0)
    if queue is None:
        return 1.0, own, None
    share = queue[..., 0] * own[:, None, :, 0]
    return 1.0, own, _extra(population[:, 0, 0], share, pairs)[..., None]


def _extra(population: Array, share: Array, pairs: Pairs) -> Array:
    """By how much an arrival sees more than the others' and its own share at the population."""
    size = len(population)
    one = np.eye(size)
    near = share[:, :, 1 : 1 + size]
    # Change of share j with a customer less of class c: at N, and at N less one of class a.
    once = near - share[:, :, :1]
    twice = share[:, :, pairs.place] - near[:, :, :, None]
    # Customers of class j that are left; where there is none, there is no share, and no need.
    left = population[:, None] - one
    last = left[:, :, None] - one[:, None]
    once = np.where(left[:, None] > 0.0, once, 0.0)
    twice = np.where(last[:, None] > 0.0, twice, 0.0)
    beyond = np.maximum(last[:, pairs.first] - one[:, pairs.second][:, :, None], 0.0)
    further = twice[:, :, pairs.first] + twice[:, :, pairs.second] - once[:, :, None]
    return np.concatenate(
        [
            np.einsum("jc,jkc->ck", left, once)[:, :, None],
            np.einsum("jac,jkac->cka", last, twice),
            np.einsum("jpc,jkpc->ckp", beyond, further),
        ],
        axis=2,
    )


def _idle(pairs: Pairs, problems: Problems, throughput: Array) -> Array | None:
    """As `linearizer_core.idle_change`, with the marginal probabilities of closed stations."""
    if not problems.varying:
        return None
    idle = np.zeros(problems.demand.shape)
    size = len(throughput)
    near = slice(1, 1 + size)
    customers = float(problems.population[:, 0].sum()) - 1.0
    for k, law, rates in problems.varying:
        offered = throughput * problems.demand[:, k] * rates[-1]
        load = offered.sum(axis=0)
        below = load[pairs.place]
        mean = (offered[:, near] * below).sum(axis=0) / np.maximum(load[near], 1e-300)
        once, twice = idle_term(load[near], below, mean, rates[:, 0], customers)
        here = law.at(load - problems.own[:, 0] * offered, rates)[0] - 1.0
        change = once - here[:, 0]
        changes = twice.T - here[:, near]
        further = changes[:, pairs.first] + changes[:, pairs.second] - change[:, None]
        idle[:, k] = np.concatenate([change[:, None], changes, further], axis=1)
    return idle
