"""The think time of a group whose table does not state it: whatever lets its rows agree best."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

from calibration.audits.group import Group
from calibration.audits.reconciliation import misfit

#: Think times tried where no throughput was measured, over the mean response time. [1]
_STEPS = (0.0, *(2.0**exponent for exponent in range(-6, 11)))


def with_think_time(group: Group) -> Group:
    """The group with a think time, where one is needed and none is given.

    A law then speaks only of what no think time at all would allow. Where throughputs were
    measured it is the median of N / X - R, and not less than 0; otherwise the one of a coarse scale
    that leaves the least misfit. The fit refines either.
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
    times = [run.response_time.value for run in unknown if run.response_time is not None]
    mean = sum(times) / len(times)
    candidates = [replace(group, think_time=mean * step) for step in _STEPS]
    return min(candidates, key=misfit)
