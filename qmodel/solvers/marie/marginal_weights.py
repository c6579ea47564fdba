"""Weights of the numbers of customers at a station, and sums of their products over the network.

All are arrays over the lattice of populations, shape (N_1 + 1, ... N_C + 1), with times in a unit
that keeps them near 1. A network of product form is one whose probabilities are the products of
such weights, one for each station.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lgamma, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def product_form_weights(
    population: Sequence[int], work: Sequence[float], rates: Sequence[float] | None
) -> Array:
    """Weights of a station of product form.

    Parameters
    ----------
    population : sequence of int
        Of each class.
    work : sequence of float
        Demand of each class, in units of time.
    rates : sequence of float, optional
        Relative rates with 1, 2 ... customers, the last going on; None for a delay.

    Examples
    --------
    >>> product_form_weights((2,), (0.5,), (1.0,)).round(6).tolist()
    [1.0, 0.5, 0.25]
    >>> product_form_weights((2,), (0.5,), None).round(6).tolist()
    [1.0, 0.5, 0.125]
    """
    import numpy as np

    shape = tuple(n + 1 for n in population)
    total = 0
    logarithm = np.zeros(shape)
    counts = np.indices(shape)
    for n, demand, there in zip(population, work, counts, strict=True):
        alone = [j * log(demand) - lgamma(j + 1) if demand else -np.inf for j in range(1, n + 1)]
        logarithm += np.array([0.0, *alone])[there]
        total += n
    if rates is not None:
        together = [0.0]
        for j in range(1, total + 1):
            together.append(together[-1] + log(j / rates[min(j, len(rates)) - 1]))
        logarithm += np.array(together)[counts.sum(axis=0)]
    return np.exp(logarithm)


def convolved(first: Array, second: Array) -> Array:
    """Weights of two stations together.

    Examples
    --------
    >>> import numpy as np
    >>> convolved(np.array([1.0, 0.5, 0.25]), np.array([1.0, 2.0, 4.0])).tolist()
    [1.0, 2.5, 5.25]
    """
    import numpy as np

    found = np.zeros_like(first)
    if np.count_nonzero(second) < np.count_nonzero(first):
        first, second = second, first
    for at in zip(*np.nonzero(first), strict=True):
        room = tuple(slice(0, n - i) for n, i in zip(first.shape, at, strict=True))
        there = tuple(slice(int(i), None) for i in at)
        found[there] += first[at] * second[room]
    return found


def rest_of_network(weights: Array) -> Array:
    """The weights of what is elsewhere, by what is here: at N - n in place of n."""
    import numpy as np

    return np.flip(weights)


def arrival_rates(outside: Array) -> Array:
    """Rate at which customers of each class arrive, by what is here, per unit of time.

    Parameters
    ----------
    outside : array, shape (N_1 + 1, ...)
        Weights of the rest of the network, by the numbers that are there.

    Returns
    -------
    array, shape (C, N_1 + 1, ...)
        0 where nobody is left to arrive.
    """
    import numpy as np

    found = np.zeros((outside.ndim, *outside.shape))
    for c in range(outside.ndim):
        fewer = np.zeros_like(outside)
        after, before = [slice(None)] * outside.ndim, [slice(None)] * outside.ndim
        after[c], before[c] = slice(1, None), slice(None, -1)
        fewer[tuple(after)] = outside[tuple(before)]
        rates = np.divide(fewer, outside, out=np.zeros_like(fewer), where=outside > 0.0)
        # Where weights are too small for a float nobody ever is; but they must find a way back.
        lost = (outside <= 0.0) & (np.indices(outside.shape)[c] > 0)
        rates[lost] = rates.max() or 1.0
        found[c] = rest_of_network(rates)
    return found
