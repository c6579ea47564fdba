"""The departure process of an infinite-server station: Charlier closure; see THEORY.md."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import comb, sqrt
from typing import NamedTuple

import numpy as np
from scipy.linalg import block_diag

from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
from qmodel.matrix_analytic.service_simplification import Service
from qmodel.matrix_analytic.superposition import reduce_order
from qmodel.numerics.arrays import Array
from qmodel.numerics.phase_type import fit_phase_type

#: Floors of the SCV, in turn, until the degree is enough. [1]
LEAST = (0.25, 0.5, 1.0)
#: The degree that is enough and the highest, and functions at most.
ENOUGH, HIGHEST, LARGEST = 2, 4, 650


class _Stays(NamedTuple):
    """Service phases of all classes: alpha, T and t, and the class of each. [1, 1/s, 1/s]"""

    start: Array
    subgenerator: Array
    exit: Array
    owner: list[int]


def infinite_server_departures(
    arrivals: MarkedArrivalProcess, stays: Mapping[int, Service]
) -> MarkedArrivalProcess:
    """The process behind the station.

    ``stays`` are the times spent there, of the classes that visit it; others pass by. Raises
    `numpy.linalg.LinAlgError` if a matrix is singular.
    """
    if arrivals.size == 1:
        return arrivals
    alone = all(c in stays or not arrival.any() for c, arrival in enumerate(arrivals.d))
    floored = _same_variance if alone else _same_mean
    best, degree = None, 0
    for least in LEAST:
        phases = _stays([(c, floored(stay, least)) for c, stay in stays.items()])
        if not phases.owner:
            return arrivals
        highest = _degree(arrivals.size, len(phases.owner))
        if highest > degree:
            best, degree = phases, highest
        if degree >= ENOUGH:
            break
    if best is None:
        return arrivals
    return reduce_order(_closed(arrivals, best, degree), arrivals.relaxation_rate)


def _same_variance(stay: Service, least: float) -> Service:
    if stay.scv >= least:
        return stay
    return Service(stay.flow, stay.mean * sqrt(stay.scv / least), least)


def _same_mean(stay: Service, least: float) -> Service:
    return stay._replace(scv=max(stay.scv, least))


def _degree(size: int, counts: int) -> int:
    """The highest degree with at most `LARGEST` functions; 0 if there is none."""
    degrees = range(1, HIGHEST + 1)
    return max((g for g in degrees if size * basis_size(counts, g) <= LARGEST), default=0)


def _closed(arrivals: MarkedArrivalProcess, stays: _Stays, degree: int) -> MarkedArrivalProcess:
    """The process of polynomials times arrival phases."""
    start, subgenerator, exit_rates, owner = stays
    size, phase = arrivals.size, arrivals.stationary_phase
    rates = [float(phase @ arrivals.d[c].sum(axis=1)) for c in owner]
    means = np.linalg.solve(-subgenerator.T, start * rates)
    operators = charlier_operators(means.tolist(), degree)
    functions = len(operators.death[0])
    generator = np.kron(np.eye(functions), arrivals.generator)
    d = [
        np.zeros_like(generator) if c in owner else np.kron(np.eye(functions), arrival)
        for c, arrival in enumerate(arrivals.d)
    ]
    services = np.zeros((functions, functions))
    for j, c in enumerate(owner):
        generator += start[j] * np.kron(operators.arrival[j], arrivals.d[c])
        d[c] += exit_rates[j] * np.kron(operators.departure[j], np.eye(size))
        services -= subgenerator[j, j] * operators.death[j]
        for i in np.flatnonzero(subgenerator[j] > 0.0):
            services += subgenerator[j, i] * operators.departure[j] @ operators.arrival[i]
    generator += np.kron(services, np.eye(size))
    # Coordinates in which the function 1 has the entries 1.
    into, back = np.eye(len(generator)), np.eye(len(generator))
    into[size:, :size] = np.tile(phase, (len(generator) - size, 1))
    back[size:, :size] = -into[size:, :size]
    d = [into @ each @ back for each in d]
    gram = back.T @ np.kron(np.eye(functions), arrivals.gram) @ back
    return MarkedArrivalProcess(into @ generator @ back - sum(d), tuple(d), gram)


def _stays(stays: Sequence[tuple[int, Service]]) -> _Stays:
    owner: list[int] = []
    start: list[float] = []
    generators = [np.zeros((0, 0))]
    for c, stay in stays:
        if not stay.mean:
            continue
        service = fit_phase_type(stay.mean, stay.scv)
        owner += [c] * len(service.start)
        start += service.start
        generators.append(np.array(service.generator))
    subgenerator = block_diag(*generators)
    return _Stays(np.array(start), subgenerator, -subgenerator.sum(axis=1), owner)


class CharlierOperators(NamedTuple):
    """Operators on functions of the counts, in the basis of P polynomials; by count j."""

    #: f(n + e_j) - f(n), shape (P, P).
    arrival: tuple[Array, ...]
    #: n_j f(n - e_j), without the powers above the degree, shape (P, P): its L2 projection.
    departure: tuple[Array, ...]
    #: n_j (f(n - e_j) - f(n)), shape (P, P).
    death: tuple[Array, ...]


def basis_size(counts: int, degree: int) -> int:
    """Number P of polynomials of this total degree at most."""
    return comb(counts + degree, degree)


def charlier_operators(means: Sequence[float], degree: int) -> CharlierOperators:
    """The operators for counts of these means a_j; the polynomial 1 is the first of the basis."""
    counts = range(len(means))
    powers = [k for k in product(range(degree + 1), repeat=len(means)) if sum(k) <= degree]
    powers.sort(key=lambda k: (sum(k), k))
    index = {k: i for i, k in enumerate(powers)}
    arrival, departure, death = [], [], []
    for j, mean in enumerate(means):
        down, up = (np.zeros((len(powers), len(powers))) for _ in range(2))
        for k, i in index.items():
            above = index.get(tuple(power + (m == j) for m, power in zip(counts, k, strict=True)))
            if above is not None:
                down[i, above] = sqrt((k[j] + 1) / mean)
                up[above, i] = sqrt((k[j] + 1) * mean)
        arrival.append(down)
        departure.append(up + mean * np.eye(len(powers)))
        death.append(-np.diag([float(k[j]) for k in powers]) - mean * down)
    return CharlierOperators(tuple(arrival), tuple(departure), tuple(death))
