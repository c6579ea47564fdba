"""From the Laplace transform of a time to its tail and its percentiles.

References
----------
.. [1] J. Abate and W. Whitt, "Numerical inversion of Laplace transforms of probability
   distributions," ORSA Journal on Computing 7(1), 1995, pp. 36-43: the algorithm EULER, a
   trapezoidal rule whose alternating sum is accelerated by binomial averages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, pi, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Transform = Callable[[NDArray[np.complex128]], NDArray[np.complex128]]

#: The discretization error is about exp(-DECAY), 1e-8.
DECAY = 18.4
#: Terms that are averaged, after FEWEST and more that are added up (more for a small spread).
AVERAGED, FEWEST, MOST = 11, 20, 1500
#: So many terms for a distribution with bends, as nearly constant services before one make them.
BENDS = 400
#: Times at which a tail is looked at first, around the guesses for the lowest and highest share.
GRID, BELOW, ABOVE = 9, 0.6, 1.6
#: With a smaller SCV a time is always the same.
SAME = 1e-7
#: A time that is nothing beside its scale by this factor is none.
LONG = 1e12
#: A time that is none but with this probability is none.
SELDOM = 1e-8
#: Times further out than this many means are not looked for, nor shorter ones than this part.
FARTHEST, NEAREST = 1e6, 1e-12
#: Intervals around a percentile are made narrower than this, relatively, before the last guess.
NARROW = 2e-4


def mean(transform: Transform, scale: float) -> float:
    """The mean of a time, minus the slope of its transform at 0. [s]

    Parameters
    ----------
    transform : callable
        Laplace transform of the time, E exp(-s T), for an array of complex s.
    scale : float
        A time of the size of the mean, > 0. [s]

    Examples
    --------
    >>> mean(lambda s: 1 / (1 + 0.25 * s), scale=1.0)
    0.25
    """
    import numpy as np

    step = 1e-30 / scale  # so small that the real part is 1; nothing is subtracted
    return float(-transform(np.array([1j * step]))[0].imag / step)


def tail(
    transform: Transform, times: NDArray[np.float64], terms: int = FEWEST
) -> NDArray[np.float64]:
    """Probabilities that a time exceeds each of ``times``, all > 0 [1]. [1]

    Examples
    --------
    >>> import numpy as np
    >>> tail(lambda s: 1 / (1 + s), np.array([1.0, 3.0])).round(7).tolist()
    [0.3678794, 0.0497871]
    """
    import numpy as np

    order = np.arange(terms + AVERAGED + 1)
    points: NDArray[np.complex128] = np.asarray(
        (DECAY + 2j * pi * order) / (2.0 * times[:, None]), complex
    )
    values = (1.0 - transform(points.ravel()).reshape(points.shape)) / points
    parts = values.real * np.where(order % 2, -1.0, 1.0)
    parts[:, 0] *= 0.5
    sums = np.cumsum(parts, axis=1)[:, terms:]
    weights = np.array([comb(AVERAGED, i) for i in range(AVERAGED + 1)]) / 2.0**AVERAGED
    exceeds: NDArray[np.float64] = np.exp(0.5 * DECAY) / times * (sums @ weights)
    return exceeds.clip(0.0, 1.0)


def quantiles(
    transform: Transform, shares: Sequence[float], scale: float, terms: int = FEWEST
) -> tuple[float, ...]:
    """Times that a share of customers stays within, for each of ``shares``. [s]

    Parameters
    ----------
    transform : callable
        Laplace transform of the time.
    shares : sequence of float
        Each 0 <= p < 1; 0 gives 0, as does a share that does not wait at all. [1]
    scale : float
        A time of the size of the mean, > 0. [s]
    terms : int
        How many to add up at least: ``BENDS`` for a distribution that is not smooth.

    Examples
    --------
    >>> [round(t, 6) for t in quantiles(lambda s: 1 / (1 + s), (0.5, 0.99), scale=1.0)]
    [0.693147, 4.60517]
    """
    average, scv = _moments(transform, scale)
    if not average > 0.0:
        return (0.0,) * len(shares)
    if scv < SAME:
        return tuple(average if p > 0.0 else 0.0 for p in shares)
    terms = min(MOST, terms + int(2.5 / sqrt(max(scv, 1e-8))))
    return where(lambda times: tail(transform, times, terms), shares, average, scv)


def where(
    tails: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    shares: Sequence[float],
    average: float,
    scv: float,
) -> tuple[float, ...]:
    """The same from a function of times that gives the probabilities to exceed them. [s]

    Parameters
    ----------
    tails : callable
        Probabilities that the time exceeds each of some times.
    shares : sequence of float
        Each 0 <= p < 1. [1]
    average, scv : float
        Mean > 0 and squared coefficient of variation, to know where to look. [s, 1]

    Examples
    --------
    >>> import numpy as np
    >>> [round(t, 6) for t in where(lambda t: np.exp(-t), (0.5, 0.99), 1.0, 1.0)]
    [0.693147, 4.60517]
    """
    import numpy as np

    left = 1.0 - np.array(shares, float)
    guesses = [_gamma_quantile(average, scv, p) for p in shares if p > 0.0] or [average]
    grid = np.geomspace(BELOW * min(guesses), ABOVE * max(guesses), GRID)
    exceeds = tails(grid)
    while exceeds[-1] > left.min() and grid[-1] < FARTHEST * average:
        more = grid[-1] * np.geomspace(1.4, 8.0, 6)
        grid, exceeds = np.append(grid, more), np.append(exceeds, tails(more))
    while exceeds[0] <= left[left < 1.0].max(initial=0.0) and grid[0] > average * NEAREST:
        more = grid[0] * np.geomspace(0.125, 0.7, 6)
        grid, exceeds = np.append(more, grid), np.append(tails(more), exceeds)
    after = np.array([int(np.argmax(exceeds <= share)) for share in left])
    ends = np.maximum(after - 1, 0), np.maximum(after, 1)
    (low, high), (above, below) = (grid[at] for at in ends), (exceeds[at] for at in ends)
    slow = np.zeros(len(left), bool)
    for _ in range(40):
        wide = high - low
        todo = np.flatnonzero((after > 0) & (exceeds[-1] <= left) & (wide > NARROW * high))
        if not len(todo):
            break
        guess = _between(low, high, above, below, left)
        around = np.maximum(0.02 * wide, 0.3 * NARROW * high)
        inner = np.stack([guess - around, guess + around], axis=1)
        thirds = np.stack([low + wide / 3.0, high - wide / 3.0], axis=1)
        inner = np.where(slow[:, None], thirds, np.clip(inner, low[:, None], high[:, None]))
        there = tails(inner[todo].ravel()).reshape(-1, 2)
        for i, times, two in zip(todo, inner[todo], there, strict=True):
            for time, exceeding in zip(times, two, strict=True):
                if low[i] < time < high[i]:
                    if exceeding > left[i]:
                        low[i], above[i] = time, exceeding
                    else:
                        high[i], below[i] = time, exceeding
        slow = ~slow & (high - low > 0.2 * wide)
    found = np.where(after > 0, _between(low, high, above, below, left), 0.0)
    found[exceeds[-1] > left] = np.inf
    return tuple(float(t) for t in found)


def _between(
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    above: NDArray[np.float64],
    below: NDArray[np.float64],
    left: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Where the tail, ``above`` at ``low`` and ``below`` at ``high``, is ``left``.

    Tails are nearly exponential: a straight line through the logarithms of the two ends.
    """
    import numpy as np

    first, last = np.log(np.maximum(above, 1e-300)), np.log(np.maximum(below, 1e-300))
    fall = first - last
    part = np.where(fall > 0.0, (first - np.log(left)) / np.where(fall > 0.0, fall, 1.0), 0.5)
    found: NDArray[np.float64] = low + (high - low) * np.clip(part, 0.0, 1.0)
    return found


def _moments(transform: Transform, scale: float) -> tuple[float, float]:
    """Mean and squared coefficient of variation, to a few digits, to know where to look."""
    import numpy as np

    # A step so small that the mean comes first and so large that the second moment has digits.
    step = 1e-3 / scale
    for _ in range(100):
        value = complex(transform(np.array([1j * step]))[0])
        if 1e-9 < 1.0 - value.real < 1e-4:
            break
        if 1.0 - value.real < SELDOM and step * scale > LONG:
            return 0.0, 0.0  # it is always 0, or as good as that
        step *= 10.0 if value.real > 0.5 and 1.0 - value.real <= 1e-9 else 0.1
    average = -value.imag / step
    second = 2.0 * (1.0 - value.real) / (step * step)
    return average, max(0.0, second / (average * average) - 1.0)


def _gamma_quantile(average: float, scv: float, share: float) -> float:
    """About the percentile of a gamma distribution (Wilson and Hilferty's cube root)."""
    third = scv / 9.0
    root = 1.0 - third + NormalDist().inv_cdf(share) * sqrt(third)
    return average * max(root, 0.1) ** 3
