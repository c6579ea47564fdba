"""A waiting time by its probability and three moments; those of the age process, by class.

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

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from qmodel.matrix_analytic.age_process import AgeProcess, StateVector
from qmodel.numerics.arrays import Array
from qmodel.single_station.pollaczek import Wait

#: How far a number may be from where it is to be.
NEAR = 1e-6
#: A probability of waiting that is none.
NEVER = 1e-100
#: A wait that is short, over the mean service.
SHORT = 0.2


@dataclass(frozen=True, slots=True)
class WaitMoments:
    """The wait of an arrival."""

    #: Of waiting at all. [1]
    probability: float
    #: Moments of the wait of all customers. [s, s^2, s^3]
    first: float
    second: float
    third: float

    @classmethod
    def mixed(cls, parts: Sequence[float], waits: Sequence[WaitMoments]) -> WaitMoments:
        """The wait of customers of several kinds, of their parts in all."""
        sums = [0.0] * 4
        for part, one in zip(parts, waits, strict=True):
            for i, value in enumerate((one.probability, one.first, one.second, one.third)):
                sums[i] += part * value
        return cls(*sums)

    @classmethod
    def by_cumulants(cls, wait: Wait) -> WaitMoments:
        """From a wait by its mean, variance and third cumulant."""
        second = wait.variance + wait.mean**2
        third = wait.third + 3.0 * wait.variance * wait.mean + wait.mean**3
        return cls(wait.probability, wait.mean, second, third)

    @property
    def possible(self) -> bool:
        """Whether these can be the moments of a wait, but for rounding."""
        moments = (self.first, self.second, self.third)
        return -NEAR <= self.probability <= 1.0 + NEAR and all(-NEAR <= m < inf for m in moments)

    def mended(self, time: float) -> WaitMoments:
        """Where the wait is short beside a service, moments that no wait has are those nearest.

        Of arrivals that are hardly random a reduced process leaves waits so short that their
        moments are within its error. The conditional wait is then exponential.

        Examples
        --------
        >>> WaitMoments(0.5, 0.01, -1e-5, -1e-4).mended(1.0)
        WaitMoments(probability=0.5, first=0.01, second=0.0004, third=2.4e-05)
        """
        short = abs(self.first) < SHORT * time
        possible = min(self.probability, self.first, self.third) >= 0.0
        if not short or (possible and self.second * self.probability >= self.first**2):
            return self
        first, probability = max(0.0, self.first), min(1.0, max(0.0, self.probability))
        if first == 0.0 or probability < NEVER:
            return WaitMoments(0.0, 0.0, 0.0, 0.0)
        mean = first / probability
        return WaitMoments(probability, first, 2.0 * first * mean, 6.0 * first * mean**2)

    def ratios(self, other: WaitMoments) -> tuple[float, ...]:
        """Ratios to the conditional wait of another station, by three moments."""
        mine, others = ((one.first, one.second, one.third) for one in (self, other))
        if not all((*mine, *others, self.probability, other.probability)):
            return (1.0, 1.0, 1.0)
        often = other.probability / self.probability
        return tuple(often * a / b for a, b in zip(mine, others, strict=True))

    def longer(self, ratios: Sequence[float]) -> WaitMoments:
        """The same with its moments that many times as large."""
        one, two, three = ratios
        return WaitMoments(
            self.probability, one * self.first, two * self.second, three * self.third
        )

    @property
    def spread(self) -> float:
        """SCV of the conditional wait, given that a customer waits. [1]"""
        if self.first == 0.0 or self.probability == 0.0:
            return 1.0
        return max(0.0, self.second * self.probability / self.first**2 - 1.0)

    @property
    def wait(self) -> Wait:
        """The same by cumulants. [s, s^2, s^3]"""
        variance = self.second - self.first**2
        third = self.third - 3.0 * self.first * variance - self.first**3
        return Wait(self.probability, self.first, variance, third)


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
