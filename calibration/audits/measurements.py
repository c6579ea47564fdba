"""The numbers of a group as logarithms with weights, and the demands to be fitted to them.

One row a run; one column a series, then the throughput as measured and by Little's law.
"""

from dataclasses import dataclass, replace
from math import log
from statistics import NormalDist
from typing import Any, TypeGuard

import numpy as np

from calibration.audits.group import LEAST_CONFIGURATIONS, Group
from calibration.audits.observation import Number

#: A series whose rows are different configurations is judged by its own scatter if that is larger
#: than the noise by this factor. [1]
DIFFERENT = 1.6


@dataclass(frozen=True, eq=False)
class Measurements:
    """What was measured in a group."""

    group: Group
    #: Logarithms of throughputs and of rates times servers; 0 where nothing was measured. Shape
    #: (runs, columns).
    value: Any
    #: One over the variance; 0 where nothing was measured.
    weight: Any
    #: What turns the exponential of a value back into the number in base units.
    factor: Any
    #: What a fit may choose: the demand of each series (in each configuration), and a think time
    #: that is not stated.
    design: tuple[Any, ...]


def throughput_column(group: Group) -> int:
    """Column of the throughput as measured."""
    return len(group.series)


def little_column(group: Group) -> int:
    """Column of the throughput by Little's law."""
    return len(group.series) + 1


def measurements(group: Group) -> Measurements:
    """Collect the numbers of a group."""
    shape = (len(group.runs), len(group.series) + 2)
    value, weight, factor = np.zeros(shape), np.zeros(shape), np.ones(shape)
    for i, run in enumerate(group.runs):
        for s, series in enumerate(group.series):
            if (number := group.number(i, s)) is not None:
                servers = run.servers_at(series.station) if series.quantity == "utilization" else 1
                value[i, s] = log(number.value * servers)
                weight[i, s] = 1.0 / number.relative**2
                factor[i, s] = 1.0 / servers
        if usable(run.throughput):
            value[i, -2] = log(run.throughput.value)
            weight[i, -2] = 1.0 / run.throughput.relative**2
        if (by_little := little(group, i)) is not None:
            value[i, -1], weight[i, -1] = by_little
    return Measurements(group, value, weight, factor, _design(group, value, weight))


#: How long a run is taken to have been, whose length no table tells. [s]
RUN = 300.0


def usable(number: Number | None) -> TypeGuard[Number]:
    """Whether a number can be compared on a logarithmic scale."""
    return number is not None and number.value > 0.0 and 0.0 < number.relative < 1.0


def little(group: Group, run: int) -> tuple[float, float] | None:
    """Logarithm of N / (R + Z) and its weight; None if one of the three is not known."""
    observation = group.runs[run]
    response = observation.response_time
    if observation.population is None or response is None or not usable(response):
        return None
    think = 0.0
    if not observation.whole_cycle:
        if observation.think_time is not None:
            think = observation.think_time.value
        elif group.think_time is not None:
            think = group.think_time
        else:
            return None
    cycle = response.value + think
    variance = response.deviation**2
    if think and observation.throughput is not None and observation.throughput.value > 0.0:
        # The mean of as many exponential think times as a run has cycles.
        variance += think**2 / (observation.throughput.value * (observation.length or RUN))
    return log(observation.population.value / cycle), cycle**2 / variance


def _design(group: Group, value: Any, weight: Any) -> tuple[Any, ...]:
    columns = []
    blocks = [group.block(i) for i in range(len(group.runs))]
    for s in range(len(group.series)):
        for block in dict.fromkeys(blocks):
            column = np.zeros_like(value)
            column[[b == block for b in blocks], s] = 1.0
            columns.append(column)
    if group.think_time:
        column = np.zeros_like(value)
        for i, run in enumerate(group.runs):
            if weight[i, -1] > 0.0 and run.response_time is not None:
                column[i, -1] = 1.0 / (run.response_time.value + group.think_time)
        columns.append(column)
    if not columns:
        columns.append(np.zeros_like(value))
    return tuple(columns)


def judged_by_scatter(measured: Measurements, offset: Any = 0.0) -> Measurements:
    """Where each row is another configuration, judge a series by how much all of it scatters.

    The scatter is the median distance from the series' median demand, so that a few wrong numbers
    do not hide in it; demands come from the run's throughput. `offset` are shifts already found,
    which are no scatter.
    """
    if not measured.group.labelled:
        return measured
    weight, value = measured.weight.copy(), measured.value - offset
    timed = measured.weight[:, -2:]
    certain = timed.sum(axis=1)
    throughput = (timed * value[:, -2:]).sum(axis=1) / np.maximum(certain, 1e-300)
    for s in range(len(measured.group.series)):
        rows = (certain > 0.0) & (measured.weight[:, s] > 0.0)
        if rows.sum() < LEAST_CONFIGURATIONS:
            continue
        demand = value[rows, s] - throughput[rows]
        variance = 1.0 / measured.weight[rows, s] + 1.0 / certain[rows]
        distance = np.abs(demand - np.median(demand)) / np.sqrt(variance)
        ratio = float(np.median(distance)) / NormalDist().inv_cdf(0.75)
        if ratio > DIFFERENT:
            weight[rows, s] = 1.0 / (variance * ratio**2)
    return replace(measured, weight=weight)
