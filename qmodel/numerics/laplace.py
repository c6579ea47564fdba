"""Numerical inversion of Laplace-Stieltjes transforms: tails and percentiles; see THEORY.md."""

from collections.abc import Callable, Sequence
from math import comb, pi, sqrt
from statistics import NormalDist

import numpy as np

from qmodel.numerics.arrays import Array, Complex

Transform = Callable[[Complex], Complex]

#: The discretization error is about exp(-DECAY), 1e-8.
DECAY = 18.4
#: Terms that are averaged, after at least FEWEST that are added up (more for a small SCV).
AVERAGED, FEWEST, MOST = 11, 20, 1500
#: Terms for a distribution with bends, as that behind nearly constant services.
BENDS = 400
#: First times, over the guess for each percentile.
AROUND = 0.8, 1.0, 1.25
#: SCV below which a time is constant.
CONSTANT = 1e-7
#: A time shorter than its scale by this factor is 0.
LONG = 1e12
#: Probability of a positive time below which the time is 0.
SELDOM = 1e-8
#: The search ends at so many means, and at this part of the mean.
FARTHEST, NEAREST = 1e6, 1e-12
#: Relative width of the bracket of a percentile at which it is interpolated.
NARROW = 2e-4
#: Newton steps to a percentile of a smooth time, and the relative size of a last one.
STEPS, LAST = 5, 1e-3


def mean(transform: Transform, scale: float) -> float:
    """The mean of a time, minus the slope of its transform at 0. [s]

    ``transform`` is E exp(-s T) for an array of complex s, ``scale`` a time of the size of the
    mean, > 0. [s]
    """
    step = 1e-30 / scale  # so small that the real part is 1; nothing is subtracted
    return float(-transform(np.array([1j * step]))[0].imag / step)


def tail(transform: Transform, times: Array, terms: int = FEWEST) -> Array:
    """Probabilities that a time exceeds each of ``times``, all > 0 [1]. [1]"""
    return _inverted(transform, times, terms)[0].clip(0.0, 1.0)


def _inverted(transform: Transform, times: Array, terms: int) -> tuple[Array, Array]:
    """P(T > t) [1] and the density [1/s] at ``times``, by Euler summation of one Fourier series."""
    order = np.arange(terms + AVERAGED + 1)
    points: Complex = np.asarray((DECAY + 2j * pi * order) / (2.0 * times[:, None]), complex)
    values = transform(points.ravel()).reshape(points.shape)
    parts = np.stack([(1.0 - values) / points, values]).real * np.where(order % 2, -1.0, 1.0)
    parts[..., 0] *= 0.5
    sums = np.cumsum(parts, axis=2)[..., terms:]
    weights = np.array([comb(AVERAGED, i) for i in range(AVERAGED + 1)]) / 2.0**AVERAGED
    exceeds, density = np.exp(0.5 * DECAY) / times * (sums @ weights)
    return exceeds, density


def quantiles(
    transform: Transform, shares: Sequence[float], scale: float, terms: int = FEWEST
) -> tuple[float, ...]:
    """Percentiles of a time, one for each of ``shares``. [s]

    Each share is 0 <= p < 1; 0 gives 0, as does a share of no more than P(T = 0). ``scale`` is a
    time of the size of the mean, > 0 [s]; ``terms`` are added up at least: ``BENDS`` for a
    distribution that is not smooth.
    """
    average, scv = _moments(transform, scale)
    if not average > 0.0:
        return (0.0,) * len(shares)
    if scv < CONSTANT:
        return tuple(average if p > 0.0 else 0.0 for p in shares)
    smooth, terms = terms == FEWEST, _terms(terms, scv)
    if smooth and (found := _by_newton(transform, shares, average, scv, terms)):
        return found
    return quantiles_of_tail(lambda times: tail(transform, times, terms), shares, average, scv)


