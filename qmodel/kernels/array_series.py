"""Positive power series as arrays: convolution at large populations and many; see THEORY.md."""

from itertools import pairwise
from typing import Any

import numpy as np

from qmodel.numerics.arrays import Array


def delays(load: Any, most: int) -> Array:
    """load^n / n! for n up to ``most``, the largest made 1: ratios below 1 on both sides of it."""
    n = np.arange(most + 1.0).reshape(-1, *[1] * np.ndim(load))
    mode = np.minimum(np.floor(load), most)
    up = np.where(n > mode, load / np.maximum(n, 1.0), 1.0)
    down = np.where((n >= 1.0) & (n <= mode), n / np.where(load > 0.0, load, 1.0), 1.0)
    weights: Array = np.multiply.accumulate(up, axis=0)
    weights[:-1] *= np.multiply.accumulate(down[:0:-1], axis=0)[::-1]
    return weights


def geometric(series: Array, ratio: Any) -> Array:
    """``series`` times 1 + ratio x + ratio^2 x^2 + ..."""
    if series.ndim == 1:
        from scipy.linalg.lapack import dtbtrs

        diagonals = np.empty((2, len(series)))
        diagonals[0], diagonals[1] = 1.0, -ratio
        return np.asarray(dtbtrs(diagonals, series, uplo="L", diag="U")[0])
    filtered = series.copy()
    added = np.empty(series.shape[1:])
    for before, here in pairwise(list(filtered)):
        np.multiply(ratio, before, out=added)
        np.add(here, added, out=here)
    return filtered


def product(series: Array, head: Array, ratio: Any, tail: Array | None = None) -> Array:
    """``series`` times a factor that starts with ``head`` and goes on in steps of ``ratio``.

    ``tail`` is `geometric` of the series, where it is known.
    """
    steps = len(head) - 1
    whole = np.zeros_like(series)
    tail = geometric(series, ratio) if tail is None else tail
    whole[steps:] = head[-1] * tail[: len(series) - steps]
    for j in range(min(steps, len(series)) - 1, -1, -1):
        whole[j:] += head[j] * series[: len(series) - j]
    return whole


def present(series: Array, head: Array, ratio: Any) -> Array:
    """As `product`, each coefficient of the factor times its power: the number at a station."""
    number = np.arange(float(len(head))).reshape(-1, *[1] * (head.ndim - 1))
    tail = geometric(series, ratio)
    whole = product(series, number * head, ratio, tail)
    # A geometric series of second order behind the head.
    late = geometric(tail, ratio) * (head[-1] * ratio)
    whole[len(head) :] += late[: len(whole) - len(head)]
    return whole
