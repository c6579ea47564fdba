"""Bard-Schweitzer approximate mean value analysis, any number of closed classes.

An arrival of class c is taken to see all others and (N_c - 1) / N_c of its own class's mean
number [1, 2], which closes the recursion over populations into equations in the N at hand:

    R'_ck = D_ck (1 + Q_k - Q_ck / N_c),   X_c = N_c / (Z_c + sum of R'_ck),   Q_ck = X_c R'_ck.

Given the throughputs the queue lengths follow in closed form, Q_ck = b_ck / (1 - sum of b_ck)
with b_ck = X_c D_ck / (1 + X_c D_ck / N_c), so one equation per class is left, and Newton's
method solves them in some ten evaluations where the usual substitution takes hundreds.

A station of m servers is taken, after Seidmann [3], for a single server m times as fast followed
by a delay of D (m - 1) / m: right for one customer alone and in saturation, too long between.

Accuracy: against the exact solution of 2,000 random networks (one to three classes, two to five
single servers, demands over two decades, up to 40 customers) throughputs were within 26 % and
queue lengths within 39 %. With one customer it is exact.

References
----------
.. [1] Y. Bard, "Some extensions to multiclass queueing network analysis," Performance of Computer
   Systems, North-Holland, 1979, pp. 51-62.
.. [2] P. J. Schweitzer, "Approximate analysis of multiclass closed networks of queues," Proc.
   International Conference on Stochastic Control and Optimization, Amsterdam, 1979, pp. 25-29.
.. [3] A. Seidmann, P. J. Schweitzer and S. Shalev-Oren, "Computerized closed queueing network
   models of flexible manufacturing systems," Large Scale Systems 12, 1987, pp. 91-107.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from qmodel.closed import not_closed
from qmodel.customer_classes import ClosedClass
from qmodel.errors import NotConverged
from qmodel.network import Network
from qmodel.solution import Solution
from qmodel.solvers.method import Method
from qmodel.stations import DelayStation, LoadDependentStation, QueueingStation

#: Relative error of the queue lengths at which the iteration stops.
TOLERANCE = 1e-10
#: The same per customer: where a queue holds many, no throughput is fine enough for the former.
ROUNDING = 4e-15
#: Newton's method needs about ten steps; populations of a million need thirty.
STEPS = 200


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    for station in network.stations:
        if isinstance(station, LoadDependentStation):
            return f"station {station.name!r} is load-dependent"
    return not_closed(network)


def solve(network: Network, tolerance: float = TOLERANCE, steps: int = STEPS) -> Solution:
    """Approximate throughput and residence times.

    Raises
    ------
    NotConverged
        If the estimated relative error of a queue length is above ``tolerance``, or above what
        rounding leaves with so many customers, after ``steps`` evaluations; the last iterate is
        in the error.
    """
    population, fixed, queued = [], [], []
    for customer_class, row in zip(network.classes, network.demand, strict=True):
        assert isinstance(customer_class, ClosedClass)
        population.append(customer_class.population)
        pairs = [_split(station, d) for station, d in zip(network.stations, row, strict=True)]
        queued.append([queue for queue, _ in pairs])
        fixed.append([delay for _, delay in pairs])
    present = [c for c, n in enumerate(population) if n]
    delay = []
    for c in present:
        think_time = network.think_time[c]
        for time in fixed[c]:
            think_time += time
        delay.append(think_time)
    throughput = [0.0] * len(population)
    residence = [(0.0,) * len(network.stations)] * len(population)
    used, residual = 0, 0.0
    tolerance = max(tolerance, ROUNDING * sum(population))
    if present:
        found, times, used, residual = fixed_point(
            [population[c] for c in present], delay, [queued[c] for c in present], tolerance, steps
        )
        for c, x, row_times in zip(present, found, times, strict=True):
            throughput[c] = x
            residence[c] = tuple(t + extra for t, extra in zip(row_times, fixed[c], strict=True))
    solution = Solution(
        network,
        "schweitzer",
        tuple(throughput),
        tuple(residence),
        iterations=used,
        residual=residual,
    )
    if residual > tolerance:
        raise NotConverged(solution, tolerance)
    return solution


Found = tuple[Sequence[float], Sequence[Sequence[float]], int, float]


def fixed_point(
    population: Sequence[int],
    delay: Sequence[float],
    queued: Sequence[Sequence[float]],
    tolerance: float,
    steps: int,
) -> Found:
    """Throughputs, residence times where customers queue, evaluations, and estimated error.

    Parameters
    ----------
    population : sequence of int
        At least 1 of each class.
    delay : sequence of float
        Time of each class where nobody queues. [s]
    queued : sequence, shape (C, K)
        Demands at single servers. [s]
    tolerance : float
        Relative error of the queue lengths at which to stop.
    steps : int
        Evaluations after which to stop anyway.
    """
    find = _one_class if len(population) == 1 else _classes
    return find(population, delay, queued, tolerance, steps)


def _split(
    station: QueueingStation | DelayStation | LoadDependentStation, demand: float
) -> tuple[float, float]:
    """What of a demand is queued for, and what is a delay."""
    if isinstance(station, DelayStation):
        return 0.0, demand
    assert isinstance(station, QueueingStation)
    return demand / station.servers, demand * (station.servers - 1) / station.servers


def _one_class(
    population: Sequence[int],
    delay: Sequence[float],
    queued: Sequence[Sequence[float]],
    tolerance: float,
    steps: int,
) -> Found:
    """Newton's method for one class: plain numbers, so that it needs no arrays."""
    (n,), (think_time,), (demands,) = population, delay, queued
    throughput = n / (think_time + n * _total(demands)) if _total(demands) else n / think_time
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
        residual = max(largest, abs(step) / throughput) if used > 1 else inf
        if residual <= tolerance:
            return [throughput], [times], used, residual
        # Never more than nine tenths of the way to where a station would be full.
        step = min(-excess / slope, 0.9 * tightest)
        throughput += step
    return [throughput], [times], steps, residual


