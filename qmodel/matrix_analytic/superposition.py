"""Superposition of independent arrival processes, reduced to a bounded order.

Two processes at a time, smallest first: the Kronecker superposition is exact; where its order is
above `MOST` it is reduced by `model_reduction`.

Theory: THEORY.md, section 4.
"""

from collections.abc import Sequence
from functools import reduce

import numpy as np

from qmodel.matrix_analytic.galerkin_projection import MOST
from qmodel.matrix_analytic.inner_product import GramProduct
from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess, superpose_exact
from qmodel.matrix_analytic.model_reduction import PointProcess, reduce_process
from qmodel.numerics.arrays import Array

#: Order of a superposition that is still reduced.
LARGEST = 1000


class Arrivals(PointProcess):
    """The arrivals of a process of finite order."""

    def __init__(self, process: MarkedArrivalProcess) -> None:
        self.process = process
        self.classes = len(process.d)
        self.stationary = process.stationary_phase
        self.one = np.ones((process.size, 1))
        self.active = [c for c, rate in enumerate(process.rates) if rate > 0.0]
        self.inner_product = GramProduct(process.gram)
        states = process.inner_product is None
        self.density = None if states else self.inner_product.solve(self.stationary)

    def generator(self, functions: Array) -> Array:
        """D f. [1/s]"""
        return np.asarray(self.process.generator @ functions)

    def events(self, functions: Array) -> list[Array]:
        """D_c f of each active class. [1/s]"""
        return [self.process.d[c] @ functions for c in self.active]

    def resolvent(self, s: float, rates: Array, means: Array) -> tuple[Array, Array]:
        """(s - D)^-1 of ``rates`` and, on the left, of pi D_c - mean_c pi."""
        after = [self.stationary @ self.process.d[c] for c in self.active]
        matrix = s * np.eye(self.process.size) - self.process.generator
        left = np.column_stack(after) - np.outer(self.stationary, means)
        return np.linalg.solve(matrix, rates), np.linalg.solve(matrix.T, left)

    def killed_resolvent(self, s: float) -> tuple[Array, Array]:
        """(s - D0)^-1 of 1 and, on the left, of pi."""
        matrix = s * np.eye(self.process.size) - self.process.d0
        left = np.linalg.solve(matrix.T, self.stationary[:, None])
        return np.linalg.solve(matrix, self.one), left


def superpose(
    processes: Sequence[MarkedArrivalProcess], slowest: float
) -> MarkedArrivalProcess | None:
    """The superposition; None where its order is too high.

    The processes are independent of one another; ``slowest`` is the slowest rate of decay of
    correlations that matters [1/s]. Raises `numpy.linalg.LinAlgError` if a matrix is singular.
    """

    def bounded(process: MarkedArrivalProcess) -> MarkedArrivalProcess:
        return reduce_order(process, slowest) if process.size > MOST else process

    def two(
        left: MarkedArrivalProcess | None, right: MarkedArrivalProcess
    ) -> MarkedArrivalProcess | None:
        if left is None or left.size * right.size > LARGEST:
            return None
        return bounded(superpose_exact(left, right))

    first, *others = sorted(processes, key=lambda process: process.size)
    begin: MarkedArrivalProcess | None = bounded(first)
    return reduce(two, others, begin)


def reduce_order(process: MarkedArrivalProcess, slowest: float) -> MarkedArrivalProcess:
    """The same process with an order of at most `MOST`, by `model_reduction`."""
    rate = min(slowest, process.relaxation_rate)
    return reduce_process(Arrivals(process), rate, process.sojourn_weights)
