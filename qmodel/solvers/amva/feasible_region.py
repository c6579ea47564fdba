"""Projection of approximate answers to their bounds: service times and capacities. Original."""

from __future__ import annotations

import numpy as np

from qmodel.solvers.amva.population_batch import Found, Problems


def within_bounds(problems: Problems, found: Found) -> Found:
    """The solutions, those beyond a bound moved to it.

    A residence time is at least the service time at a customer's best share of the station's
    speed, which is that of one customer alone unless speeds grow more than in proportion. Where a
    station would exceed its capacity, by one part in ten thousand perhaps, the classes that visit
    it are slowed down by as much, and wait there.
    """
    d = problems.demand
    least = d.copy()
    for k, _, rates in problems.varying:
        each = rates / np.arange(1.0, len(rates) + 1.0)[:, None]  # of n customers there
        least[:, k] *= rates[-1] / each.max(axis=0)
    times = np.maximum(found.residence, least)
    x = problems.population / (problems.delay + times.sum(axis=1))
    busy = np.where(d > 0.0, (x[:, None] * d).sum(axis=0), 0.0)
    station = busy.argmax(axis=1)
    slower = np.maximum(busy.max(axis=1), 1.0)
    some = np.where(x > 0.0, x, 1.0)
    wait = problems.population / some * (slower - 1.0)  # 0 of an empty class
    np.put_along_axis(
        times, station[:, None],
        np.take_along_axis(times, station[:, None], axis=1) + wait[:, None], axis=1,
    )  # fmt: skip
    return found._replace(throughput=x / slower, residence=times)