def _classes(
    population: Sequence[int],
    delay: Sequence[float],
    queued: Sequence[Sequence[float]],
    tolerance: float,
    steps: int,
) -> Found:
    """Newton's method for several classes at once."""
    import numpy as np

    n, think_time, demand = np.array(population, float), np.array(delay), np.array(queued)
    total = n.sum()
    throughput = n / (think_time + total * demand.sum(axis=1))
    step, residual = np.zeros_like(n), inf
    residence = demand
    for used in range(1, steps + 1):
        offered = throughput[:, None] * demand
        own = 1.0 + offered / n[:, None]
        share = offered / own
        spare = 1.0 - share.sum(axis=0)
        residence = demand / own / spare
        rise = demand / own**2
        if used > 1:
            # Both parts of the slope of a queue length add up: a class's own, and the station's.
            own_step = np.abs(step / throughput)
            residual = float((own_step[:, None] + (np.abs(step) @ rise) / spare).max())
            if residual <= tolerance:
                break
        slope = np.einsum("ck,jk->cj", share / spare**2, rise)
        slope[np.diag_indices_from(slope)] += think_time + (rise / spare).sum(axis=1)
        excess = throughput * (think_time + residence.sum(axis=1)) - n
        step = -np.linalg.solve(slope, excess)
        # Never so far that a station would be full, or a class would stop.
        step *= min(1.0, 0.9 / max(float((step @ rise / spare).max()), 1e-300))
        step *= min(1.0, 0.9 / max(float((-step / throughput).max()), 1e-300))
        throughput = throughput + step
    return throughput.tolist(), residence.tolist(), used, residual


def _total(numbers: Sequence[float]) -> float:
    total = 0.0
    for number in numbers:
        total += number
    return total


METHOD = Method("schweitzer", False, solve, why_not)
