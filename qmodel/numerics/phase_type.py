"""Service times of a given mean and variation as phases that last exponential times.

Two moments are met exactly: a mixture of two Erlang distributions of the same rate where the SCV
is below 1, two exponential branches of balanced means where it is above [1]. An SCV below
``1 / MOST`` takes more phases than ``MOST`` and is taken for that: a service time of SCV 1/32
waits at most 3 % longer than one without any variation.

References
----------
.. [1] H. C. Tijms, "Stochastic Models: An Algorithmic Approach," Wiley, 1994, app. B, pp. 358-360.
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import NamedTuple

#: Phases in a row at most.
MOST = 32
#: How far what is taken for a whole number may be from it.
NEAR = 1e-9


class Phases(NamedTuple):
    """A service time: where it starts, how long each phase lasts, and whether the next follows.

    Attributes
    ----------
    start : tuple of float
        Probability of starting in each phase. [1]
    rate : tuple of float
        At which each phase ends. [1/s]
    ends : tuple of float
        Probability that the service ends with the phase; otherwise the next one follows. [1]
    """

    start: tuple[float, ...]
    rate: tuple[float, ...]
    ends: tuple[float, ...]


def phases(mean: float, scv: float) -> Phases:
    """Phases of a service time of this mean [s] and squared coefficient of variation.

    Examples
    --------
    >>> phases(2.0, 1.0)
    Phases(start=(1.0,), rate=(0.5,), ends=(1.0,))
    >>> phases(2.0, 0.5)
    Phases(start=(1.0, 0.0), rate=(1.0, 1.0), ends=(0.0, 1.0))
    """
    if abs(scv - 1.0) < NEAR:
        return Phases((1.0,), (1.0 / mean,), (1.0,))
    if scv > 1.0:
        first = 0.5 * (1.0 + sqrt((scv - 1.0) / (scv + 1.0)))
        second = 1.0 - first
        return Phases((first, second), (2.0 * first / mean, 2.0 * second / mean), (1.0, 1.0))
    scv = max(scv, 1.0 / MOST)
    count = max(2, ceil(1.0 / scv - NEAR))
    # With probability ``fewer`` one phase less, which is to start at the second one.
    fewer = (count * scv - sqrt(count * (1.0 + scv) - count * count * scv)) / (1.0 + scv)
    fewer = max(0.0, fewer) if fewer > 1e-12 else 0.0
    rate = (count - fewer) / mean
    start = (1.0 - fewer, fewer, *[0.0] * (count - 2))
    return Phases(start, (rate,) * count, (*[0.0] * (count - 1), 1.0))
