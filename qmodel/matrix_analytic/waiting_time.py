"""Moments of the waiting time from the age process, by class.

Covariances with earlier sojourn times come with them. A customer of class c begins service with r
ticks since his arrival at the rate

    b_c(r) = h(r + 1) D_c 1 / nu,    h(l) = x(l) C + h(l + 1) P,

h(l) being the rate of inspections with l ticks left, by arrival phase once summed over the service
states. Given the wait W the ticks
are Poisson of mean nu W, so the factorial moments of r are those of W exactly:

    E W^k = sum over r of b_c(r) r (r - 1) ... (r - k + 1) / (nu^k lambda_c),

and P(W > 0) is the case k = 0. With the sojourn weights in the place of D_c 1 the case k = 1 is the
covariance of W with a sojourn time before. The age process is He's [1]; the moments by ticks are
original.

References
----------
.. [1] Q.-M. He, "Analysis of a continuous time SM[K]/PH[K]/1/FCFS queue: age process, sojourn
   times, and queue lengths," Journal of Systems Science and Complexity 25(1), 2012, pp. 133-155.
"""

import numpy as np

from qmodel.matrix_analytic.age_process import AgeProcess, StateVector
from qmodel.numerics.arrays import Array
from qmodel.single_station.wait_moments import WaitMoments


def waiting_time_moments(age: AgeProcess, x: StateVector) -> tuple[WaitMoments | None, ...]:
    """Probability of waiting and three moments by class; None for classes of rate 0.

    ``x`` is the `stationary_distribution`.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import fit_phase_type
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewal_process
    >>> from qmodel.matrix_analytic.server_phases import server_phases
    >>> from qmodel.matrix_analytic.first_passage_matrix import stationary_distribution
    >>> from qmodel.matrix_analytic.age_process import AgeProcess
    >>> service = server_phases({0: fit_phase_type(0.5, 4.0)}, 1, 1)
    >>> age = AgeProcess(renewal_process(1.0, 1.0, 0, 1), service)
    >>> wait = waiting_time_moments(age, stationary_distribution(age))[0]
    >>> round(wait.probability, 6), round(wait.first, 5)  # Pollaczek and Khinchin
    (0.5, 1.25)
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
        float(begin.sum()),
        float(begin @ r) / nu,
        float(begin @ (r * (r - 1.0))) / nu**2,
        float(begin @ (r * (r - 1.0) * (r - 2.0))) / nu**3,
    )
