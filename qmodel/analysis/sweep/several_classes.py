"""Batches of several closed classes: approximate mean value analysis at once; see THEORY.md."""

import numpy as np

from qmodel.analysis.sweep.batch import Batch
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.stations import DelayStation, QueueingStation
from qmodel.numerics.arrays import Array, Flags, Whole
from qmodel.solvers.amva import fixed_point
from qmodel.solvers.amva.linearizer_core import USUAL, View, idle_change, solve_passes
from qmodel.solvers.amva.multiserver import DEFAULT_LAW
from qmodel.solvers.amva.population_batch import Problems, Solutions, within_bounds
from qmodel.solvers.method import Passes

#: Problems handled at a time, so that the arrays in use stay in the processor's cache.
PROBLEMS = 1024


def covers(batch: Batch) -> Flags:
    """Points of closed classes at delays and equal servers, fewer than there are customers."""
    network = batch.network
    plain = network.has_product_form_kinds and all(
        isinstance(c, ClosedClass) for c in network.classes
    )
    kinds = {type(station) for station in network.stations} - {DelayStation}
    if not plain or kinds != {QueueingStation}:
        return np.zeros(len(batch), bool)
    bounded = ((batch.demand > 0.0).any(axis=2) | (batch.think_time > 0.0)).all(axis=1)
    everybody = batch.population.sum(axis=1)[:, None]
    waits = ((batch.servers == 1) | (batch.servers < everybody)).all(axis=1)
    return np.asarray(bounded & waits & (everybody[:, 0] > 0))


def solve(batch: Batch, view: View | None, passes: Passes = USUAL) -> tuple[Array, Array]:
    """Throughputs (B, C) and residence times (B, C, K); nan where not converged.

    By Linearizer with a ``view``, without one by Bard-Schweitzer.
    """
    classes = batch.population.shape[1]
    queues, delay = batch.queues_and_delay()
    throughput = np.empty(batch.population.shape)
    residence = batch.demand.copy()
    each = max(1, PROBLEMS // (1 if view is None else 1 + classes))
    for first in range(0, len(batch), each):
        part = slice(first, first + each)
        solutions = _piece(
            batch.population[part].T.astype(float), delay[part].T,
            batch.demand[part][:, :, queues].transpose(1, 2, 0), batch.servers[part][:, queues].T,
            view, passes,
        )  # fmt: skip
        lost = ~(solutions.error <= solutions.enough)
        throughput[part] = np.where(lost, np.nan, solutions.throughput).T
        residence[part, :, queues] = solutions.residence.transpose(2, 0, 1)
    empty = batch.population == 0
    throughput[empty & ~np.isnan(throughput)] = 0.0
    residence[empty] = 0.0
    return throughput, residence


def _piece(
    population: Array, delay: Array, demand: Array, servers: Whole, view: View | None,
    passes: Passes,
) -> Solutions:  # fmt: skip
    """Some points: (C, P), (C, P), (C, K, P), (K, P)."""
    size, points = population.shape
    times = 1 if view is None else 1 + size
    varying = []
    for k, count in enumerate(servers):
        most = int(count.max())
        if most > 1:
            rates = np.minimum(np.arange(1.0, most + 1.0)[:, None], count)
            varying.append((k, DEFAULT_LAW, np.tile(rates, (1, times))))
    fast = np.ascontiguousarray(demand / servers)
    if view is None:
        own = np.divide(1.0, population, out=np.zeros_like(population), where=population > 0.0)
        alone = Problems(population, delay, fast, 1.0, own[:, None], tuple(varying))
        return within_bounds(alone, fixed_point.solve(alone)[0])
    less = np.concatenate([np.zeros((size, 1)), np.eye(size)], axis=1)
    populations = np.maximum(population[:, None] - less[:, :, None], 0.0)
    problems = Problems(
        populations.reshape(size, times * points), np.tile(delay, (1, times)),
        np.tile(fast, (1, 1, times)), 1.0, 0.0, tuple(varying),
    )  # fmt: skip
    return within_bounds(*solve_passes(problems, points, view, idle_change, passes))
