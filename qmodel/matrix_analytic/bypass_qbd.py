"""A queue by its number of customers, jointly with arrivals that bypass it: a QBD.

The level is the number of customers n; the phase is that of the arrivals now, the service phases
and the coefficients of the class mix (`class_mix_closure`). Unlike the age process it has the
arrival phase of now, so that arrivals which pass by are seen at the same time; but not the order of
the classes in the queue, and all classes share one service distribution. Departure rates by class
depend on n by 1 / n: with several classes it is a level-dependent QBD. Original.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from qmodel.matrix_analytic.age_process import boundary_slices
from qmodel.matrix_analytic.class_mix_closure import (
    mix_after_arrival,
    mix_after_departure,
    tracked_classes,
)
from qmodel.matrix_analytic.state_vector import StateVector

if TYPE_CHECKING:
    from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
    from qmodel.matrix_analytic.server_phases import ServerPhases
    from qmodel.numerics.arrays import Array


@dataclass(frozen=True, eq=False)
class BypassQBD:
    """The rates of the QBD.

    Parameters
    ----------
    arrivals : MarkedArrivalProcess
        All of them, bypassing classes included.
    servers : ServerPhases
        m servers, with one class of services.
    parts : mapping of int to float
        The classes that join the queue, and their parts q_c in all who do. [1]
    overdispersion : float
        kappa of the class mix. [1]
    """

    arrivals: MarkedArrivalProcess
    servers: ServerPhases
    parts: Mapping[int, float]
    overdispersion: float = 1.0

    @property
    def tracked(self) -> int:
        """How many of the d_c are kept."""
        return len(self.parts) - 1

    @cached_property
    def service_states(self) -> list[int]:
        """N_k times the coefficients of the class mix, for k = 0 to m busy servers."""
        return [
            len(rates) * (1 + self.tracked if k else 1)
            for k, rates in enumerate(self.servers.phase_changes)
        ]

    @cached_property
    def slices(self) -> list[slice]:
        """Where each number of customers below m stands."""
        return boundary_slices(self.arrivals.size, self.service_states)

    @cached_property
    def local(self) -> list[Array]:
        """A_1: rates on a level, by number of busy servers. [1/s]"""
        joining = np.add.reduce([self.arrivals.d[c] for c in self.parts])
        quiet = self.arrivals.generator - joining
        return [
            np.kron(quiet, np.eye(states))
            + self._services(np.kron(np.eye(states // len(rates)), rates))
            for states, rates in zip(self.service_states, self.servers.phase_changes, strict=True)
        ]

    @cached_property
    def up(self) -> list[Array]:
        """A_0: rates to the next level, by number of busy servers. [1/s]"""
        starts = [each[0] for each in self.servers.starts]
        starts.append(np.eye(len(self.servers.phase_changes[-1])))
        return [
            np.add.reduce(
                [
                    np.kron(self.arrivals.d[c], np.kron(mix_after_arrival(self.parts, c, n), start))
                    for c in self.parts
                ]
            )
            for n, start in enumerate(starts)
        ]

    @cached_property
    def down(self) -> Mapping[int, list[Array]]:
        """A_2 by class that departs, from 1 to m customers. [1/s]"""
        rates: dict[int, list[Array]] = {}
        for c in self.parts:
            rates[c] = []
            for n, completions in enumerate(self.servers.completions, start=1):
                a, b = mix_after_departure(self.parts, c, n, self.overdispersion)
                rates[c].append(self._mixed(a + b / n, completions[0]))
        return rates

    @cached_property
    def down_above(self) -> Mapping[int, tuple[Array, Array]]:
        """A_2 by class from n > m customers, as A + B / n. [1/s]"""
        again = self.servers.completions[-1][0] @ self.servers.starts[-1][0]
        rates = {}
        for c in self.parts:
            a, b = mix_after_departure(self.parts, c, 2, self.overdispersion)
            rates[c] = self._mixed(a, again), self._mixed(b, again)
        return rates

    def _mixed(self, mix: Array, services: Array) -> Array:
        return self._services(np.kron(mix, services))

    def _services(self, rates: Array) -> Array:
        return np.kron(np.eye(self.arrivals.size), rates)

    def one(self, like: StateVector) -> StateVector:
        """The function 1: f = 1, all g = 0."""
        first = [
            np.arange(states) < len(rates)
            for states, rates in zip(self.service_states, self.servers.phase_changes, strict=True)
        ]
        boundary = [np.tile(each, self.arrivals.size) for each in first[:-1]]
        level = np.tile(first[-1], self.arrivals.size)
        return StateVector(
            np.concatenate(boundary)[:, None].astype(float),
            np.tile(level[None, :, None], (len(like.levels), 1, 1)).astype(float),
        )

    def weights(self, x: StateVector) -> StateVector:
        """Weights of the inner product: mean squares of 1 and, multinomial, of each d_c."""
        variances = [part * (1.0 - part) for _, part in tracked_classes(self.parts)]

        def squares(block: Array, n: Array, states: int) -> Array:
            """Of blocks (L, A, 1) of n customers."""
            values = block.reshape(len(block), self.arrivals.size, states, -1).copy()
            for j, variance in enumerate(variances, start=1):
                values[:, :, j] = values[:, :, 0] * (variance * n)[:, None, None]
            return values.reshape(block.shape)

        boundary = x.boundary.copy()
        for n, at in enumerate(self.slices[1:], start=1):
            block = x.boundary[at][None]
            boundary[at] = squares(block, np.array([float(n)]), 1 + self.tracked)[0]
        return StateVector(boundary, squares(x.levels, self._customers(x), 1 + self.tracked))

    def _customers(self, like: StateVector) -> Array:
        """Number of customers on each level."""
        return self.servers.servers + np.arange(float(len(like.levels)))

    def departures(self, c: int, function: StateVector) -> StateVector:
        """L_c f for the departures of class c."""
        down, (a, b) = self.down[c], self.down_above[c]
        boundary = np.zeros_like(function.boundary)
        for n, at in enumerate(self.slices[1:], start=1):
            boundary[at] = down[n - 1] @ function.boundary[self.slices[n - 1]]
        levels = np.empty_like(function.levels)
        levels[0] = down[-1] @ function.boundary[self.slices[-1]]
        customers = self._customers(function)[1:, None, None]
        levels[1:] = a @ function.levels[:-1] + b @ function.levels[:-1] / customers
        return StateVector(boundary, levels)

    def departure_measure(self, c: int, x: StateVector) -> StateVector:
        """X L_c for the departures of class c."""
        down, (a, b) = self.down[c], self.down_above[c]
        boundary, levels = np.zeros_like(x.boundary), np.zeros_like(x.levels)
        for n, at in enumerate(self.slices[1:], start=1):
            boundary[self.slices[n - 1]] = down[n - 1].T @ x.boundary[at]
        boundary[self.slices[-1]] += down[-1].T @ x.levels[0]
        customers = self._customers(x)[1:, None, None]
        levels[:-1] = a.T @ x.levels[1:] + b.T @ (x.levels[1:] / customers)
        return StateVector(boundary, levels)

    def on_arrival_phases(self, rates: Array, vector: StateVector) -> StateVector:
        """(rates x I) f, for rates between the arrival phases alone."""
        boundary = np.empty_like(vector.boundary)
        for at, states in zip(self.slices, self.service_states, strict=False):
            boundary[at] = np.kron(rates, np.eye(states)) @ vector.boundary[at]
        levels = np.kron(rates, np.eye(self.service_states[-1])) @ vector.levels
        return StateVector(boundary, levels)

    def apply_generator(self, function: StateVector) -> StateVector:
        """Q f; above the last level f is taken to be as on it. [1/s]"""
        departures = [self.departures(c, function) for c in self.parts]
        boundary, levels = (np.add.reduce([each[i] for each in departures]) for i in range(2))
        for n, at in enumerate(self.slices):
            last = n + 1 == len(self.slices)
            above = function.levels[0] if last else function.boundary[self.slices[n + 1]]
            boundary[at] += self.local[n] @ function.boundary[at] + self.up[n] @ above
        above = np.concatenate([function.levels[1:], function.levels[-1:]])
        levels = levels + self.local[-1] @ function.levels + self.up[-1] @ above
        return StateVector(boundary, levels)
