"""Differences of solutions: a customer or server more, or small parameter steps; see THEORY.md."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import nan

from qmodel.analysis.sensitivity.parameters import (
    Parameter,
    Slopes,
    changed,
    combined,
    difference,
    parameters,
)
from qmodel.errors import InvalidNetwork, NotApplicable, Unstable
from qmodel.model.network import Network
from qmodel.model.solution import Solution, total
from qmodel.solvers import METHODS, solve

#: Step relative to the parameter.
STEP = 1e-3
#: Methods whose answers are those of the model itself.
EXACT = frozenset(m.name for m in METHODS if m.exact)


def steps(network: Network, solution: Solution, method: str) -> tuple[Slopes, ...]:
    """Change of every measure with one customer, and with one server, more.

    ``method`` solves the others; nan where one more makes no network, or one without a solution.
    """
    return tuple(
        _or_nan(solution, p, partial(_step, network, solution, method, p))
        for p in parameters(network)
        if p.is_whole
    )


def _step(network: Network, before: Solution, method: str, parameter: Parameter) -> Slopes:
    """The difference of two solutions by one method; exact ones are by one method anyway."""
    after = solve(changed(network, parameter, parameter.value + 1.0), method)
    if after.method != before.method and after.method not in EXACT:
        # One more may be too many for an exact method.
        with suppress(NotApplicable):
            before = solve(network, after.method)
    return difference(parameter, before, after, 1.0)


def slopes(network: Network, solution: Solution, method: str) -> tuple[Slopes, ...]:
    """Derivatives by all parameters that are no whole numbers, as differences; nan as above."""
    return tuple(
        _or_nan(solution, p, partial(_slope, network, p, method))
        for p in parameters(network)
        if not p.is_whole
    )


def _or_nan(solution: Solution, parameter: Parameter, found: Callable[[], Slopes]) -> Slopes:
    """Slopes, or nan where what changes makes no network, or one that is not solved."""
    try:
        return found()
    except (InvalidNetwork, NotApplicable, Unstable):
        return difference(parameter, solution, solution, nan)


def _slope(network: Network, parameter: Parameter, method: str) -> Slopes:
    step = STEP * (parameter.value or _scale(network, parameter))
    for _ in range(4):
        try:
            return _from_steps(network, parameter, method, step)
        except Unstable:  # a step too far
            step /= 100.0
    return _from_steps(network, parameter, method, step)


def _from_steps(network: Network, parameter: Parameter, method: str, step: float) -> Slopes:
    value = parameter.value

    def at(offset: float) -> Solution:
        return solve(changed(network, parameter, value + offset), method)

    if value:
        near = difference(parameter, at(-step), at(step), 2.0 * step)
        far = difference(parameter, at(-2.0 * step), at(2.0 * step), 4.0 * step)
        return combined(near, 1.0 / 3.0, far)
    # At 0 to one side only: steps of 0, h, 2h.
    start = solve(network, method)
    near = difference(parameter, start, at(step), step)
    far = difference(parameter, start, at(2.0 * step), 2.0 * step)
    return combined(near, 1.0, far)


def _scale(network: Network, parameter: Parameter) -> float:
    """What a parameter that is 0 is small beside."""
    c = network.class_names.index(parameter.class_name or "")
    alone = total([network.think_time[c], *network.demand[c]]) or 1.0
    return 1.0 / alone if parameter.kind == "arrival_rate" else alone
