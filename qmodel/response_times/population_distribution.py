"""Joint distribution of other customers' numbers at stations, in product form; see THEORY.md."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from qmodel.numerics.arrays import Array, Index

#: Largest code of a state.
LONGEST = 2**62


class ServedStation(NamedTuple):
    """A station."""

    #: Mean service time. [s]
    time: float
    #: Mean number of servers busy, or any multiple that is the same for all stations. [1]
    load: float
    #: Service rate with 0, 1, 2 ... customers, relative to that with one. [1]
    rate: Array
    #: At first come, first served; 0 where all customers are in service.
    servers: int


class PopulationDistribution(NamedTuple):
    """States of the other customers; those at no station are at the terminals."""

    stations: tuple[ServedStation, ...]
    #: Numbers at each station, by state, shape (W, K).
    number: Index
    #: Number at the terminals, shape (W,).
    thinking: Index
    #: Of each state, shape (W,).
    probability: Array

    def moved(self, source: int | None, target: int | None) -> Index:
        """The state after one customer goes from a station to another, None being the terminals.

        A state stays itself where the other is left out or impossible.
        """
        least = self.number.min(axis=0)
        size = self.number.max(axis=0) - least + 3
        base = np.append(1, np.cumprod(size[:-1]))
        code = (self.number - least + 1) @ base
        order = np.argsort(code)
        new = code + (base[target] if target is not None else 0)
        new = new - (base[source] if source is not None else 0)
        place = np.minimum(np.searchsorted(code, new, sorter=order), len(code) - 1)
        state = order[place]
        return np.where(code[state] == new, state, np.arange(len(code)))


def population_distribution(
    stations: Sequence[ServedStation], others: int, thinking: float, rare: float, most: int
) -> PopulationDistribution | None:
    """All states of ``others`` at the stations or thinking; None if there are too many.

    ``thinking`` is the mean number that think, in the measure of the loads, ``rare`` the
    probability of states that may be left out [1], ``most`` the states at most.
    """
    rows = [_log_weights(station.load, station.rate, others) for station in stations]
    rows.append(_log_weights(thinking, np.arange(others + 1.0), others))
    ranges = _ranges(rows, others, rare)
    number, left = np.zeros((1, 0), int), np.array([others])
    for k, (low, high) in enumerate(ranges[:-1]):
        rest = ranges[k + 1 :]
        least = np.maximum(low, left - sum(last for _, last in rest))
        highest = np.minimum(high, left - sum(first for first, _ in rest))
        many = np.maximum(highest - least + 1, 0)
        if many.sum() > most:
            return None
        before = np.repeat(np.arange(len(left)), many)
        new = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many) + least[before]
        number, left = np.column_stack([number[before], new]), left[before] - new
    weight = rows[-1][left]
    for k, row in enumerate(rows[:-1]):
        weight = weight + row[number[:, k]]
    probability = np.exp(weight - weight.max())
    order = np.argsort(probability)
    out = order[np.cumsum(probability[order]) <= rare * probability.sum()]
    if len(out):
        number, left, probability = (
            np.delete(array, out, axis=0) for array in (number, left, probability)
        )
    size = [last - first + 3 for first, last in ranges[:-1]]
    if float(np.prod(np.array(size, float))) > LONGEST:
        return None
    return PopulationDistribution(tuple(stations), number, left, probability / probability.sum())


def _log_weights(load: float, rate: Array, others: int) -> Array:
    """Logarithms of the weights of 0, 1, 2 ... customers."""
    logs = np.full(others + 1, -np.inf)
    logs[0] = 0.0
    if load > 0.0 and others:
        logs[1:] = np.cumsum(np.log(load / rate[1 : others + 1]))
    return logs


def _ranges(rows: Sequence[Array], others: int, rare: float) -> list[tuple[int, int]]:
    """Least and highest number at each station, and at the terminals, that is not too rare."""
    weights = [np.exp(row - row.max()) for row in rows]
    first, last = [np.eye(1, others + 1)[0]], [np.eye(1, others + 1)[0]]
    for row in weights[:-1]:
        first.append(_product(first[-1], row))
    for row in weights[:0:-1]:
        last.append(_product(last[-1], row))
    ranges = []
    for row, before, after in zip(weights, first, last[::-1], strict=True):
        rest = _product(before, after)
        marginal = row * rest[::-1]
        marginal /= marginal.sum()
        low = int(np.argmax(np.cumsum(marginal) > rare))
        high = others - int(np.argmax(np.cumsum(marginal[::-1]) > rare))
        ranges.append((low, high))
    return ranges


def _product(one: Array, other: Array) -> Array:
    """Of two power series, up to the length of the first, the largest coefficient made 1."""
    product = np.convolve(one, other)[: len(one)]
    return np.asarray(product / product.max(), float)
