"""Bard-Schweitzer approximate mean value analysis, any number of closed classes.
Theory and sources: `qmodel/solvers/THEORY.md`, amva/bard_schweitzer.
"""

from collections.abc import Sequence

import numpy as np

from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.solvers.amva import closed_model, fixed_point
from qmodel.solvers.amva.closed_model import STEPS, TOLERANCE, Model, problems_of
from qmodel.solvers.amva.multiserver import DEFAULT
from qmodel.solvers.amva.population_batch import Problems, Solutions, within_bounds

NAME = "bard-schweitzer"


def solve(network: Network, law: str = DEFAULT) -> Solution:
    """Approximate throughput and residence times, as of `linearizer.solve`."""
    return closed_model.solved(NAME, network, law, _queues)


def _queues(model: Model) -> Solutions:
    n = np.array(model.closed.population, float)
    problems = problems_of(model, np.zeros((len(n), 1)), 1.0, 1.0 / n[:, None, None])
    solutions, _ = fixed_point.solve(problems, tolerance=TOLERANCE, steps=STEPS)
    return within_bounds(problems, solutions) if problems.varying else solutions


def near_throughputs(
    population: Sequence[int], delay: Sequence[float], queued: Sequence[Sequence[float]]
) -> Sequence[float]:
    """Throughputs to about a hundredth, for other methods to scale by. [1/s]

    ``population`` is at least 1 of each class, ``delay`` its time at delays [s], ``queued`` its
    demands at single servers, shape (C, K). [s]
    """
    n = np.array(population, float)[:, None]
    demand = np.array(queued, float)[:, :, None]
    problems = Problems(n, np.array(delay, float)[:, None], demand, 1.0, 1.0 / n[:, None])
    solutions, _ = fixed_point.solve(problems, tolerance=1e-2, steps=50)
    near: list[float] = solutions.throughput[:, 0].tolist()
    return near


METHOD = closed_model.method(NAME, solve)
