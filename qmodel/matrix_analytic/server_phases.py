"""Phases of m parallel servers with phase-type services of several classes; see THEORY.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, combinations_with_replacement
from math import factorial, prod

import numpy as np

from qmodel.matrix_analytic.concentrated_distribution import MatrixExponential, as_matrices
from qmodel.numerics.arrays import Array
from qmodel.numerics.phase_type import PhaseType


@dataclass(frozen=True, slots=True, eq=False)
class ServerPhases:
    """Transition rates between the states of n busy servers, N_n of them."""

    #: S_n for n = 0 to m, shape (N_n, N_n): changes of phase; the diagonal has the total rate out,
    #: completions included. [1/s]
    phase_changes: tuple[Array, ...]
    #: C_n,c for n = 1 to m and each class, shape (N_n, N_n-1): a service of class c ends and the
    #: server falls idle. [1/s]
    completions: tuple[tuple[Array, ...], ...]
    #: A_n,c for n = 0 to m - 1 and each class, shape (N_n, N_n+1): state after a customer of class
    #: c has begun service. [1]
    starts: tuple[tuple[Array, ...], ...]
    #: Of matrix-exponential services, whose coordinates are no phases, shape (N_n,): weights of the
    #: states in the inner product, adding up to 1. [1]
    weights: tuple[Array, ...] | None = None

    @property
    def servers(self) -> int:
        """Number of servers m."""
        return len(self.completions)


def server_phases(
    services: Mapping[int, PhaseType | MatrixExponential], classes: int, servers: int
) -> ServerPhases:
    """The rates for the services of each class."""
    times = {
        c: as_matrices(service) if isinstance(service, PhaseType) else service
        for c, service in services.items()
    }
    owner = [c for c, service in times.items() for _ in service.start]
    start = np.concatenate([service.start for service in times.values()])
    exit_rate = np.concatenate([-service.generator.sum(axis=1) for service in times.values()])
    firsts = accumulate((len(service.start) for service in times.values()), initial=0)
    row_of = [
        [(first + j, rate) for j, rate in enumerate(row) if rate]
        for first, service in zip(firsts, times.values(), strict=False)
        for row in service.generator
    ]
    phases = range(len(owner))
    states = [list(combinations_with_replacement(phases, n)) for n in range(servers + 1)]
    index = [{state: i for i, state in enumerate(level)} for level in states]
    phase_changes, completions, starts = [], [], []
    for n, level in enumerate(states):
        same = np.zeros((len(level), len(level)))
        down = [np.zeros((len(level), len(states[n - 1]))) for _ in range(classes) if n]
        up = [
            np.zeros((len(level), len(states[n + 1]))) if n < servers else None
            for _ in range(classes)
        ]
        for i, state in enumerate(level):
            for at, phase in enumerate(state):
                rest = state[:at] + state[at + 1 :]
                down[owner[phase]][i, index[n - 1][rest]] += exit_rate[phase]
                for other, rate in row_of[phase]:
                    same[i, index[n][tuple(sorted((*rest, other)))]] += rate
            for phase in phases:
                if (after := up[owner[phase]]) is not None:
                    after[i, index[n + 1][tuple(sorted((*state, phase)))]] += start[phase]
        phase_changes.append(same)
        if n:
            completions.append(tuple(down))
        if n < servers:
            starts.append(tuple(each for each in up if each is not None))
    weights = None
    if not all(service.phases for service in times.values()):
        weights = tuple(
            np.array([_arrangements(state) / len(owner) ** n for state in level])
            for n, level in enumerate(states)
        )
    return ServerPhases(tuple(phase_changes), tuple(completions), tuple(starts), weights)


def _arrangements(state: tuple[int, ...]) -> float:
    """Multinomial coefficient: assignments of servers to phases with these occupation counts."""
    return factorial(len(state)) / prod(factorial(state.count(phase)) for phase in set(state))
