"""The think time of a group whose table does not state it: whatever lets its rows agree best."""

from __future__ import annotations

from dataclasses import replace
from math import log
from statistics import median

from calibration.audits.group import Group
from calibration.audits.observation import Observation

#: Think times tried where no throughput was measured, over the median response time. [1]
_STEPS = (0.0, *(2.0 ** (exponent / 4.0) for exponent in range(-32, 41)))


def with_think_time(group: Group) -> Group:
    """The group with a think time, where one is needed and none is given.

    A law then speaks only of what no think time at all would allow. Where throughputs were
    measured it is the median of N / X - R, and not less than 0; otherwise the one at which the
    demands of a series lie closest around their median, so that a few wrong rows do not choose it.
    The fit refines either.
    """
    unknown = [
        run
        for run in group.runs
        if run.population is not None
        and run.response_time is not None
        and run.think_time is None
        and not run.whole_cycle
    ]
    if not unknown:
        return group
    differences = [
        run.population.value / run.throughput.value - run.response_time.value
        for run in unknown
        if run.population is not None
        and run.response_time is not None
        and run.throughput is not None
        and run.throughput.value > 0.0
    ]
    if differences:
        return replace(group, think_time=max(0.0, median(differences)))
    scale = median(run.response_time.value for run in unknown if run.response_time is not None)
    best = min((_scatter(group, scale * step), scale * step) for step in _STEPS)[1]
    return replace(group, think_time=best)


def _scatter(group: Group, think_time: float) -> float:
    """Median distance of logarithms of demands from their median, added up over the series."""
    total = 0.0
    for s in range(len(group.series)):
        demands: dict[str, list[float]] = {}
        for i, run in enumerate(group.runs):
            number = group.number(i, s)
            cycle = _cycle(run, think_time)
            if number is not None and cycle is not None and run.population is not None:
                demand = log(number.value * cycle / run.population.value)
                demands.setdefault(group.block(i), []).append(demand)
        distances = []
        for block in demands.values():
            middle = median(block)
            distances += [abs(demand - middle) for demand in block]
        total += median(distances) if distances else 0.0
    return total


def _cycle(run: Observation, think_time: float) -> float | None:
    if run.response_time is None or run.response_time.value <= 0.0:
        return None
    if run.whole_cycle:
        return run.response_time.value
    given = run.think_time.value if run.think_time is not None else think_time
    return run.response_time.value + given
