"""Solves with s I - Q, from both sides, for the generator Q of an age process; see THEORY.md."""

import numpy as np

from qmodel.matrix_analytic.age_process import AgeProcess, StateVector
from qmodel.matrix_analytic.first_passage_matrix import first_passage_matrix
from qmodel.numerics.arrays import Array


class AgeResolvent:
    """(s I - Q)^-1 or, killed at completions, (s I - Q + L)^-1.

    s [1/s] is not negative, and positive unless the process is ``killed``: ends at the first
    completion. Raises `numpy.linalg.LinAlgError` if a matrix is singular or the doubling does not
    converge.
    """

    def __init__(self, age: AgeProcess, s: float, killed: bool = False) -> None:
        self.age = age
        size, nu = len(age.service_generator), age.tick_rate
        self.phi = np.zeros_like(age.completions[0]) if killed else first_passage_matrix(age, s)
        block = (s + nu) * np.eye(size) - age.service_generator - nu * self.phi @ age.arrival_tick
        self.inverse = np.linalg.inv(block)
        self.far = np.linalg.inv(block - nu * np.eye(size))
        boundary = s * np.eye(len(age.boundary_generator)) - age.boundary_generator
        if killed:
            for c in range(len(age.completions)):
                boundary = boundary + age.boundary_completions(c)
        last = age.slices[-1]
        boundary[last, last] -= age.seize_last_server @ self.phi
        self.boundary = np.linalg.inv(boundary)

    def solve_right(self, f: StateVector) -> StateVector:
        """Y of (s I - Q) y = f; above the last level f is taken to be as on it."""
        age = self.age
        nu, last = age.tick_rate, age.slices[-1]
        t = self.far @ f.levels[-1]
        y = np.empty_like(f.levels)
        for level in range(len(y) - 1, -1, -1):
            t = self.inverse @ (f.levels[level] + nu * t)
            y[level] = t
        right = f.boundary.copy()
        right[last] += age.seize_last_server @ t
        boundary = self.boundary @ right
        inspected = boundary[last]
        for level in range(len(y)):
            y[level] += self.phi @ inspected
            inspected = age.quiet_tick @ inspected + age.arrival_tick @ y[level]
        return StateVector(boundary, y)

    def solve_left(self, w: StateVector, inspected: Array | None = None) -> StateVector:
        """Z of z (s I - Q) = w, as columns.

        ``w`` are measures on the states, ``inspected`` measures on the inspections in addition, by
        ticks left, shape (L, n N_m-1, R).
        """
        age = self.age
        nu, last = age.tick_rate, age.slices[-1]
        z = np.empty_like(w.levels)
        pending = np.zeros((len(age.quiet_tick), w.levels.shape[-1]))
        for level in range(len(z) - 1, -1, -1):
            z[level] = w.levels[level] + age.arrival_tick.T @ pending
            pending = age.quiet_tick.T @ pending + self.phi.T @ z[level]
            if inspected is not None:
                pending = pending + inspected[level]
        left = w.boundary.copy()
        left[last] += pending
        boundary = self.boundary.T @ left
        z[0] += age.seize_last_server.T @ boundary[last]
        below = np.zeros_like(z[0])
        for level in range(len(z)):
            below = self.inverse.T @ (z[level] + nu * below)
            z[level] = below
        return StateVector(boundary, z)
