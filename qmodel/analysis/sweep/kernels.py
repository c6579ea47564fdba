"""How a batch is solved: by arrays where a kernel applies, point by point otherwise.

A kernel solves those points of a batch that it applies to; the others go on to the next one. An
approximate one serves where its method is asked for.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qmodel.analysis.curve import curve
from qmodel.analysis.sweep import one_class, several_classes
from qmodel.analysis.sweep.batch import Batch
from qmodel.analysis.sweep.figures import Figures, rates_of
from qmodel.errors import InternalError, InvalidNetwork, NotApplicable, Unstable
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.solution import NotConverged
from qmodel.model.stations import DelayStation, LoadDependentStation
from qmodel.numerics.arrays import Array
from qmodel.solvers import solve
from qmodel.solvers.amva import aql
from qmodel.solvers.amva.linearizer import shares
from qmodel.solvers.invariants import EXACT

#: What a point may lack an answer for; anything else ends the sweep.
NO_ANSWER = (Unstable, NotApplicable, NotConverged, InvalidNetwork)


#: Throughputs, (B, C), and residence times, (B, C, K).
Solved = tuple[Any, Any]


class Kernel(NamedTuple):
    """A way to solve many points at once."""

    method: str
    #: True if it also serves where no method is named.
    exact: bool
    #: The points of a batch that it solves, as booleans.
    covers: Callable[[Batch], NDArray[np.bool_]]
    #: Their solution; nan for a point that it leaves to others after all.
    solve: Callable[[Batch], Solved]


def solve_batch(batch: Batch, columns: dict[str, NDArray[Any]], method: str) -> Figures:
    """The figures of a batch; ``columns`` are the parameters that vary."""
    shape = batch.demand.shape
    throughput, residence = np.full(shape[:2], np.nan), np.full(shape, np.nan)
    rejects = any(limit.full == "reject" for limit in batch.network.limits)
    reached = np.full(shape, np.nan) if rejects else None
    problems: dict[int, str] = {}
    methods: dict[str, None] = {}
    left = np.arange(len(batch))
    for kernel in KERNELS:
        serves = method == kernel.method or (kernel.exact and method in {"auto", "exact"})
        if serves and len(left):
            part = batch if len(left) == len(batch) else batch.take(left)
            covered = kernel.covers(part)
            if covered.any():
                chosen = left[covered]
                some = part if covered.all() else part.take(covered)
                throughput[chosen], residence[chosen] = kernel.solve(some)
                methods[kernel.method] = None
                left = left[np.isnan(throughput[left]).any(axis=1)]
    if len(left):
        used = _one_by_one(batch, left, method, throughput, residence, reached, problems)
        methods |= dict.fromkeys(used)
    utilization = busy(batch, rates_of(throughput, residence, reached))
    check(batch, throughput, residence, utilization)
    return Figures(columns, throughput, residence, utilization, problems, tuple(methods), reached)


def busy(batch: Batch, rates: Array) -> Array:
    """Utilizations, U = X D / m; ``rates`` are those that get to each station."""
    share = batch.servers.astype(float)
    for k, station in enumerate(batch.network.stations):
        if isinstance(station, LoadDependentStation):
            share[:, k] = station.max_rate
    return np.asarray(rates * batch.demand / share[:, None, :])


def check(batch: Batch, throughput: Array, residence: Array, utilization: Array) -> None:
    """Raise `InternalError` if an answer breaks a law; see `qmodel.solvers.invariants`."""
    answered = ~np.isnan(throughput).any(axis=1)
    present = throughput * (residence.sum(axis=2) + batch.think_time)
    closed = np.array([isinstance(c, ClosedClass) for c in batch.network.classes])
    wrong = np.abs(present - batch.population) > 1e-6 * batch.population
    bad = answered & (wrong[:, closed].any(axis=1) | ~(residence >= 0.0).all(axis=(1, 2)))
    quick = residence < batch.demand * (1.0 - 1e3 * EXACT)
    quick &= (throughput > 0.0)[:, :, None]
    steady = [not isinstance(s, LoadDependentStation) for s in batch.network.stations]
    bad |= answered & quick[:, :, steady].any(axis=(1, 2))
    limited = np.array([not isinstance(s, DelayStation) for s in batch.network.stations])
    load = utilization.sum(axis=1)[:, limited]
    bad |= answered & (load > 1.0 + 1e3 * EXACT).any(axis=1)
    if bad.any():
        network = batch.network_at(int(np.argmax(bad)))
        raise InternalError(f"sweep: an answer breaks a law; please report it: {network!r}")


def _one_by_one(
    batch: Batch, points: NDArray[Any], method: str, throughput: Array, residence: Array,
    reached: Array | None, problems: dict[int, str],
) -> list[str]:  # fmt: skip
    """Solve some points one after another, those of one network along its populations."""
    classes = batch.network.classes
    starts = np.arange(len(points))
    if len(classes) == 1 and isinstance(classes[0], ClosedClass):
        starts = np.flatnonzero(~batch.take(points).same_but_for_population())
    used: dict[str, None] = {}
    waiting = np.split(points, starts[1:])[::-1]
    while waiting:
        run = waiting.pop()
        try:
            used[_along(batch, run, method, throughput, residence, reached)] = None
        except NO_ANSWER as error:
            if len(run) > 1:  # perhaps only one of them has no answer
                waiting += [run[i : i + 1] for i in range(len(run))]
            else:
                problems[int(run[0])] = str(error)
    return list(used)


def _along(
    batch: Batch, run: NDArray[Any], method: str, throughput: Array, residence: Array,
    reached: Array | None,
) -> str:  # fmt: skip
    """Solve points that differ in their populations only."""
    network = batch.network_at(int(run[0]))
    if len(run) == 1:
        solution = solve(network, method)
        throughput[run[0]], residence[run[0]] = solution.throughputs, solution.residence_times
        if reached is not None:
            reached[run[0]] = solution.reached or np.array(solution.throughputs)[:, None]
        return solution.method
    points = curve(network, batch.population[run, 0].tolist(), method=method)
    throughput[run], residence[run] = points.throughputs, points.residence_times
    if reached is not None:
        reached[run] = points.throughput[:, :, None]
    return points.method


#: In the order in which they are asked.
KERNELS = (
    Kernel("mva", True, one_class.single_servers, one_class.mean_value_analysis),
    Kernel("convolution", True, one_class.any_stations, one_class.convolution),
    *(
        Kernel(name, False, several_classes.covers, partial(several_classes.solve, **how))
        for name, how in (
            ("linearizer", {"view": shares}),
            ("aql", {"view": aql.aggregates, "passes": aql.USUAL}),
            ("bard-schweitzer", {"view": None}),
        )
    ),
)
