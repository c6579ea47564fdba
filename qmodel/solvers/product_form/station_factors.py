"""Product-form factors f(m) of one station on hyperplanes of the population lattice.

A station with m_c customers of each class, w_c their demands and r its rates, has the weight

    f(m) = |m|! / (r(1) ... r(|m|)) times the product of w_c^m_c / m_c!,

whose factors leave the range of floats long before their product does. So each hyperplane
|m| = tau is measured from its most probable population mu(tau): the tables of w^m / m! relative
to there are at most 1, and f(mu(tau)) follows from f(mu(tau - 1)) by one ratio, since the most
probable populations form a path: the next customer is of the class with the largest
w_c / (mu_c + 1), as seats are given by d'Hondt's rule. The factors are those of Reiser and
Kobayashi (1975); original: their scaling.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qmodel.numerics.power_series import wide_products


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
        self,
        population: Sequence[int],
        work: Sequence[float],
        rates: Sequence[float] | None = None,
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
