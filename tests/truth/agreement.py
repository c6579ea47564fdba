"""Where a solution disagrees with the truth, in words."""

from collections.abc import Iterator
from itertools import product
from math import isfinite
from typing import Any

import qmodel as qm
from tests.truth.measures import Measures

#: Customers, seconds or fractions too small to matter, for values whose truth is 0.
NOTHING = 1e-13


def disagreements(
    solution: qm.Solution, truth: Measures, *, throughput: float, others: float
) -> list[str]:
    """One line for every measure off by more than its relative tolerance; [] is agreement."""
    found = []
    for what, here, there, tolerance in _pairs(solution, truth, throughput, others):
        error = relative_error(here, there)
        if not error <= tolerance:  # a NaN is a disagreement
            found.append(f"{what}: {here!r}, truth {float(there)!r}, off by {error:.2g}")
    return found


def relative_error(here: float, there: Any) -> float:
    """Relative error where the truth is not 0, scaled absolute error where it is."""
    if not isfinite(here):
        return float("nan")
    if there == 0:
        return abs(here) / NOTHING if abs(here) > NOTHING else 0.0
    return float(abs((type(there)(here) - there) / there))  # in the arithmetic of the truth


def _pairs(
    solution: qm.Solution, truth: Measures, throughput: float, others: float
) -> Iterator[tuple[str, float, Any, float]]:
    classes, stations = solution.network.class_names, solution.network.station_names
    for c, name in enumerate(classes):
        yield f"throughput of {name}", solution.throughputs[c], truth.throughput[c], throughput
    for (c, class_name), (k, station) in product(enumerate(classes), enumerate(stations)):
        where = f"of {class_name} at {station}"
        for what, here, there in (
            ("queue length", solution.queue_lengths, truth.queue_length),
            ("utilization", solution.utilizations, truth.utilization),
            ("residence time", solution.residence_times, truth.residence_time),
        ):
            if there[c][k] is not None:
                yield f"{what} {where}", here[c][k], there[c][k], others
