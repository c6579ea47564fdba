"""The core of Linearizer, AQL and second differences: M populations, solved pass by pass.
Theory and sources: `qmodel/solvers/THEORY.md`, amva/linearizer_core.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.numerics.arrays import Array
from qmodel.solvers.amva import closed_model
from qmodel.solvers.amva.closed_model import STEPS, TOLERANCE, Model, problems_of
from qmodel.solvers.amva.fixed_point import solve
from qmodel.solvers.amva.population_batch import Problems, Solutions, State, entry, within_bounds
from qmodel.solvers.method import Passes

#: Passes of Linearizer, the first with no differences; a fourth changes less than the error that is
#: left.
PASSES = 3
#: Passes at most where a tolerance ends them.
MOST_PASSES = 200
#: The first step in time from a start that is near.
NEAR = 1e5

#: Populations, (C, M, P), and the queue lengths of the last pass, (C, K, M, P), or None before the
#: first; to w and v of `fixed_point`, (M, P) and (C, M, P) or numbers, and its B, (C, K, M, P), or
#: None.
View = Callable[[Any, Any], tuple[Any, Any, Any]]


#: `PASSES` of them.
USUAL = Passes()


def solved(name: str, view: View, network: Network, law: str, passes: Passes) -> Solution:
    """The solution of a network by Linearizer with this view; see `solve_passes`."""
    return closed_model.solved(name, network, law, partial(_linearized, view, passes))


def _linearized(view: View, passes: Passes, model: Model) -> Solutions:
    size = len(model.closed.population)
    less = np.concatenate([np.zeros((size, 1)), np.eye(size)], axis=1)
    return within_bounds(*solve_passes(problems_of(model, less), 1, view, idle_change, passes))


def solve_passes(
    problems: Problems, points: int, view: View, idle_of: Callable[[Problems, Array], Array | None],
    passes: Passes = USUAL,
) -> tuple[Problems, Solutions]:  # fmt: skip
    """The populations N of P networks, and their solutions, perhaps beyond their bounds.

    ``problems`` are P networks, ``points``, at M populations each, the networks running fastest.
    All populations are solved ``passes.most`` times, `PASSES` unless given, and the differences
    taken from them, or until a tolerance holds, an error where that alone is given and
    `MOST_PASSES` do not reach it; then the populations N a last time.
    ``idle_of`` are the differences in what arrivals find idle, from the throughputs.
    """
    size, stations, everything = problems.demand.shape
    populations = problems.population.reshape(size, -1, points)
    many = populations.shape[1]
    weight, own, _ = view(populations, None)
    problems = replace(problems, weight=_flat(weight), own=_flat(own))
    alone = _first(problems, points)
    solutions, state = solve(alone, tolerance=TOLERANCE, steps=STEPS)
    used, error, enough = solutions.evaluations, solutions.error, solutions.enough
    extra = idle = None
    ratio = np.divide(
        populations, populations[:, :1], out=np.zeros_like(populations),
        where=populations[:, :1] > 0.0,
    )  # fmt: skip
    throughput = state.throughput[:, None] * ratio
    queue = np.einsum("cbp,ckp->kbp", throughput, solutions.residence)
    start = State(
        throughput.reshape(size, everything),
        queue.reshape(stations, everything),
        np.tile(state.load, (1, many)),
    )
    customers = np.maximum(populations.sum(axis=0), 1.0).reshape(everything)
    before: Any = 0.0
    limit = PASSES if passes.tolerance is None else MOST_PASSES
    for _ in range(passes.most or limit):
        everywhere, start = _solve_damped(problems, extra, start, idle)
        used += everywhere.evaluations
        error = np.maximum(error, everywhere.error.reshape(many, points).max(axis=0))
        enough = np.maximum(enough, everywhere.enough.reshape(many, points).max(axis=0))
        each = everywhere.throughput[:, None] * everywhere.residence
        _, _, parts = view(populations, each.reshape(size, stations, many, points))
        extra = np.broadcast_to(parts, (size, stations, many, points))
        extra = extra.reshape(size, stations, everything)
        idle = idle_of(problems, everywhere.throughput)
        change, before = (np.abs(each - before).max(axis=(0, 1)) / customers).max(), each
        if passes.tolerance is not None and change <= passes.tolerance:
            break
    else:
        if passes.tolerance is not None and passes.most is None:
            error = np.maximum(error, change)
    rest = [None if values is None else values[:, :, :points] for values in (extra, idle)]
    begin = State(*(values[:, :points] for values in start))
    solutions, _ = _solve_damped(alone, rest[0], begin, rest[1])
    return alone, solutions._replace(
        evaluations=used + solutions.evaluations,
        error=np.maximum(error, solutions.error),
        enough=np.maximum(enough, solutions.enough),
    )


def _solve_damped(
    problems: Problems, extra: Array | None, start: State, idle: Array | None
) -> tuple[Solutions, State]:
    """Solve; where the iteration does not converge, with half of the differences, or none."""
    solutions, state = solve(problems, extra, start, idle, TOLERANCE, STEPS, NEAR)
    used = solutions.evaluations
    for part in (1.0, 0.5, 0.25, 0.0):
        lost = ~(solutions.error <= solutions.enough)
        if extra is None or not lost.any():
            break
        extra = np.where(lost, part * extra, extra)
        state = State(*(np.where(lost, a, b) for a, b in zip(start, state, strict=True)))
        solutions, state = solve(problems, extra, state, idle, TOLERANCE, STEPS, 1.0)
        used += solutions.evaluations
    return solutions._replace(evaluations=used), state


def idle_change(problems: Problems, throughput: Array) -> Array | None:
    """How the idle part of a station differs from what its law makes of the population at hand.

    The populations are N and those with one customer less of each class.
    """
    if not problems.varying:
        return None
    size = len(throughput)
    points = throughput.shape[1] // (1 + size)
    changes = np.zeros(problems.demand.shape)
    for k, law, rates in problems.varying:
        offered = throughput * problems.demand[:, k] * rates[-1]
        load = offered.sum(axis=0).reshape(1 + size, points)
        mine = rates[:, :points]
        there = law.at(load[1:], mine)[0]
        whole = entry(problems.weight, k) * offered.sum(axis=0)
        change = there - law.at((whole - entry(problems.own, k) * offered)[:, :points], mine)[0]
        everywhere = np.broadcast_to(change[..., None, :], (size, 1 + size, points))
        changes[:, k] = everywhere.reshape(size, (1 + size) * points)
    return changes


def _first(problems: Problems, points: int) -> Problems:
    """The populations N only."""
    return Problems(
        problems.population[:, :points], problems.delay[:, :points], problems.demand[:, :, :points],
        problems.weight if isinstance(problems.weight, float) else problems.weight[..., :points],
        problems.own if isinstance(problems.own, float) else problems.own[..., :points],
        tuple((k, law, rates[:, :points]) for k, law, rates in problems.varying),
    )  # fmt: skip


def _flat(values: Any) -> Any:
    """(C, M, P) or (M, P) as it broadcasts to (C, K, B)."""
    if isinstance(values, float):
        return values
    return values.reshape(-1, 1, values.shape[-2] * values.shape[-1])
