"""Initial queue lengths for `fixed_point`. Original.
Theory and sources: `qmodel/solvers/THEORY.md`, amva/initial_queues.
"""

import numpy as np

from qmodel.numerics.arrays import Array
from qmodel.solvers.amva.population_batch import Problems, State

#: Rounds of estimating throughputs, then queues.
ROUNDS = 12
#: Weight of the queues of the round before, lest two stations take turns as the busiest.
KEPT = 0.5


def spread_evenly(problems: Problems) -> State:
    """A few substitutions from customers spread evenly: from queues that are rather too long."""
    n, z, d = problems.population, problems.delay, problems.demand
    everybody = n.sum(axis=0)
    queue = np.tile(everybody / max(1, d.shape[1]), (d.shape[1], 1))
    alone = _alone(problems)
    for _ in range(4):
        times = d * np.maximum(alone, 1.0 + queue)
        x = n / (z + times.sum(axis=1))
        queue = (x[:, None] * times).sum(axis=0)
    return State(x, queue, _loads(problems, x))


def overloaded(problems: Problems) -> bool:
    """Whether customers who never wait would overload a station, in one of the problems."""
    rate = problems.population / _at_least(problems.delay + problems.demand.sum(axis=1))
    return bool(((rate[:, None] * problems.demand).sum(axis=0) > 1.0).any())


def around_the_busiest(problems: Problems) -> State:
    """Queues of the saturated network: the remaining customers are at the busiest station."""
    n, z, d = problems.population, problems.delay, problems.demand
    everybody = n.sum(axis=0)
    alone = _alone(problems)
    x, before, _ = spread_evenly(problems)
    for _ in range(ROUNDS):
        busy = (x[:, None] * d).sum(axis=0)
        over = np.maximum(busy.max(axis=0, initial=0.0), 1.0)
        busy /= over
        here = np.maximum(0.0, everybody - (x / over * z).sum(axis=0))
        queue = np.maximum(busy / np.maximum(1.0 - busy, 1.0 / (1.0 + everybody)), busy * alone)
        queue *= here / _at_least(queue.sum(axis=0))
        before = queue = (1.0 - KEPT) * queue + KEPT * before
        times = d * np.maximum(alone, 1.0 + queue)
        x = n / _at_least(z + times.sum(axis=1))
    return State(x, (x[:, None] * times).sum(axis=0), _loads(problems, x))


def _alone(problems: Problems) -> Array:
    """Time of a customer alone at each station, over its demand at full speed. [1]"""
    alone = np.ones(problems.demand.shape[1:])
    for k, _, rates in problems.varying:
        alone[k] = rates[-1] / rates[0]
    return alone


def _loads(problems: Problems, x: Array) -> Array:
    """Loads of the varying stations, none of them full."""
    load = [
        np.minimum((x * problems.demand[:, k]).sum(axis=0), 0.99) * rates[-1]
        for k, _, rates in problems.varying
    ]
    return np.array(load).reshape(len(load), x.shape[1])


def _at_least(values: Array) -> Array:
    """Nothing is divided by 0."""
    return np.maximum(values, 1e-300)
