"""The age process of a MMAP/PH/m queue, FCFS, uniformized; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
from qmodel.matrix_analytic.server_phases import ServerPhases
from qmodel.numerics.arrays import Array

#: An eigenvalue that is 0, over the rate of arrivals.
ZERO = 1e-6
#: nu over its least possible value, and over the rate of arrivals at least.
FASTER, LEAST = 1.5, 2.0


@dataclass(frozen=True, eq=False)
class AgeProcess:
    """The matrices of the age process."""

    #: D0, D_1, ..., D_C of order n.
    arrivals: MarkedArrivalProcess
    #: m servers; N_k states of k busy ones.
    servers: ServerPhases

    @cached_property
    def tick_rate(self) -> float:
        """Nu, such that I + D0 / nu and I + D / nu have no eigenvalue outside the unit disc.

        An eigenvalue z of D0 or D needs nu >= |z|^2 / (-2 Re z). [1/s]
        """
        process = self.arrivals
        total = process.rate
        eigenvalues = np.concatenate(
            [np.linalg.eigvals(d) for d in (process.d0, process.generator)]
        )
        eigenvalues = eigenvalues[abs(eigenvalues) > ZERO * total]
        if not (eigenvalues.real < 0.0).all():
            raise np.linalg.LinAlgError("the arrival process is not stable")
        least = float((abs(eigenvalues) ** 2 / (-2.0 * eigenvalues.real)).max())
        return max(FASTER * least, LEAST * total)

    @cached_property
    def service_states(self) -> list[int]:
        """N_k for k = 0 to m."""
        return [len(rates) for rates in self.servers.phase_changes]

    @cached_property
    def service_generator(self) -> Array:
        """S = I x S_m: changes of service phase, all servers busy. [1/s]"""
        return self._services(self.servers.phase_changes[-1])

    @cached_property
    def completions(self) -> tuple[Array, ...]:
        """C_c = I x C_m,c: from a level to an inspection, by class. [1/s]"""
        return tuple(self._services(rates) for rates in self.servers.completions[-1])

    @cached_property
    def quiet_tick(self) -> Array:
        """P x I: an inspected tick without an arrival. [1]"""
        quiet = np.eye(self.arrivals.size) + self.arrivals.d0 / self.tick_rate
        return np.kron(quiet, np.eye(self.service_states[-2]))

    @cached_property
    def arrival_tick(self) -> Array:
        """K = sum of K_c x A_m-1,c: an inspected tick with an arrival, who begins service. [1]"""
        return self._arrivals(self.servers.servers - 1) / self.tick_rate

    @cached_property
    def seize_last_server(self) -> Array:
        """Nu K: an arrival who finds m - 1 customers, from the boundary to level 0. [1/s]"""
        return self._arrivals(self.servers.servers - 1)

    @cached_property
    def boundary_generator(self) -> Array:
        """Rates among the states of 0 to m - 1 customers, total rates out on the diagonal. [1/s]"""
        size = self.slices[-1].stop
        rates = np.zeros((size, size))
        for k, at in enumerate(self.slices):
            rates[at, at] = np.kron(self.arrivals.d0, np.eye(self.service_states[k]))
            rates[at, at] += self._services(self.servers.phase_changes[k])
            if k:
                rates[at, self.slices[k - 1]] = sum(
                    self._services(each) for each in self.servers.completions[k - 1]
                )
                rates[self.slices[k - 1], at] = self._arrivals(k - 1)
        return rates

    def boundary_completions(self, c: int) -> Array:
        """Completions of class c among the boundary states. [1/s]"""
        rates = np.zeros_like(self.boundary_generator)
        for k, at in enumerate(self.slices[1:], start=1):
            rates[at, self.slices[k - 1]] = self._services(self.servers.completions[k - 1][c])
        return rates

    @cached_property
    def slices(self) -> list[slice]:
        """Where the states of each number of customers stand in the boundary."""
        return boundary_slices(self.arrivals.size, self.service_states)

    def _services(self, rates: Array) -> Array:
        return np.kron(np.eye(self.arrivals.size), rates)

    def _arrivals(self, k: int) -> Array:
        """Arrivals who find k customers: sum of D_c x A_k,c. [1/s]"""
        starts = self.servers.starts[k]
        rates: Array = np.add.reduce(
            [np.kron(d, start) for d, start in zip(self.arrivals.d, starts, strict=True)]
        )
        return rates


def boundary_slices(size: int, service_states: Sequence[int]) -> list[slice]:
    """Where the states of 0 to m - 1 customers stand, for a process of order ``size``."""
    ends = [size * end for end in accumulate(service_states[:-1], initial=0)]
    return [slice(*pair) for pair in pairwise(ends)]


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

    def like(self, flat: Array) -> "StateVector":
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
