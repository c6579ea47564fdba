"""Moments of the waiting time from the age process, by class; see THEORY.md."""

import numpy as np

from qmodel.matrix_analytic.age_process import AgeProcess, StateVector
from qmodel.numerics.arrays import Array
from qmodel.single_station.wait_moments import WaitMoments


def waiting_time_moments(age: AgeProcess, x: StateVector) -> tuple[WaitMoments | None, ...]:
    """Probability of waiting and three moments by class; None for classes of rate 0.

    ``x`` is the `stationary_distribution`.
    """
    inspections = _inspection_rates(age, x)
    return tuple(
        WaitMoments(*_moments(age, inspections, arrival.sum(axis=1) / rate)) if rate > 0.0 else None
        for arrival, rate in zip(age.arrivals.d, age.arrivals.rates, strict=True)
    )


def wait_covariances(age: AgeProcess, x: StateVector) -> dict[tuple[int, int], float]:
    """Covariance of the wait with the sojourn time before, by class and station of that. [s^2]"""
    inspections, rates = _inspection_rates(age, x), age.arrivals.rates
    return {
        (c, k): _moments(age, inspections, weights)[1] / rates[c]
        for (c, k), weights in age.arrivals.sojourn_weights.items()
    }


def _inspection_rates(age: AgeProcess, x: StateVector) -> Array:
    """h(l) by arrival phase, shape (L, n). [1/s]"""
    states = age.service_states[-2]
    rates = np.empty((len(x.levels), age.arrivals.size))
    h = np.zeros(len(age.quiet_tick))
    completions = sum(age.completions)
    for level in range(len(rates) - 1, -1, -1):
        h = x.levels[level, :, 0] @ completions + h @ age.quiet_tick
        rates[level] = h.reshape(-1, states).sum(axis=1)
    return rates


def _moments(
    age: AgeProcess, inspections: Array, weights: Array
) -> tuple[float, float, float, float]:
    """Sums of b(r), r b(r), ... for arrivals of these weights by phase."""
    nu = age.tick_rate
    begin = inspections[1:] @ weights / nu
    r = np.arange(len(begin), dtype=float)
    return (
        float(begin.sum()), float(begin @ r) / nu, float(begin @ (r * (r - 1.0))) / nu**2,
        float(begin @ (r * (r - 1.0) * (r - 2.0))) / nu**3,
    )  # fmt: skip
