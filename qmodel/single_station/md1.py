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

from dataclasses import dataclass
from math import exp, floor, fmod, isinf, log, log1p

from qmodel.single_station.arguments import count
from qmodel.single_station.embedded_chain import NOTHING, number_distribution
from qmodel.single_station.open_queue import SingleServerPoisson
from qmodel.single_station.time_distributions import Tail, TimeDistributions

#: From this number of customers on, the probabilities are a geometric sequence to rounding.
_GEOMETRIC_FROM = 128


@dataclass(frozen=True, slots=True)
class MD1(SingleServerPoisson, TimeDistributions):
    """One server, Poisson arrivals, service times all equal, infinite capacity.

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
        head, decay, _ = self._numbers()
        if n < len(head):
            return head[n]
        return head[-1] * exp(-decay * (n - len(head) + 1))

    def percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers have left again. [s]"""
        return self.service_time + self.waiting_time_percentile(p)

    def _residence_tail(self) -> Tail:
        tail = self._waiting_tail()
        return lambda t: tail(t - self.service_time) if t >= self.service_time else 1.0

    def _waiting_tail(self) -> Tail:
        if self.arrival_rate == 0.0:
            return lambda _: 0.0
        head, decay, past = self._numbers()
        # more[i]: more than i customers are there.
        more = [past]
        for probability in reversed(head[1:]):
            more.append(more[-1] + probability)
        more.reverse()

        def number_exceeds(i: int) -> float:
            if i < 0:
                return 1.0
            return more[i] if i < len(more) else past * exp(-decay * (i - len(more) + 1))

        def tail(t: float) -> float:
            if isinf(t / self.service_time):
                return 0.0
            # With t = k S - rest: P(the k-th customer ahead is still there).
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

        return tail

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
        head = number_distribution(self._spare, weights[0], tails, _GEOMETRIC_FROM)
        growth = _growth(self._spare)
        return head, log1p(growth), head[-1] / growth


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
