"""Bard-Schweitzer approximate mean value analysis, any number of closed classes.

An arrival of class c is taken to see all others and (N_c - 1) / N_c of its own class's mean
number [1, 2], which closes the recursion over populations into equations in the N at hand:

    R'_ck = D_ck (1 + Q_k - Q_ck / N_c),   X_c = N_c / (Z_c + sum of R'_ck),   Q_ck = X_c R'_ck.

`fixed_point` solves them, and says how stations of several servers come in. It is exact with one
customer and in saturation.

Accuracy of ``bard-schweitzer`` on ``single-servers``: R median 1.7 %, worst 33 %.
Accuracy of ``bard-schweitzer`` on ``multi-servers``: R median 2.6 %, worst 16 %.

References
----------
.. [1] Y. Bard, "Some extensions to multiclass queueing network analysis," Performance of Computer
   Systems, North-Holland, 1979, pp. 51-62.
.. [2] P. J. Schweitzer, "Approximate analysis of multiclass closed networks of queues," Proc.
   International Conference on Stochastic Control and Optimization, Amsterdam, 1979, pp. 25-29.
"""

from collections.abc import Sequence
from functools import partial
from math import inf

from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.solvers.amva import closed_model
from qmodel.solvers.amva.closed_model import ROUNDING, STEPS, TOLERANCE, Measures, Model
from qmodel.solvers.amva.multiserver import DEFAULT

NAME = "bard-schweitzer"


def solve(
    network: Network, law: str = DEFAULT, tolerance: float = TOLERANCE, steps: int = STEPS
) -> Solution:
    """Approximate throughput and residence times.

    Parameters as of `linearizer.solve`.

    Raises
    ------
    NotConverged
        If the estimated relative error of a queue length is above ``tolerance``, or above what
        rounding leaves with so many customers, after ``steps`` evaluations; the last iterate is
        in the error.
    """
    return closed_model.solved(NAME, network, law, partial(_queues, tolerance, steps))


def _queues(tolerance: float, steps: int, model: Model) -> Measures:
    population = model.closed.population
    tolerance = max(tolerance, ROUNDING * sum(population))
    if model.needs_no_law:
        return fixed_point(population, model.delay, model.demand, tolerance, steps)
    import numpy as np

    from qmodel.solvers.amva.fixed_point import solve as solve_batch
    from qmodel.solvers.amva.population_batch import problems_of, within_bounds

    own = 1.0 / np.array(population, float)[:, None, None]
    problems = problems_of(model, np.zeros((len(population), 1)), 1.0, own)
    last, _ = solve_batch(problems, tolerance=tolerance, steps=steps)
    return within_bounds(problems, last).first


def fixed_point(
    population: Sequence[int],
    delay: Sequence[float],
    queued: Sequence[Sequence[float]],
    tolerance: float,
    steps: int,
) -> Measures:
    """Throughputs, residence times where customers queue, evaluations, and estimated error.

    ``population`` is at least 1 of each class, ``delay`` its time at delays [s], ``queued`` its
    demands at single servers, shape (C, K) [s]; the others are those of `solve`.
    """
    if len(population) == 1:
        return _one_class(population, delay, queued, tolerance, steps)
    import numpy as np

    from qmodel.solvers.amva.fixed_point import solve as solve_batch
    from qmodel.solvers.amva.population_batch import Problems

    n = np.array(population, float)[:, None]
    problems = Problems(
        n,
        np.array(delay, float)[:, None],
        np.array(queued, float)[:, :, None],
        1.0,
        1.0 / n[:, None],
    )
    return solve_batch(problems, tolerance=tolerance, steps=steps)[0].first


def _one_class(
    population: Sequence[int],
    delay: Sequence[float],
    queued: Sequence[Sequence[float]],
    tolerance: float,
    steps: int,
) -> Measures:
    """Newton's method for one class: plain numbers, so that it needs no arrays."""
    (n,), (think_time,), (demands,) = population, delay, queued
    total = 0.0
    for d in demands:
        total += d
    throughput = n / (think_time + n * total) if total else n / think_time
    step, residual = 0.0, inf
    times: list[float] = []
    for used in range(1, steps + 1):
        # One less than the customers there are, at this throughput, and its slope.
        excess, slope = throughput * think_time - n, think_time
        times, largest, tightest = [], 0.0, inf
        for d in demands:
            spare = 1.0 - (1.0 - 1.0 / n) * throughput * d
            times.append(d / spare)
            excess += throughput * times[-1]
            slope += times[-1] / spare
            largest = max(largest, abs(step) / (throughput * spare))
            if d and n > 1:
                tightest = min(tightest, spare / ((1.0 - 1.0 / n) * d))
        residual = largest if used > 1 else inf  # that of the throughput is not larger
        if residual <= tolerance:
            return [throughput], [times], used, residual, tolerance
        # Never more than nine tenths of the way to where a station would be full.
        step = min(-excess / slope, 0.9 * tightest)
        throughput += step
    return [throughput], [times], steps, residual, tolerance


METHOD = closed_model.method(NAME, solve)
