"""How all measures of a network change with one parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from qmodel.analysis.sensitivity.parameters import Parameter
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation

Row = tuple[float, ...]

#: Measures of a solution.
MEASURES = (
    "throughputs", "response_times", "residence_times", "queue_lengths", "utilizations"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slopes:
    """Change of every measure per unit of a parameter; for whole numbers, with one more."""

    parameter: Parameter
    #: By class. [1/s and s, per unit of the parameter]
    throughputs: Row
    response_times: Row
    #: Shape (C, K). [s, customers and 1, per unit of the parameter]
    residence_times: tuple[Row, ...]
    queue_lengths: tuple[Row, ...]
    utilizations: tuple[Row, ...]


def slopes_of(
    parameter: Parameter,
    solution: Solution,
    throughput: Sequence[float],
    residence: Sequence[Sequence[float]],
) -> Slopes:
    """All derivatives from those of throughput and residence times: Q = X R', U = X D / m.

    ``throughput``, by class, and ``residence``, shape (C, K), are these derivatives.
    """
    network = solution.network
    queues, busy, response = [], [], []
    for c, (slope, row) in enumerate(zip(throughput, residence, strict=True)):
        x = solution.throughputs[c]
        total = 0.0
        for change in row:
            total += change
        response.append(total)
        queues.append(
            tuple(
                slope * time + x * change
                for time, change in zip(solution.residence_times[c], row, strict=True)
            )
        )
        used = []
        for station, demand in zip(network.stations, network.demand[c], strict=True):
            its_own = (
                parameter.kind == "demand"
                and parameter.class_name == network.class_names[c]
                and parameter.station_name == station.name
            )
            share = 1.0 if isinstance(station, DelayStation) else station.max_rate
            used.append((slope * demand + (x if its_own else 0.0)) / share)
        busy.append(tuple(used))
    return Slopes(
        parameter, tuple(throughput), tuple(response),
        tuple(tuple(row) for row in residence), tuple(queues), tuple(busy),
    )  # fmt: skip


def difference(parameter: Parameter, low: Solution, high: Solution, step: float) -> Slopes:
    """Change of every measure from one solution to another, per ``step``."""
    return _of_two(parameter, low, high, lambda a, b: (b - a) / step)


def combined(first: Slopes, weight: float, second: Slopes) -> Slopes:
    """``first`` plus ``weight`` times its excess over ``second``: Richardson extrapolation."""
    return _of_two(first.parameter, first, second, lambda a, b: a + weight * (a - b))


def _of_two(
    parameter: Parameter,
    one: Solution | Slopes,
    other: Solution | Slopes,
    function: Callable[[float, float], float],
) -> Slopes:
    """A function of two values of every measure."""

    def of(a: Any, b: Any) -> Any:
        if isinstance(a, tuple):
            return tuple(of(*pair) for pair in zip(a, b, strict=True))
        return function(a, b)

    return Slopes(parameter, *(of(getattr(one, m), getattr(other, m)) for m in MEASURES))
