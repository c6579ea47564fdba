"""The lattice of populations (n_1 ... n_C) from 0 to N, one hyperplane of equal totals at a time.

The numbering and the scaling are original; factors are those of Reiser and Kobayashi (1975).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, product_form/population_lattice.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qmodel.numerics.power_series import wide_products
from qmodel.solvers.product_form.lattice_limit import size

#: Populations handled at a time, so that the arrays in use stay in the processor's cache.
CHUNK = 4096
#: Lattices of at most this many populations are kept for the next network of the same size.
KEPT = 100_000


class Step(NamedTuple):
    """A part of a hyperplane: a window of numbers, their populations, and their neighbours."""

    total: int
    start: int
    stop: int
    #: Customers of each class, shape (C, stop - start), as floats.
    customers: NDArray[np.float64]
    #: Number, in the hyperplane before, of the population with one customer less of each class,
    #: shape (C, stop - start). Where there is none it is a number that is never written.
    before: NDArray[np.intp]


class Lattice(NamedTuple):
    """Populations of C classes in hyperplanes."""

    population: tuple[int, ...]
    #: Numbers a hyperplane may use; one more, the last, stands for "no such population".
    width: int
    #: Customers of the other classes, shape (C - 1, width).
    others: NDArray[np.int32]
    #: Neighbours as in `Step`, of the other classes.
    before: NDArray[np.int32]
    #: The first number whose others are so many, for 0, 1 ... all of them, and one more.
    first: tuple[int, ...]

    def steps(self) -> Iterator[Step]:
        """Hyperplanes of 1, 2 ... all customers, in parts of at most `CHUNK`."""
        implied = self.population[0]
        most = len(self.first) - 2
        for total in range(1, implied + most + 1):
            low = self.first[max(0, total - implied)]
            high = self.first[min(total, most) + 1]
            for start in range(low, high, CHUNK):
                stop = min(high, start + CHUNK)
                others = self.others[:, start:stop]
                customers = np.empty((len(self.population), stop - start))
                customers[1:] = others
                customers[0] = total - others.sum(axis=0)
                before = np.empty(customers.shape, np.intp)
                before[0] = np.arange(start, stop)
                before[1:] = self.before[:, start:stop]
                yield Step(total, start, stop, customers, before)


def lattice(population: Sequence[int]) -> tuple[Lattice, Sequence[Step] | None]:
    """The lattice of populations and, where they are kept, its steps."""
    if size(population) <= KEPT:
        return _kept(tuple(population))
    return _number(tuple(population)), None


@lru_cache(maxsize=8)
def _kept(population: tuple[int, ...]) -> tuple[Lattice, Sequence[Step]]:
    plan = _number(population)
    return plan, tuple(plan.steps())


def _number(population: tuple[int, ...]) -> Lattice:
    sizes = [n + 1 for n in population[1:]]
    width = prod(sizes)
    grid = np.indices(sizes, dtype=np.int32).reshape(len(sizes), width)
    totals = grid.sum(axis=0)
    order = np.argsort(totals, kind="stable")
    number = np.empty(width, np.int32)
    number[order] = np.arange(width, dtype=np.int32)
    others = grid[:, order]
    before = np.empty(others.shape, np.int32)
    stride = width
    for c, n in enumerate(sizes):
        stride //= n
        some = others[c] > 0
        before[c] = np.where(some, number[order - stride * some], width)
    first = np.searchsorted(totals[order], np.arange(sum(sizes) - len(sizes) + 2))
    return Lattice(population, width, others, before, tuple(first.tolist()))


class Plane(NamedTuple):
    """Weights of a station on one hyperplane."""

    #: Weight of the most probable population, in units of 2 to the ``exponent``.
    peak: float
    exponent: int
    #: For each class, w^m / m! relative to the most probable population, m = 0 ... N_c.
    tables: list[NDArray[np.float64]]


class StationWeights:
    """The weights of one station, on all hyperplanes up to a population.

    ``work`` is the demand of each class, in any unit; ``rates`` are relative, with 1, 2 ...
    customers, the last going on; without, a delay.
    """

    def __init__(
        self, population: Sequence[int], work: Sequence[float], rates: Sequence[float] | None = None
    ) -> None:
        self._work = work
        self._population = population
        self._modes = [(0,) * len(work)]
        self._scales = [1.0]
        ratios = []
        mode = [0] * len(work)
        for total in range(1, sum(population) + 1):
            open_ = [c for c, w in enumerate(work) if w and mode[c] < population[c]]
            if not open_:
                break
            c = max(open_, key=lambda c: work[c] / (mode[c] + 1))
            mode[c] += 1
            slowness = 1.0 if rates is None else total / rates[min(total, len(rates)) - 1]
            ratios.append(slowness * work[c] / mode[c])
            self._modes.append(tuple(mode))
            self._scales.append(mode[c] / work[c])
        self._peaks = wide_products(ratios)

    def plane(self, total: int) -> Plane | None:
        """Weights with ``total`` customers at the station; None if so many are never there."""
        if not 0 <= total < len(self._peaks):
            return None
        mode, scale = self._modes[total], self._scales[total]
        tables = [
            _table(n, m, w * scale)
            for n, m, w in zip(self._population, mode, self._work, strict=True)
        ]
        return Plane(*self._peaks[total], tables)


def _table(population: int, mode: int, work: float) -> NDArray[np.float64]:
    """work^m / m! for m = 0 ... population, relative to m = mode."""
    table = np.zeros(population + 1)
    table[mode] = 1.0
    if work:
        steps = work / np.arange(1.0, population + 1.0)
        table[mode + 1 :] = np.cumprod(steps[mode:])
        table[:mode] = np.cumprod(1.0 / steps[:mode][::-1])[::-1]
    return table
