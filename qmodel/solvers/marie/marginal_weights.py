"""Marginal weights of stations, their convolution, and the arrival rates that follow.
Theory and sources: `qmodel/solvers/THEORY.md`, marie/marginal_weights.
"""

from collections.abc import Sequence
from math import lgamma, log

import numpy as np

from qmodel.numerics.arrays import Array


def product_form_weights(
    population: Sequence[int], work: Sequence[float], rates: Sequence[float] | None
) -> Array:
    """Weights of a station of product form.

    ``work`` is the demand of each class, in units of time; ``rates`` are relative, with 1, 2 ...
    customers, the last going on, None for a delay.
    """
    shape = tuple(n + 1 for n in population)
    total = 0
    logarithm = np.zeros(shape)
    counts = np.indices(shape)
    for n, demand, present in zip(population, work, counts, strict=True):
        alone = [j * log(demand) - lgamma(j + 1) if demand else -np.inf for j in range(1, n + 1)]
        logarithm += np.array([0.0, *alone])[present]
        total += n
    if rates is not None:
        shared = [log(j / rates[min(j, len(rates)) - 1]) for j in range(1, total + 1)]
        logarithm += np.cumsum([0.0, *shared])[counts.sum(axis=0)]
    return np.exp(logarithm)


def convolve(first: Array, second: Array) -> Array:
    """Weights of two stations together."""
    weights = np.zeros_like(first)
    if np.count_nonzero(second) < np.count_nonzero(first):
        first, second = second, first
    for at in zip(*np.nonzero(first), strict=True):
        rest = tuple(slice(0, n - i) for n, i in zip(first.shape, at, strict=True))
        weights[tuple(slice(int(i), None) for i in at)] += first[at] * second[rest]
    return weights


def arrival_rates(rest: Array) -> Array:
    """Rates lambda_c(n) at which customers arrive at a station, per unit of time.

    ``rest`` are the weights G of the rest of the network, by the numbers in it, shape (N_1 + 1,
    ...). The rates, shape (C, N_1 + 1, ...), are 0 where no customer is left to arrive.
    """
    arrivals = np.zeros((rest.ndim, *rest.shape))
    for c in range(rest.ndim):
        fewer = np.zeros_like(rest)
        after, before = [slice(None)] * rest.ndim, [slice(None)] * rest.ndim
        after[c], before[c] = slice(1, None), slice(None, -1)
        fewer[tuple(after)] = rest[tuple(before)]
        rates = np.divide(fewer, rest, out=np.zeros_like(fewer), where=rest > 0.0)
        # States whose weight underflows are never seen, but the chain must be able to leave them.
        underflow = (rest <= 0.0) & (np.indices(rest.shape)[c] > 0)
        rates[underflow] = rates.max() or 1.0
        arrivals[c] = np.flip(rates)
    return arrivals
