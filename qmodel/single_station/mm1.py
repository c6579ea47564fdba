"""M/M/1: Poisson arrivals, exponential service times, one server.

References
----------
.. [1] L. Kleinrock, "Queueing Systems, Volume I: Theory," Wiley, 1975, ch. 3.2: (3.23) number of
   customers, (3.26) mean time; ch. 5.12: (5.118) time in system, (5.121) waiting time, first
   come first served.
"""

from __future__ import annotations

from dataclasses import dataclass

from qmodel.single_station.arguments import count
from qmodel.single_station.open_queue import SingleServerPoisson
from qmodel.single_station.powers import log_ratio, power
from qmodel.single_station.time_distributions import ExponentialResidence


@dataclass(frozen=True, slots=True)
class MM1(SingleServerPoisson, ExponentialResidence):
    """One server, Poisson arrivals, exponential service times, infinite capacity.

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
        self._check_times()
        self._check_stable()

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

    def probability(self, n: int) -> float:
        """Probability that n customers are at the station [1, (3.23)]. [1]"""
        n = count(n, "number of customers", 0)
        return self._spare * power(log_ratio(self.utilization, self._spare, 1.0), n)