def exceeding(
    transform: Transform, times: Sequence[float], scale: float, terms: int = FEWEST
) -> tuple[float, ...]:
    """Probabilities that a time exceeds each of ``times``; the rest as in `quantiles`. [1]"""
    average, scv = _moments(transform, scale)
    if scv < CONSTANT:
        return tuple(float(average > time) for time in times)
    above = np.maximum(np.array(times, float), NEAREST * scale)
    probabilities = np.where(np.array(times) < 0.0, 1.0, tail(transform, above, _terms(terms, scv)))
    return tuple(probabilities.tolist())


def _terms(least: int, scv: float) -> int:
    return min(MOST, least + int(2.5 / sqrt(max(scv, 1e-8))))


def quantiles_of_tail(
    tails: Callable[[Array], Array], shares: Sequence[float], average: float, scv: float
) -> tuple[float, ...]:
    """Percentiles of a time given by its tail, bracketed for all shares at once. [s]

    ``tails`` is P(T > t) for an array of times; mean ``average`` > 0 [s] and ``scv`` make the first
    guess. Each share is 0 <= p < 1.
    """
    left = 1.0 - np.array(shares, float)
    guesses = [_gamma_quantile(average, scv, p) for p in shares if p > 0.0] or [average]
    grid = np.unique(np.outer(guesses, AROUND))
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
        values = tails(inner[todo].ravel()).reshape(-1, 2)
        for i, pair, two in zip(todo, inner[todo], values, strict=True):
            for time, exceeding in zip(pair, two, strict=True):
                if low[i] < time < high[i]:
                    if exceeding > left[i]:
                        low[i], above[i] = time, exceeding
                    else:
                        high[i], below[i] = time, exceeding
        slow = ~slow & (high - low > 0.2 * wide)
    times = np.where(after > 0, _between(low, high, above, below, left), 0.0)
    times[exceeds[-1] > left] = np.inf
    return tuple(float(t) for t in times)


def _by_newton(
    transform: Transform, shares: Sequence[float], average: float, scv: float, terms: int
) -> tuple[float, ...] | None:
    """Percentiles by Newton's method on the logarithm of the tail, whose slope is the density over
    it; None where that does not settle. [s]
    """
    if not all(p > 0.0 for p in shares):
        return None
    left = 1.0 - np.array(shares, float)
    times = np.array([_gamma_quantile(average, scv, p) for p in shares])
    for _ in range(STEPS):
        exceeds, density = _inverted(transform, times, terms)
        if (exceeds <= 0.0).any() or (density <= 0.0).any():
            return None
        step = np.log(exceeds / left) * exceeds / density
        if not (abs(step) < 0.5 * times).all():
            return None
        times = times + step
        if (abs(step) <= LAST * times).all():
            return tuple(times.tolist())
    return None


def _between(low: Array, high: Array, above: Array, below: Array, left: Array) -> Array:
    """Where the tail, ``above`` at ``low`` and ``below`` at ``high``, is ``left``: log-linear."""
    first, last = np.log(np.maximum(above, 1e-300)), np.log(np.maximum(below, 1e-300))
    fall = first - last
    part = np.where(fall > 0.0, (first - np.log(left)) / np.where(fall > 0.0, fall, 1.0), 0.5)
    inside: Array = low + (high - low) * np.clip(part, 0.0, 1.0)
    return inside


def _moments(transform: Transform, scale: float) -> tuple[float, float]:
    """Mean and squared coefficient of variation, to a few digits, from the transform near 0."""
    # A step so small that the mean comes first and so large that the second moment has digits.
    step = 1e-3 / scale
    for _ in range(100):
        value = complex(transform(np.array([1j * step]))[0])
        if 1e-9 < 1.0 - value.real < 1e-4:
            break
        if 1.0 - value.real < SELDOM and step * scale > LONG:
            return 0.0, 0.0
        step *= 10.0 if value.real > 0.5 and 1.0 - value.real <= 1e-9 else 0.1
    average = -value.imag / step
    second = 2.0 * (1.0 - value.real) / (step * step)
    return average, max(0.0, second / (average * average) - 1.0)


def _gamma_quantile(average: float, scv: float, share: float) -> float:
    """About the percentile of a gamma distribution, by the cube root of [3]."""
    third = scv / 9.0
    return average * max(1.0 - third + NormalDist().inv_cdf(share) * sqrt(third), 0.1) ** 3
