"""G/M/1: arrivals of any distribution, independent of one another; exponential service, one server.

References
----------
.. [1] L. Kleinrock, "Queueing Systems, Volume I: Theory," Wiley, 1975, ch. 6.3 and 6.4: what an
   arrival finds is geometric with the root of sigma = A*(mu - mu sigma), (6.30); the wait, (6.27).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import expm1, log1p

from qmodel.single_station.arguments import assign, check_stable, positive
from qmodel.single_station.erlang_mixture import Phases, checked
from qmodel.single_station.open_queue import OpenQueue
from qmodel.single_station.time_distributions import ExponentialResidence


@dataclass(frozen=True, slots=True)
class GM1(OpenQueue, ExponentialResidence):
    """One server, exponential service, any independent times between arrivals.

    Parameters
    ----------
    gaps : sequence of (probability, number of phases, mean)
        The times between arrivals: each is of a kind with its probability, and then the sum of so
        many exponential phases, all together with the given mean; with 0 phases it is always
        exactly the mean. [1, 1, s]
    service_time : float
        Mean service time. [s]

    Raises
    ------
    InvalidInput
        If a value is out of range or the probabilities do not add up to 1.
    Unstable
        If customers arrive as fast as they can be served, or faster.

    Examples
    --------
    >>> from qmodel.single_station import GM1
    >>> station = GM1([(1.0, 0, 1.0)], service_time=0.5)  # D/M/1, half utilized
    >>> round(station.waiting_probability, 6), round(station.percentile(0.95), 6)
    (0.203188, 1.879823)
    """

    gaps: Phases
    service_time: float

    def __init__(self, gaps: Iterable[tuple[float, int, float]], service_time: float) -> None:
        service = positive(service_time, "service time", "s")
        assign(self, gaps=checked(gaps, "gaps", 0), service_time=service)
        check_stable(1.0 - self.utilization, self.arrival_rate, self.utilization, 1)

    @property
    def arrival_rate(self) -> float:  # type: ignore[override]
        """Arrivals per second. [1/s]"""
        mean = 0.0
        for weight, _, time in self.gaps:
            mean += weight * time
        return 1.0 / mean

    @property
    def arrival_scv(self) -> float:
        """Squared coefficient of variation of the times between arrivals. [1]"""
        mean, variance = 1.0 / self.arrival_rate, 0.0
        for weight, number, time in self.gaps:
            own = time * time / number if number else 0.0
            variance += weight * (own + (time - mean) * (time - mean))
        return variance / (mean * mean)

    @property
    def utilization(self) -> float:
        """Fraction of time that the server is busy. [1]"""
        return self.arrival_rate * self.service_time

    @property
    def waiting_probability(self) -> float:
        """Fraction of customers that find the server busy, the root sigma [1]. [1]"""
        # h(x) = 1 - x - A*(mu x) is 0 at 0, positive then, and negative at 1: x = 1 - sigma.
        low, high = 0.0, 1.0
        for _ in range(1100):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            if self._less(middle / self.service_time) > middle:
                low = middle
            else:
                high = middle
        return 1.0 - high

    @property
    def residence_time(self) -> float:
        """Mean time at the station, waiting and in service. [s]"""
        return self.service_time / (1.0 - self.waiting_probability)

    @property
    def waiting_time(self) -> float:
        """Mean time before service begins, of all customers. [s]"""
        return self.waiting_probability * self.residence_time

    def _less(self, s: float) -> float:
        """One less the Laplace transform of the time between arrivals at s, without loss."""
        total = 0.0
        for weight, number, time in self.gaps:
            power = -s * time if number == 0 else -number * log1p(s * time / number)
            total -= weight * expm1(power)
        return total
