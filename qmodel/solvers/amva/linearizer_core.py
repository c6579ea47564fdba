"""The core of Linearizer and AQL: populations N and N - e_c of each class c, solved pass by pass.

Both estimate what an arrival sees from differences between these C + 1 populations, as Chandy and
Neuse (1982) do. They differ in which differences they keep: that is their `View`. Arrays are
[class, station, population, network], the population N first, then N less one customer of each
class; one network, or all those of a sweep.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from qmodel.numerics.arrays import Array
from qmodel.solvers.amva.closed_model import Measures, Model
from qmodel.solvers.amva.fixed_point import solve
from qmodel.solvers.amva.population_batch import (
    Found,
    Problems,
    State,
    entry,
    problems_of,
    within_bounds,
)

#: As Chandy and Neuse have it; a fourth changes less than the error that is left.
PASSES = 3
#: The first step in time from a start that is near.
NEAR = 1e5

#: Populations, (C, 1 + C, P), and the queue lengths of the last pass, (C, K, 1 + C, P), or None
#: before the first; to w and v of `fixed_point`, (1 + C, P) and (C, 1 + C, P) or numbers, and
#: its B, (C, K, 1 + C, P), or None.
View = Callable[[Any, Any], tuple[Any, Any, Any]]


def linearized(view: View, tolerance: float, steps: int, passes: int, model: Model) -> Measures:
    """What `Model.solution` takes, of one network."""
    size = len(model.closed.population)
    less = np.concatenate([np.zeros((size, 1)), np.eye(size)], axis=1)
    problems = problems_of(model, less)
    return solve_passes(problems, size, view, tolerance, steps, passes).first


def solve_passes(
    problems: Problems, size: int, view: View, tolerance: float, steps: int, passes: int
) -> Found:
    """Solutions at the populations N of P networks.

    ``problems`` are P networks of ``size`` classes at their C + 1 populations, the networks running
    fastest. All populations are solved ``passes`` times and the differences taken from them, then
    the populations N a last time; the other parameters are those of `fixed_point.solve`, for each
    pass.
    """
    populations = problems.population.reshape(size, 1 + size, -1)
    points = populations.shape[2]
    stations = problems.demand.shape[1]
    everything = (1 + size) * points
    weight, own, _ = view(populations, None)
    problems = replace(problems, weight=_flat(weight), own=_flat(own))
    alone = _first(problems, points)
    found, state = solve(alone, tolerance=tolerance, steps=steps)
    used, error, enough = found.evaluations, found.error, found.enough
    extra = idle = None
    ratio = np.divide(
        populations, populations[:, :1], out=np.zeros_like(populations),
        where=populations[:, :1] > 0.0,
    )  # fmt: skip
    throughput = state.throughput[:, None] * ratio
    queue = np.einsum("cbp,ckp->kbp", throughput, found.residence)
    start = State(
        throughput.reshape(size, everything),
        queue.reshape(stations, everything),
        np.tile(state.load, (1, 1 + size)),
    )
    for turn in range(passes):
        everywhere, start, extra = solve_damped(problems, extra, start, idle, tolerance, steps)
        used += everywhere.evaluations
        error = np.maximum(error, everywhere.error.reshape(1 + size, points).max(axis=0))
        enough = np.maximum(enough, everywhere.enough.reshape(1 + size, points).max(axis=0))
        each = everywhere.throughput[:, None] * everywhere.residence
        _, _, parts = view(populations, each.reshape(size, stations, 1 + size, points))
        extra = np.broadcast_to(parts, (size, stations, 1 + size, points))
        extra = extra.reshape(size, stations, everything)
        idle = _idle(problems, everywhere.throughput, size, points)
        if turn == passes - 1:
            rest = None if idle is None else idle[:, :, :points]
            begin = State(*(values[:, :points] for values in start))
            found, begin, extra = solve_damped(
                alone, extra[:, :, :points], begin, rest, tolerance, steps
            )
            used += found.evaluations
            error = np.maximum(error, found.error)
            enough = np.maximum(enough, found.enough)
    found = within_bounds(alone, found)
    return Found(found.throughput, found.residence, used, error, enough)


def solve_damped(
    problems: Problems,
    extra: Array | None,
    start: State,
    idle: Array | None,
    tolerance: float,
    steps: int,
) -> tuple[Found, State, Array | None]:
    """Solve; where the iteration does not converge, with half of the differences, or none."""
    found, state = solve(problems, extra, start, idle, tolerance, steps, NEAR)
    used = found.evaluations
    for part in (1.0, 0.5, 0.25, 0.0):
        lost = ~(found.error <= found.enough)
        if extra is None or not lost.any():
            break
        extra = np.where(lost, part * extra, extra)
        state = State(*(np.where(lost, a, b) for a, b in zip(start, state, strict=True)))
        found, state = solve(problems, extra, state, idle, tolerance, steps, 1.0)
        used += found.evaluations
    return found._replace(evaluations=used), state, extra


def _idle(problems: Problems, throughput: Array, size: int, points: int) -> Array | None:
    """How the idle part of a station differs from what its law makes of the population at hand."""
    if not problems.varying:
        return None
    found = np.zeros(problems.demand.shape)
    for k, law, rates in problems.varying:
        offered = throughput * problems.demand[:, k] * rates[-1]
        load = offered.sum(axis=0).reshape(1 + size, points)
        mine = rates[:, :points]
        there = law.at(load[1:], mine)[0]
        whole = entry(problems.weight, k) * offered.sum(axis=0)
        at = (whole - entry(problems.own, k) * offered)[:, :points]
        change = there - law.at(at, mine)[0]
        everywhere = np.broadcast_to(change[..., None, :], (size, 1 + size, points))
        found[:, k] = everywhere.reshape(size, (1 + size) * points)
    return found


def _first(problems: Problems, points: int) -> Problems:
    """The populations N only."""
    return Problems(
        problems.population[:, :points],
        problems.delay[:, :points],
        problems.demand[:, :, :points],
        problems.weight if isinstance(problems.weight, float) else problems.weight[..., :points],
        problems.own if isinstance(problems.own, float) else problems.own[..., :points],
        tuple((k, law, rates[:, :points]) for k, law, rates in problems.varying),
    )


def _flat(values: Any) -> Any:
    """(C, 1 + C, P) or (1 + C, P) as it broadcasts to (C, K, B)."""
    if isinstance(values, float):
        return values
    return values.reshape(-1, 1, values.shape[-2] * values.shape[-1])
