"""Vectors over the states of a queue, and the age process acting on them.

With u(l) the value of a function f at an inspection with l ticks left,

    u(0) = f(m - 1 customers),    u(l + 1) = P u(l) + K f(l).

Theory: THEORY.md, section 2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qmodel.matrix_analytic.age_process import AgeProcess
from qmodel.numerics.arrays import Array


class StateVector(NamedTuple):
    """R functions of the state, or R measures, as columns."""

    #: Fewer than m customers, shape (B, R).
    boundary: Array
    #: All servers busy, by level, shape (L, A, R).
    levels: Array

    @property
    def flat(self) -> Array:
        """One row a state, shape (B + L A, R)."""
        return np.concatenate([self.boundary, self.levels.reshape(-1, self.levels.shape[-1])])

    def like(self, flat: Array) -> StateVector:
        """Another vector over the same states."""
        split, levels = len(self.boundary), self.levels.shape
        return StateVector(flat[:split], flat[split:].reshape(levels[0], levels[1], -1))


def at_inspection(age: AgeProcess, function: StateVector) -> Array:
    """u(l) of a function, shape (L, n N_m-1, R)."""
    last = function.boundary[age.slices[-1]]
    values = np.empty((len(function.levels), *last.shape))
    for level, on_level in enumerate(function.levels):
        values[level] = last
        last = age.quiet_tick @ last + age.arrival_tick @ on_level
    return values


def after_completion(
    age: AgeProcess, c: int, function: StateVector, inspected: Array | None = None
) -> StateVector:
    """L_c f: rate of completions of class ``c`` times the function's value after them.

    ``inspected`` is `at_inspection` of the function, where it is at hand.
    """
    inspected = at_inspection(age, function) if inspected is None else inspected
    return StateVector(
        age.boundary_completions(c) @ function.boundary, age.completions[c] @ inspected
    )


def apply_generator(age: AgeProcess, function: StateVector) -> StateVector:
    """Q f; above the last level f is taken to be as on it. [1/s]"""
    inspected = at_inspection(age, function)
    boundary = age.boundary_generator @ function.boundary
    boundary[age.slices[-1]] += age.seize_last_server @ function.levels[0]
    above = np.concatenate([function.levels[1:], function.levels[-1:]])
    levels = age.service_generator @ function.levels
    levels = levels + age.tick_rate * (above - function.levels)
    return StateVector(boundary, levels + sum(age.completions) @ inspected)
