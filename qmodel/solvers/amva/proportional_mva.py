"""Proportional approximation of mean value analysis: populations of one mix, customer by customer.

After Hsieh and Lam, Performance Evaluation 9(2), 1989.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, amva/proportional_mva.
"""

import numpy as np

from qmodel.numerics.arrays import Array
from qmodel.solvers.amva.closed_model import Model
from qmodel.solvers.amva.fixed_point import solve
from qmodel.solvers.amva.linearizer_core import NEAR
from qmodel.solvers.amva.multiserver.closed_marginals import idle_term
from qmodel.solvers.amva.population_batch import Problems, Solutions, State

#: Customers from which on rays are followed, and up to which. With fewer the difference that one of
#: a class makes is too large a step, with more it takes too long.
FEWEST, MOST = 41, 400
#: Customers times stations of several speeds at most, of which each takes some milliseconds.
STEPS = 5_000


def corrected(model: Model, solutions: Solutions) -> Solutions:
    """The same, seen by arrivals as much less as the queues grow along the ray.

    ``solutions`` is one, not yet within bounds.
    """
    population = np.array(model.closed.population, float)
    total = population.sum()
    several = sum(model.closed.rates[k] is not None for k in model.queues)
    if len(population) < 2 or not FEWEST <= total <= min(MOST, STEPS / max(1, several)):
        return solutions
    x, times = solutions.throughput[:, 0], solutions.residence[:, :, 0]
    demand = np.array(model.demand)
    mix = (population / total)[:, None]
    less = _less(x, times, demand)
    less += (mix * (_less(*along(model), demand) - less)).sum(axis=0)
    alone = Problems(
        population[:, None], np.array(model.delay)[:, None], demand[:, :, None].copy(), 1.0, 0.0
    )
    start = State(x[:, None], (x @ times)[:, None], np.zeros((0, 1)))
    now, _ = solve(alone, -less[:, :, None], start, pace=NEAR)
    inside = (now.residence[:, :, 0] >= (1.0 - 1e-9) * demand).all()
    if not (now.error <= now.enough).all() or not inside:
        return solutions
    return now._replace(
        evaluations=solutions.evaluations + now.evaluations,
        error=np.maximum(solutions.error, now.error),
        enough=np.maximum(solutions.enough, now.enough),
    )


def along(model: Model) -> tuple[Array, Array]:
    """Throughputs and residence times at the end of the ray, (C,) and (C, K)."""
    population = np.array(model.closed.population, float)
    classes, total = len(population), round(population.sum())
    demand, delay = np.array(model.demand), np.array(model.delay)
    rates = [model.closed.rates[k] for k in model.queues]
    full = np.array([1.0 if r is None else r[-1] for r in rates])
    # By ray: N, and N less one customer of each class, as parts of 1.
    mix = np.concatenate(
        [population[None] / total, (population - np.eye(classes)) / max(1, total - 1)]
    )
    queue = np.zeros((1 + classes, len(full)))
    # What arrivals find idle, and the loads with as many customers and with one less.
    idle = np.tile(full / [1.0 if r is None else r[0] for r in rates] - 1.0, (1 + classes, 1))
    load = np.zeros_like(queue)
    for t in range(1, total + 1):
        present = queue + idle
        beside = (present[1:] - present[0]) * ((total - 1) / max(1, t - 1))
        seen = np.maximum(present[:, None] + beside, 0.0)
        times = demand * (1.0 + seen)
        throughput = t * mix / (delay + times.sum(axis=2))
        queue = np.einsum("bc,bck->bk", throughput, times)
        below, load = load, throughput @ demand * full
        for k, r in enumerate(rates):
            if r is not None and t < total:
                # With one customer less of the classes that come here, not of the mix.
                share = throughput * demand[:, k] * full[k] / load[:, k, None]
                apart = share @ (below[1:, k] - below[0, k]) * ((total - 1) / max(1, t - 1))
                before = below[:, k] + apart if t > 1 else 1e-9 * load[:, k]
                idle[:, k], _ = idle_term(
                    load[:, k], before[:, None], before, np.array(r), float(t)
                )
    return throughput[0], times[0]


def _less(throughput: Array, times: Array, demand: Array) -> Array:
    """How much less than all there are arrivals see, and what is idle does not make up for."""
    queue = throughput @ times
    seen: Array = np.divide(
        times, demand, out=np.broadcast_to(1.0 + queue, times.shape).copy(), where=demand > 0.0
    )
    return queue - (seen - 1.0)
