"""M/D/1: Poisson arrivals, service times all equal, one server.

References
----------
.. [1] L. Kleinrock, "Queueing Systems, Volume I: Theory," Wiley, 1975, ch. 5.6: (5.71), means.
.. [2] G. J. Franx, "A simple solution for the M/D/c waiting time distribution," Operations Research
   Letters 29(5), 2001, pp. 221-229: the waiting time as a sum of positive terms, where the
   classical formula of Erlang alternates.
.. [3] H. C. Tijms, "A First Course in Stochastic Models," Wiley, 2003, ch. 9.2: the numbers of
   customers and their geometric tail.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, floor, fmod, isinf, log, log1p

from qmodel.single_station.door import (
    count,
    moment,
    share,
)
from qmodel.single_station.embedded import NOTHING, numbers
from qmodel.single_station.open_door import PoissonAtOneServer
from qmodel.single_station.quantile import quantile

#: From this number of customers on, the probabilities are a geometric sequence to rounding.
_GEOMETRIC_FROM = 128


@dataclass(frozen=True, slots=True)
class MD1(PoissonAtOneServer):
    """One server, Poisson arrivals, service times all equal, room for everybody.

    Parameters
    ----------
    arrival_rate : float
        Arrivals per second. [1/s]
    service_time : float
        The service time. [s]

    Raises
    ------
    InvalidInput
        If the arrival rate is negative or the service time is not positive.
    Unstable
        If customers arrive as fast as they can be served, or faster.

    Examples
    --------
    >>> from qmodel.single_station import MD1
    >>> station = MD1(arrival_rate=0.5, service_time=1.0)
    >>> station.waiting_time, station.queue_length
    (0.5, 0.75)
    """

    arrival_rate: float
    service_time: float

    def __post_init__(self) -> None:
        self._check_times()
        self._check_stable()

    @property
    def waiting_time(self) -> float:
        """Mean time before service begins, half that of M/M/1 [1]. [s]"""
        return 0.5 * self.utilization * self.service_time / self._spare

    def probability(self, n: int) -> float:
        """Probability that n customers are at the station [3]. [1]"""
        n = count(n, "number of customers", 0)
        if self.arrival_rate == 0.0:
            return 0.0 if n else 1.0
        found, decay, _ = self._numbers()
        if n < len(found):
            return found[n]
        return found[-1] * exp(-decay * (n - len(found) + 1))

    def waiting_time_cdf(self, t: float) -> float:
        """Fraction of customers that wait at most ``t`` [s], first come first served [2]. [1]"""
        t = moment(t)
        return 1.0 - self._waits_longer()(t) if t >= 0.0 else 0.0

    def waiting_time_percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers begin service. [s]"""
        return quantile(self._waits_longer(), share(p), self.residence_time)

    def residence_time_cdf(self, t: float) -> float:
        """Fraction of customers that stay at most ``t`` [s], first come first served. [1]"""
        return self.waiting_time_cdf(moment(t) - self.service_time)

    def percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers have left again. [s]"""
        return self.service_time + self.waiting_time_percentile(p)

    def _waits_longer(self) -> Callable[[float], float]:
        """Tail of the waiting time, a function of a time of at least 0."""
        if self.arrival_rate == 0.0:
            return lambda _: 0.0
        found, decay, past = self._numbers()
        # more[i]: more than i customers are there.
        more = [past]
        for probability in reversed(found[1:]):
            more.append(more[-1] + probability)
        more.reverse()

        def number_exceeds(i: int) -> float:
            if i < 0:
                return 1.0
            return more[i] if i < len(more) else past * exp(-decay * (i - len(more) + 1))

        def waits_longer(t: float) -> float:
            if isinf(t / self.service_time):
                return 0.0
            # With t = k S - rest, those who would find the k-th customer before them still there.
            into = fmod(t, self.service_time)
            k = floor((t - into) / self.service_time + 0.5) + 1
            events = self.arrival_rate * (self.service_time - into)
            weight, total, j = exp(-events), 0.0, 0
            while weight > NOTHING:
                # Waiting are all but the one in service: more than i means i + 1 at the station.
                total += weight * (number_exceeds(k - j) if k > j else 1.0)
                j += 1
                weight *= events / j
            return total

        return waits_longer

    def _numbers(self) -> tuple[list[float], float, float]:
        """Probabilities of 0, 1 ..., the rate at which later ones decay, and their sum."""
        load = self.utilization
        # Poisson arrivals during a service: their tails, the smallest added first.
        weights = [exp(-load)]
        while weights[-1] > NOTHING:
            weights.append(weights[-1] * load / len(weights))
        tails = [0.0]
        for weight in reversed(weights[1:]):
            tails.append(tails[-1] + weight)
        tails = tails[:0:-1]
        found = numbers(self._spare, weights[0], tails, _GEOMETRIC_FROM)
        growth = _growth(self._spare)
        return found, log1p(growth), found[-1] / growth


def _growth(spare: float) -> float:
    """The y > 0 with (1 - spare) y = log(1 + y): p(n) falls as (1 + y)^-n, n large [3]."""
    low, high = 0.0, 1.0
    while _missing(high) < spare:
        low, high = high, 2.0 * high
    while True:
        middle = low + 0.5 * (high - low)
        if not low < middle < high:
            return high
        low, high = (middle, high) if _missing(middle) < spare else (low, middle)


def _missing(y: float) -> float:
    """1 - log(1 + y) / y, by its series where that would cancel."""
    if y > 0.1:
        return 1.0 - log(1.0 + y) / y
    total, power, n = 0.0, y, 2
    while power > 1e-18 * y:
        total += power / n
        power *= -y
        n += 1
        total += power / n
        power *= -y
        n += 1
    return total
