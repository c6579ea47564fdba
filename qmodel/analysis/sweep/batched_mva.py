"""Exact mean value analysis of many networks of one class at once, as arrays.

The recursion of `mva` step by step over all networks together. Why it is written the way it is:
a step over one array costs about a nanosecond per station and network as long as the arrays stay
in the processor's cache, so networks go in parts of `CHUNK`; those of the largest population come
first, so that each step works on the head of the arrays; and those whose bottleneck is saturated
to the last digit (`saturation`, where the argument is given) take no step at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qmodel.solvers.product_form.saturation_limit import NEGLIGIBLE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Networks handled at a time.
CHUNK = 8192


def mean_value_analysis(population: Any, delay: Any, demand: Any) -> tuple[Array, Array]:
    """Throughput and residence times of many networks of single servers and delays.

    Parameters
    ----------
    population : array_like of int, shape (B,)
        Customers, at least 0. [customers]
    delay : array_like, shape (B,)
        Think time and the demands at delay stations. [s]
    demand : array_like, shape (B, K)
        Demands at single servers. [s]

    Returns
    -------
    throughput : array, shape (B,)
        [1/s]
    residence_time : array, shape (B, K)
        [s]; 0 in a network without customers.

    Examples
    --------
    >>> throughput, residence_time = mean_value_analysis([1, 2], [1.0, 0.0], [[0.5], [0.5]])
    >>> throughput.tolist(), residence_time.tolist()
    ([0.6666666666666666, 2.0], [[0.5], [1.0]])
    """
    import numpy as np

    customers = np.asarray(population, np.int64)
    thinking = np.asarray(delay, float)
    by_station = np.ascontiguousarray(np.asarray(demand, float).T)
    throughput = np.zeros(len(customers))
    residence = np.zeros_like(by_station)
    left = np.flatnonzero(customers)
    if len(by_station) and len(left):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            found = _saturated(customers[left], thinking[left], by_station.take(left, axis=1))
        done, throughput[left], residence[:, left] = found
        left = left[~done]
    left = left[np.argsort(-customers[left], kind="stable")]
    for start in range(0, len(left), CHUNK):
        part = left[start : start + CHUNK]
        throughput[part], residence[:, part] = _recursion(
            customers[part], thinking[part], by_station.take(part, axis=1)
        )
    return throughput, residence.T


def _recursion(customers: NDArray[np.int64], thinking: Array, demand: Array) -> tuple[Array, Array]:
    """The recursion itself; the networks are sorted, the largest population first."""
    import numpy as np

    seen = np.ones_like(demand)
    residence = demand.copy()
    throughput = np.zeros(len(customers))
    ends = np.searchsorted(-customers, -np.arange(1, int(customers[0]) + 1), side="right").tolist()
    active = -1
    for n, end in enumerate(ends, 1):
        if end != active:
            active = end
            # Views of those that still grow.
            d, p, r = demand[:, :end], seen[:, :end], residence[:, :end]
            z, x = thinking[:end], throughput[:end]
            cycle = np.empty(end)
        np.multiply(d, p, out=r)
        np.add.reduce(r, axis=0, out=cycle)
        cycle += z
        np.divide(n, cycle, out=x)
        np.multiply(r, x, out=p)
        p += 1.0
    return throughput, residence


def _saturated(
    customers: NDArray[np.int64], delay: Array, demand: Array
) -> tuple[NDArray[np.bool_], Array, Array]:
    """Which networks are saturated, and the throughput and residence times of those."""
    import numpy as np

    every = np.arange(len(customers))
    bottleneck = demand.argmax(axis=0)
    slowest = demand[bottleneck, every]
    ratio = demand / slowest
    ratio[bottleneck, every] = 0.0
    second = ratio.max(axis=0)
    thinking = delay / slowest
    # The radius of `saturation._radius`, and the bound there.
    a = thinking / second
    b = a + 1.0 + customers
    radius = 2.0 * customers / (b + np.sqrt(b * b - 4.0 * a * customers)) / second
    radius = np.where(second > 0.0, radius, np.where(delay > 0.0, customers / thinking, 2.0))
    radius = np.where(radius > 1.0, radius, np.nan)
    distance = thinking * (radius - 1.0) - (customers - 1) * np.log(radius) - np.log(radius - 1.0)
    growth = (1.0 - ratio) / (1.0 - ratio * radius)
    distance += np.log(growth.prod(axis=0)) + np.log(growth.max(axis=0))
    alone = (second == 0.0) & (delay == 0.0)
    done = ((second < 1.0) & (distance <= NEGLIGIBLE)) | alone
    residence = demand / (1.0 - ratio)
    residence[bottleneck, every] = 0.0
    residence[bottleneck, every] = customers * slowest - delay - residence.sum(axis=0)
    return done, 1.0 / slowest, residence
