"""The inner product in which processes are projected: (f, g) = f' M g; see THEORY.md."""

from typing import Protocol

import numpy as np

from qmodel.matrix_analytic.age_process import AgeProcess, StateVector
from qmodel.numerics.arrays import Array

#: Smallest probability and weight.
LEAST = 1e-14


class InnerProduct(Protocol):
    """A symmetric, positive definite matrix M."""

    def __call__(self, functions: Array) -> Array:
        """M times columns."""

    def solve(self, measures: Array) -> Array:
        """M^-1 times columns."""


class GramProduct:
    """The inner product of a dense matrix M."""

    def __init__(self, gram: Array) -> None:
        self.gram = gram

    def __call__(self, functions: Array) -> Array:
        """M times columns."""
        return np.asarray(self.gram @ functions)

    def solve(self, measures: Array) -> Array:
        """M^-1 times columns."""
        return np.linalg.solve(self.gram, measures)


class QueueProduct:
    """The inner product of functions of the state of a queue.

    ``weights`` are its stationary distribution, or weights in its place.
    """

    def __init__(self, queue: AgeProcess, weights: StateVector) -> None:
        gram = queue.arrivals.inner_product
        self.service_states = queue.service_states
        self.size = queue.arrivals.size
        self.slices = queue.slices
        self.weights = weights
        self.diagonal: Array | None = None
        self.service_weights = queue.servers.weights
        if gram is None and self.service_weights is None:
            self.diagonal = np.maximum(weights.flat, LEAST)
        else:
            self.gram = queue.arrivals.gram
            self.inverse = np.linalg.inv(self.gram)

    def __call__(self, functions: Array) -> Array:
        """M times columns."""
        if self.diagonal is not None:
            return self.diagonal * functions
        return self._blockwise(functions, self.gram, 1.0)

    def solve(self, measures: Array) -> Array:
        """M^-1 times columns."""
        if self.diagonal is not None:
            return measures / self.diagonal
        return self._blockwise(measures, self.inverse, -1.0)

    def _blockwise(self, given: Array, matrix: Array, power: float) -> Array:
        vector, weights = self.weights.like(given), self.weights
        boundary = np.empty_like(vector.boundary)
        for k, at in enumerate(self.slices):
            blocks = vector.boundary[at][None], weights.boundary[at][None]
            boundary[at] = self._block(*blocks, k, matrix, power)[0]
        levels = self._block(vector.levels, weights.levels, -1, matrix, power)
        return np.concatenate([boundary, levels.reshape(-1, given.shape[-1])])

    def _block(self, given: Array, pi: Array, k: int, matrix: Array, power: float) -> Array:
        """w^power times the matrix, of levels with k busy servers."""
        levels, _, columns = given.shape
        states = self.service_states[k]
        block = pi.reshape(levels, self.size, states)
        squares = (block * (self.inverse @ block)).sum(axis=1)
        if self.service_weights is not None:
            v = self.service_weights[k]
            squares = (squares / v).sum(axis=1, keepdims=True) * v**2
        w = np.sqrt(np.maximum(squares, LEAST**2)) ** power
        values = given.reshape(levels, self.size, states * columns)
        product = (matrix @ values).reshape(levels, self.size, states, columns)
        return np.asarray((product * w[:, None, :, None]).reshape(given.shape))
