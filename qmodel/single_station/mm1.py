"""M/M/1: Poisson arrivals, exponential service times, one server.

References
----------
.. [1] L. Kleinrock, "Queueing Systems, Volume I: Theory," Wiley, 1975, ch. 3.2: (3.23) number of
   customers, (3.26) mean time; ch. 5.12: (5.118) time in system, (5.121) waiting time, first
   come first served.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, log, log1p

from qmodel.single_station.door import (
    at_least_zero,
    check_stable,
    count,
    moment,
    positive,
    share,
)
from qmodel.single_station.powers import log_ratio, power
from qmodel.spare_capacity import spare_capacity


@dataclass(frozen=True, slots=True)
class MM1:
    """One server, Poisson arrivals, exponential service times, room for everybody.

    Parameters
    ----------
    arrival_rate : float
        Arrivals per second. [1/s]
    service_time : float
        Mean service time. [s]

    Raises
    ------
    InvalidInput
        If the arrival rate is negative or the service time is not positive.
    Unstable
        If customers arrive as fast as they can be served, or faster.

    Examples
    --------
    >>> from qmodel.single_station import MM1
    >>> station = MM1(arrival_rate=0.75, service_time=1.0)
    >>> station.residence_time, station.queue_length, station.probability(0)
    (4.0, 3.0, 0.25)
    >>> round(station.percentile(0.9), 6)
    9.21034
    """

    arrival_rate: float
    service_time: float

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "arrival_rate", at_least_zero(self.arrival_rate, "arrival rate", "/s")
        )
        object.__setattr__(self, "service_time", positive(self.service_time, "service time", "s"))
        check_stable(self._spare, self.arrival_rate, self.utilization, 1)

    @property
    def throughput(self) -> float:
        """Customers served per second, all that arrive. [1/s]"""
        return self.arrival_rate

    @property
    def utilization(self) -> float:
        """Fraction of time that the server is busy. [1]"""
        return self.arrival_rate * self.service_time

    @property
    def residence_time(self) -> float:
        """Mean time at the station, waiting and in service. [s]"""
        return self.service_time / self._spare

    @property
    def waiting_time(self) -> float:
        """Mean time before service begins, of all customers. [s]"""
        return self.utilization * self.residence_time

    @property
    def queue_length(self) -> float:
        """Mean number of customers, waiting and in service. [customers]"""
        return self.utilization / self._spare

    @property
    def waiting_probability(self) -> float:
        """Fraction of customers that find the server busy. [1]"""
        return self.utilization

    def probability(self, n: int) -> float:
        """Probability that n customers are at the station [1, (3.23)]. [1]"""
        n = count(n, "number of customers", 0)
        return self._spare * power(log_ratio(self.utilization, self._spare, 1.0), n)

    def waiting_time_cdf(self, t: float) -> float:
        """Fraction of customers that wait at most ``t`` [s], first come first served. [1]"""
        t = moment(t)
        return 1.0 - self.utilization * exp(-t / self.residence_time) if t >= 0.0 else 0.0

    def waiting_time_percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers begin service. [s]"""
        p = share(p)
        if self.utilization <= 1.0 - p:
            return 0.0
        return self.residence_time * (log(self.utilization) - log1p(-p))

    def residence_time_cdf(self, t: float) -> float:
        """Fraction of customers that stay at most ``t`` [s], first come first served. [1]"""
        t = moment(t)
        return -expm1(-t / self.residence_time) if t >= 0.0 else 0.0

    def percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers have left again. [s]"""
        return -self.residence_time * log1p(-share(p))

    @property
    def _spare(self) -> float:
        return spare_capacity(1.0, [(self.arrival_rate, self.service_time)])
