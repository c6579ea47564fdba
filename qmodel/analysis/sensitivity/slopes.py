"""How all measures of a network change with one parameter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qmodel.analysis.sensitivity.parameters import Parameter
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Slopes:
    """Change of every measure per unit of a parameter; for whole numbers, with one more.

    Attributes
    ----------
    parameter : Parameter
        What changes.
    throughputs, response_times : tuple of float, length C
        [1/s and s, per unit of the parameter]
    residence_times, queue_lengths, utilizations : tuple, shape (C, K)
        [s, customers and 1, per unit of the parameter]
    """

    parameter: Parameter
    throughputs: Row
    response_times: Row
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

    Parameters
    ----------
    parameter : Parameter
        What they are by.
    solution : Solution
        Where they are taken.
    throughput : sequence of float, length C
        Derivatives of the throughputs.
    residence : sequence, shape (C, K)
        Derivatives of the residence times.
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

    def rows(before: Sequence[Row], after: Sequence[Row]) -> tuple[Row, ...]:
        return tuple(row(*pair) for pair in zip(before, after, strict=True))

    def row(before: Row, after: Row) -> Row:
        return tuple((b - a) / step for a, b in zip(before, after, strict=True))

    return Slopes(
        parameter,
        row(low.throughputs, high.throughputs),
        row(low.response_times, high.response_times),
        rows(low.residence_times, high.residence_times),
        rows(low.queue_lengths, high.queue_lengths),
        rows(low.utilizations, high.utilizations),
    )


def combined(first: Slopes, weight: float, second: Slopes) -> Slopes:
    """``first`` plus ``weight`` times what it is ahead of ``second``: an extrapolation."""

    def row(mine: Row, other: Row) -> Row:
        return tuple(a + weight * (a - b) for a, b in zip(mine, other, strict=True))

    def rows(mine: Sequence[Row], other: Sequence[Row]) -> tuple[Row, ...]:
        return tuple(row(*pair) for pair in zip(mine, other, strict=True))

    return Slopes(
        first.parameter,
        row(first.throughputs, second.throughputs),
        row(first.response_times, second.response_times),
        rows(first.residence_times, second.residence_times),
        rows(first.queue_lengths, second.queue_lengths),
        rows(first.utilizations, second.utilizations),
    )
