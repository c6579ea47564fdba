"""How the customers of a closed network of one class divide among its parts.

Buzen (1973); Marie (1979). Theory: `qmodel/solvers/THEORY.md`, limits/population_shares.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from qmodel.numerics.arrays import Array
from qmodel.solvers.limits.pool_queue import closed_pool

#: Rounds over several pools, and the change of a probability that ends them.
ROUNDS, TOLERANCE = 100, 1e-9
#: Terms of a convolution that are summed at once.
BLOCK = 100_000


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
    pools = [i for i, part in enumerate(parts) if part.rates is not None]
    for _ in range(ROUNDS if len(pools) > 1 else 1):
        moved = 0.0
        for i in pools:
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
    for i in range(len(parts)):
        others = convolved([*logs[:i], *logs[i + 1 :]], size)
        weights = np.where(left >= 0, logs[i] + _of_each(others, left), -np.inf)
        chances[i] = np.exp(weights - weights.max(axis=1)[:, None])
        chances[i] /= chances[i].sum(axis=1)[:, None]
    if np.isinf(others[:, 1:]).all():
        return (chances[-1] * throughputs(logs[-1])).sum(axis=1), chances
    rate = np.where(left >= 0, _of_each(throughputs(others), left), 0.0)
    return (chances[-1] * rate).sum(axis=1), chances


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
    whole = np.array(logs[0])
    for other in logs[1:]:
        most = max(len(whole), len(other))
        padded = np.pad(other, ((0, 0), (size - 1, 0)), constant_values=-np.inf)
        shifted = np.lib.stride_tricks.sliding_window_view(padded, size, axis=1)[:, :, ::-1]
        made = np.empty((most, size, 1))
        block = max(1, BLOCK // (most * size))
        for n in range(0, size, block):
            terms = whole[:, None, :] + shifted[:, n : n + block]
            peak = terms.max(axis=2, keepdims=True)
            peak[np.isinf(peak)] = 0.0
            with np.errstate(divide="ignore"):
                made[:, n : n + block] = peak + np.log(
                    np.exp(terms - peak).sum(axis=2, keepdims=True)
                )
        whole = made[:, :, 0]
    return whole
