"""All populations of many networks of one class in one pass of exact mean value analysis.

The recursion of `mva` passes every population on its way to the largest, so a grid over
populations costs no more than its largest ones. Networks go through it together, as the columns
of arrays; those whose last population is passed are left behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Whole = NDArray[np.int64]

#: Columns handled at a time, so that the arrays in use stay in the processor's cache.
COLUMNS = 4096


def at_populations(
    delay: Array, demand: Array, column: Whole, population: Whole
) -> tuple[Array, Array]:
    """Throughput and residence times of points, each a network and a population of it.

    Parameters
    ----------
    delay : array, (M,)
        Think time and demands at delay stations of each network. [s]
    demand : array, (K, M)
        Demands at single servers. [s]
    column : array of int, (B,)
        The network of each point, ascending.
    population : array of int, (B,)
        Its population, at least 0. [customers]

    Returns
    -------
    throughput : array, (B,)
        [1/s]
    residence_time : array, (K, B)
        [s]

    Examples
    --------
    >>> from numpy import array
    >>> x, r = at_populations(array([1.0]), array([[0.5]]), array([0, 0]), array([1, 2]))
    >>> x.round(4).tolist(), r.round(4).tolist()
    ([0.6667, 1.2], [[0.5, 0.6667]])
    """
    import numpy as np

    throughput = np.zeros(len(column))
    residence = np.zeros((len(demand), len(column)))
    for first in range(0, len(delay), COLUMNS):
        low, high = np.searchsorted(column, [first, first + COLUMNS])
        throughput[low:high], residence[:, low:high] = _pass(
            delay[first : first + COLUMNS],
            demand[:, first : first + COLUMNS],
            column[low:high] - first,
            population[low:high],
        )
    return throughput, residence


def _pass(delay: Array, demand: Array, column: Whole, population: Whole) -> tuple[Array, Array]:
    import numpy as np

    last = np.zeros(len(delay), np.int64)
    np.maximum.at(last, column, population)
    order = np.argsort(-last, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    d, thinking, ends = demand[:, order], delay[order], last[order]
    points = np.argsort(population, kind="stable")
    at, sizes = place[column[points]], population[points]
    throughput = np.zeros(len(points))
    residence = np.zeros((len(demand), len(points)))
    seen = np.ones_like(d)
    first = int(np.searchsorted(sizes, 1))
    most = int(ends[0]) if len(ends) else 0
    # How many columns go on, and how many points are done, with 1, 2 ... customers.
    widths = np.searchsorted(-ends, -np.arange(1, most + 1), side="right").tolist()
    done = np.searchsorted(sizes, np.arange(1, most + 1), side="right").tolist()
    for n, (width, stop) in enumerate(zip(widths, done, strict=True), 1):
        r = d[:, :width] * seen[:, :width]
        cycle = thinking[:width].copy()
        for row in r:
            cycle += row
        x = n / cycle
        if stop > first:
            here = at[first:stop]
            throughput[points[first:stop]] = x[here]
            residence[:, points[first:stop]] = r[:, here]
            first = stop
        r *= x
        r += 1.0
        seen[:, :width] = r
    return throughput, residence
