"""How the customers of a closed network of one class divide among its parts.

Buzen (1973); Marie (1979). Theory: `qmodel/solvers/THEORY.md`, limits/population_shares.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from qmodel.numerics.arrays import Array
from qmodel.solvers.limits.pool_queue import closed_pool

#: Rounds over several pools, and the change of a probability that ends them.
ROUNDS, TOLERANCE = 100, 1e-9
#: Terms of a convolution that are summed at once: floats must hold as many ratios of neighbours.
SEGMENT = 16


class Part(NamedTuple):
    """Stations of product form together, or a pool."""

    #: Logarithms of the normalizing constants with 0, 1 ... customers, for all populations or a row
    #: for each; of a pool to begin with.
    logs: Array
    #: Of a pool: throughputs, SCV and places of `closed_pool`. [1/s]
    rates: Array | None = None
    scv: float = 1.0
    places: int = 0

    @classmethod
    def of_rates(cls, rates: Array, most: int) -> Self:
        """Load-dependent servers: throughputs with 1, 2 ... customers, the last going on."""
        index = np.minimum(np.arange(most), rates.shape[-1] - 1)
        logs = -np.cumsum(np.log(rates[..., index]), axis=-1)
        return cls(np.insert(logs, 0, 0.0, axis=-1))

    @classmethod
    def pool(cls, rates: Array, scv: float, most: int, places: int | None = None) -> Self:
        """A pool of so many threads, by default as many as there are throughputs."""
        return cls.of_rates(rates, most)._replace(rates=rates, scv=scv, places=places or len(rates))

    @classmethod
    def full(cls, rates: Array, most: int) -> Self:
        """A pool at which no one waits: who finds all its places taken passes it by."""
        logs = cls.of_rates(rates, most).logs
        return cls(np.where(np.arange(most + 1) <= len(rates), logs, -np.inf))


def population_shares(
    parts: Sequence[Part], populations: Sequence[int]
) -> tuple[Array, list[Array]]:
    """Throughput with each population, and for each part the probabilities of 0, 1 ... there."""
    rows, size = np.arange(len(populations))[:, None], parts[0].logs.shape[-1]
    left = np.maximum(np.array(populations)[:, None] - np.arange(size), -1)
    logs = [np.atleast_2d(part.logs) for part in parts]
    chances: list[Array] = [np.zeros((len(rows), size))] * len(parts)
    like = [next(j for j in range(i + 1) if _alike(parts[j], part)) for i, part in enumerate(parts)]
    pools, single = [i for i, p in enumerate(parts) if p.rates is not None], [*range(len(parts))]
    moved = 1.0
    for _ in range(ROUNDS if len(pools) > 1 else 1):
        before, moved = moved, 0.0
        for i in pools:
            if (first := like[i]) < i:
                logs[i], chances[i] = logs[first], chances[first]
                continue
            others = convolved([*logs[:i], *logs[i + 1 :]], size)
            rates = parts[i].rates
            if np.isinf(others[:, 1:]).all() or rates is None:  # all is inside
                continue
            found = closed_pool(
                throughputs(others), rates, parts[i].scv, populations, parts[i].places
            )
            with np.errstate(invalid="ignore"):  # beyond the population both are infinite
                logs[i] = np.where(left >= 0, found - _of_each(others, left), -np.inf)
            moved = max(moved, float(abs(np.exp(found) - chances[i]).max()))
            chances[i] = np.exp(found)
        if moved < TOLERANCE:
            break
        if moved > before / 2.0 and like != single:  # equal pools that move at once may swing
            like, logs = single, [np.atleast_2d(part.logs) for part in parts]
    for i in range(len(parts)):
        if (first := like[i]) < i:
            chances[i] = chances[first]
            continue
        others = convolved([*logs[:i], *logs[i + 1 :]], size)
        weights = np.where(left >= 0, logs[i] + _of_each(others, left), -np.inf)
        chances[i] = np.exp(weights - weights.max(axis=1)[:, None])
        chances[i] /= chances[i].sum(axis=1)[:, None]
    if np.isinf(others[:, 1:]).all():
        return (chances[-1] * throughputs(logs[-1])).sum(axis=1), chances
    rate = np.where(left >= 0, _of_each(throughputs(others), left), 0.0)
    return (chances[-1] * rate).sum(axis=1), chances


def _alike(one: Part, other: Part) -> bool:
    """Whether two parts are the same, or equal pools."""
    if one is other or one.rates is None or other.rates is None:
        return one is other
    same = (one.scv, one.places, len(one.logs)) == (other.scv, other.places, len(other.logs))
    return same and np.array_equal(one.rates, other.rates) and np.array_equal(one.logs, other.logs)


def _of_each(values: Array, left: Array) -> Array:
    """What each population's row, or the one row for all, has with so many customers elsewhere."""
    return np.asarray(values[np.arange(len(values))[:, None], left])


def throughputs(logs: Array) -> Array:
    """X(n) = G(n - 1) / G(n); X(0) = 0. [1/s]"""
    steps = np.zeros_like(logs)
    with np.errstate(invalid="ignore"):
        steps[..., 1:] = np.exp(logs[..., :-1] - logs[..., 1:])
    return np.nan_to_num(steps)


def convolved(logs: Sequence[Array], size: int) -> Array:
    """The convolution of each row of constants; those of one row are the same for all rows."""
    if not logs:
        return np.where(np.arange(size) > 0, -np.inf, 0.0)[None, :]
    whole = logs[0]
    for other in logs[1:]:
        short, long = sorted((whole, other), key=_length)
        whole = _pair(short, long, size)
    return np.array(whole)


def _pair(short: Array, long: Array, size: int) -> Array:
    """Two rows or sets of them: segments in proportion to their largest constants."""
    blocks, count = -(-size // SEGMENT), -(-min(_length(short), size) // SEGMENT)
    ends = (0, 0), (SEGMENT - 1, max(0, blocks * SEGMENT - long.shape[1]))
    padded = np.pad(long, ends, constant_values=-np.inf)
    windows = sliding_window_view(padded, 2 * SEGMENT - 1, axis=1)[:, ::SEGMENT][:, :blocks]
    high, near = _in_proportion(windows)
    padded = np.pad(short, ((0, 0), (0, max(0, count * SEGMENT - short.shape[1]))),
                    constant_values=-np.inf)[:, : count * SEGMENT]  # fmt: skip
    top, parts = _in_proportion(padded.reshape(len(short), count, SEGMENT))
    beside = np.pad(parts, ((0, 0), (0, 0), (SEGMENT - 1, SEGMENT - 1)))
    turned = sliding_window_view(beside, 2 * SEGMENT - 1, axis=2)[..., ::-1].swapaxes(2, 3)
    made = np.full((max(len(short), len(long)), blocks, SEGMENT), -np.inf)
    with np.errstate(divide="ignore"):
        for j in range(min(count, blocks)):
            found = np.log(near[:, : blocks - j] @ turned[:, j])
            found += high[:, : blocks - j] + top[:, j, None]
            made[:, j:] = np.logaddexp(made[:, j:], found)
    return np.asarray(made.reshape(len(made), -1)[:, :size])


def _in_proportion(logs: Array) -> tuple[Array, Array]:
    """The largest along the last axis, and all in proportion to it."""
    top = logs.max(axis=-1, keepdims=True)
    top = np.where(np.isinf(top), 0.0, top)
    return top, np.exp(logs - top)


def _length(logs: Array) -> int:
    """Constants up to the last that is not nothing in every row."""
    return int(np.flatnonzero(np.isfinite(logs).any(axis=0)).max(initial=0)) + 1
