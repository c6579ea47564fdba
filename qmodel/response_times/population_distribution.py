"""How many other customers are at each station, and how often, in a network of product form.

Numbers that a station hardly ever has are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]

#: Numbers of an index of all ways.
LONGEST = 2**62


class ServedStation(NamedTuple):
    """A station.

    Attributes
    ----------
    time : float
        Mean service time. [s]
    load : float
        Mean number of servers busy, or any multiple that is the same for all stations. [1]
    speed : array
        With 0, 1, 2 ... customers there, relative to that of one. [1]
    servers : int
        At first come, first served; 0 where all that are there are served.
    """

    time: float
    load: float
    speed: Array
    servers: int


class Numbers(NamedTuple):
    """Ways of others to be at the stations; all other others think.

    Attributes
    ----------
    stations : tuple of ServedStation, length K
        The stations.
    at : array of int, shape (W, K)
        Numbers at each station.
    thinking : array of int, shape (W,)
        All others.
    often : array, shape (W,)
        Probability of each.
    """

    stations: tuple[ServedStation, ...]
    at: Index
    thinking: Index
    often: Array

    def moved(self, a: int | None, b: int | None) -> Index:
        """The way that one more at ``b`` and one less at ``a`` makes of each, or itself.

        None are the terminals. It stays itself where the other is never found.
        """
        import numpy as np

        size = self.at.max(axis=0) - self.at.min(axis=0) + 3
        base = np.append(1, np.cumprod(size[:-1]))
        code = (self.at - self.at.min(axis=0) + 1) @ base
        order = np.argsort(code)
        new = code + (base[b] if b is not None else 0) - (base[a] if a is not None else 0)
        place = np.minimum(np.searchsorted(code, new, sorter=order), len(code) - 1)
        found = order[place]
        return np.where(code[found] == new, found, np.arange(len(code)))


def numbers(
    stations: Sequence[ServedStation], others: int, thinking: float, never: float, most: int
) -> Numbers | None:
    """All ways of ``others`` to be at the stations or thinking; None if there are too many.

    Parameters
    ----------
    stations : sequence of ServedStation
        The stations.
    others : int
        Customers.
    thinking : float
        Mean number that think, in the measure of the loads. [1]
    never : float
        Probability of numbers at a station that are left out. [1]
    most : int
        Ways that are not too many.

    Examples
    --------
    >>> import numpy as np
    >>> disk = ServedStation(0.1, 1.0, np.array([0.0, 1.0, 1.0]), servers=1)
    >>> found = numbers([disk], 2, 1.0, never=0.0, most=100)
    >>> found.at.ravel().tolist(), found.thinking.tolist(), found.often.round(6).tolist()
    ([0, 1, 2], [2, 1, 0], [0.2, 0.4, 0.4])
    """
    import numpy as np

    rows = [_logarithms(station.load, station.speed, others) for station in stations]
    rows.append(_logarithms(thinking, np.arange(others + 1.0), others))
    ranges = _ranges(rows, others, never)
    at, left = np.zeros((1, 0), int), np.array([others])
    for k, (low, high) in enumerate(ranges[:-1]):
        rest = ranges[k + 1 :]
        least = np.maximum(low, left - sum(last for _, last in rest))
        highest = np.minimum(high, left - sum(first for first, _ in rest))
        many = np.maximum(highest - least + 1, 0)
        if many.sum() > most:
            return None
        before = np.repeat(np.arange(len(left)), many)
        here = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many) + least[before]
        at, left = np.column_stack([at[before], here]), left[before] - here
    weight = rows[-1][left]
    for k, row in enumerate(rows[:-1]):
        weight = weight + row[at[:, k]]
    often = np.exp(weight - weight.max())
    order = np.argsort(often)
    rare = order[np.cumsum(often[order]) <= never * often.sum()]
    if len(rare):
        at, left, often = (np.delete(array, rare, axis=0) for array in (at, left, often))
    size = [last - first + 3 for first, last in ranges[:-1]]
    if float(np.prod(np.array(size, float))) > LONGEST:
        return None
    return Numbers(tuple(stations), at, left, often / often.sum())


def _logarithms(load: float, speed: Array, others: int) -> Array:
    """Of the weights of 0, 1, 2 ... customers."""
    import numpy as np

    found = np.full(others + 1, -np.inf)
    found[0] = 0.0
    if load > 0.0 and others:
        found[1:] = np.cumsum(np.log(load / speed[1 : others + 1]))
    return found


def _ranges(rows: Sequence[Array], others: int, never: float) -> list[tuple[int, int]]:
    """Least and highest number at each place that is not never found."""
    import numpy as np

    weights = [np.exp(row - row.max()) for row in rows]
    first, last = [np.eye(1, others + 1)[0]], [np.eye(1, others + 1)[0]]
    for row in weights[:-1]:
        first.append(_product(first[-1], row))
    for row in weights[:0:-1]:
        last.append(_product(last[-1], row))
    found = []
    for row, before, after in zip(weights, first, last[::-1], strict=True):
        rest = _product(before, after)
        chance = row * rest[::-1]
        chance /= chance.sum()
        low = int(np.argmax(np.cumsum(chance) > never))
        high = others - int(np.argmax(np.cumsum(chance[::-1]) > never))
        found.append((low, high))
    return found


def _product(one: Array, other: Array) -> Array:
    """Of two power series, up to the length of the first, the largest coefficient made 1."""
    import numpy as np

    found = np.convolve(one, other)[: len(one)]
    return np.asarray(found / found.max(), float)
