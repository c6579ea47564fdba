"""M/M/m and M/M/1: Poisson arrivals, exponential service, several servers or one; see THEORY.md."""

from dataclasses import dataclass, field
from math import exp, expm1, fsum, log, log1p

from qmodel.laws.erlang import erlang_c
from qmodel.single_station.arguments import count, moment, share
from qmodel.single_station.open_queue import OpenQueue
from qmodel.single_station.powers import log_ratio, power, with_a_server_free

#: Mean times that no customer stays: e to the minus this, times any float, is 0.
LONG = 1500.0


@dataclass(frozen=True, slots=True)
class MMm(OpenQueue):
    """Several equal servers, Poisson arrivals, exponential service times, infinite capacity.

    Raises `InvalidInput` if a value is out of range, and `Unstable` if customers arrive as fast as
    they can be served, or faster.

    Parameters
    ----------
    arrival_rate, service_time : float
        Arrivals per second, and the mean. [1/s, s]
    servers : int
        Number of servers m, at least 1.

    Examples
    --------
    >>> from qmodel.single_station import MMm
    >>> station = MMm(arrival_rate=1.0, service_time=1.0, servers=2)
    >>> round(station.waiting_probability, 9), round(station.residence_time, 9)
    (0.333333333, 1.333333333)
    """

    arrival_rate: float
    service_time: float
    servers: int

    def __post_init__(self) -> None:
        self._check_common()
        self._check_stable()

    @property
    def waiting_probability(self) -> float:
        """Fraction of customers that find all servers busy, Erlang's C [1, (3.40)]. [1]"""
        return erlang_c(self.servers, self._load, self._spare)

    @property
    def waiting_time(self) -> float:
        """Mean time before service begins, of all customers. [s]"""
        return self.waiting_probability * self.service_time / self._spare

    def probability(self, n: int) -> float:
        """Probability that n customers are at the station [1, (3.37) to (3.39)]. [1]"""
        n = count(n, "number of customers", 0)
        load, spare, servers = self._load, self._spare, self.servers
        if n >= servers:
            ratio = log_ratio(load, spare, servers)
            return self.waiting_probability * spare / servers * power(ratio, n - servers)
        probability, busy = with_a_server_free(n, load, servers)
        return probability * spare / (spare + load * busy)

    def at_least(self, n: int) -> float:
        """Probability that n customers or more are at the station. [1]"""
        n = count(n, "number of customers", 0)
        if n >= self.servers:
            ratio = log_ratio(self._load, self._spare, self.servers)
            return self.waiting_probability * power(ratio, n - self.servers)
        return self.waiting_probability + fsum(map(self.probability, range(n, self.servers)))

    @property
    def number_variance(self) -> float:
        """Variance of the number of customers. [customers^2]"""
        mean, use = self.queue_length, self.utilization
        few = fsum((n - mean) ** 2 * self.probability(n) for n in range(self.servers))
        # Beyond, the number is geometric: mean j and variance of customers who wait.
        j, spread = use / (1.0 - use), use / (1.0 - use) ** 2
        return few + self.waiting_probability * ((self.servers + j - mean) ** 2 + spread)

    @property
    def waiting_time_variance(self) -> float:
        """Variance of the time before service begins, first come first served. [s^2]"""
        waits = self.waiting_probability
        return waits * (2.0 - waits) / self._pace**2

    def waiting_time_cdf(self, t: float) -> float:
        """Fraction of customers that wait at most ``t`` [s], first come first served. [1]"""
        t = moment(t)
        return 1.0 - self.waiting_probability * exp(-t * self._pace) if t >= 0.0 else 0.0

    def residence_time_cdf(self, t: float) -> float:
        """Fraction of customers that stay at most ``t`` [s], first come first served. [1]"""
        t = moment(t)
        return 1.0 - self._stays_longer(t, self.waiting_probability) if t >= 0.0 else 0.0

    def percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers have left again. [s]

        By bisection, to the last bit.
        """
        left, waiting = 1.0 - share(p), self.waiting_probability
        if left == 1.0:
            return 0.0
        low, high = 0.0, self.residence_time
        while self._stays_longer(high, waiting) > left:
            low, high = high, 2.0 * high
        while True:
            middle = low + 0.5 * (high - low)
            if not low < middle < high:
                return high
            longer = self._stays_longer(middle, waiting) > left
            low, high = (middle, high) if longer else (low, middle)

    def waiting_time_percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers begin service. [s]"""
        p = share(p)
        waiting = self.waiting_probability
        return (log(waiting) - log1p(-p)) / self._pace if waiting > 1.0 - p else 0.0

    def _stays_longer(self, t: float, waiting: float) -> float:
        # Service alone, or with an exponential wait before it. The textbook form divides by the
        # difference of the two rates, which may be 0; (1 - e^-x) / x has no such hole.
        rate, pace = 1.0 / self.service_time, self._pace
        slow, apart = min(rate, pace), abs(rate - pace)
        if slow * t > LONG:
            return 0.0
        if apart * t > 1.0:  # without the product of pace and t, which may be out of range
            spread = pace / apart * -expm1(-apart * t)
        else:
            spread = pace * t * (-expm1(-apart * t) / (apart * t) if apart * t else 1.0)
        # Whichever rate is the lower: e^(-pace t) + e^(-slow t) spread.
        both = exp(-pace * t) + exp(-slow * t) * spread
        return (1.0 - waiting) * exp(-rate * t) + waiting * both

    @property
    def _pace(self) -> float:
        """Rate of the exponential distribution of a positive wait. [1/s]"""
        return self._spare / self.service_time


@dataclass(frozen=True, slots=True)
class MM1(MMm):
    """One server, Poisson arrivals, exponential service times, infinite capacity.

    Raises `InvalidInput` if a value is out of range, and `Unstable` if customers arrive as fast as
    they can be served, or faster.

    Parameters
    ----------
    arrival_rate, service_time : float
        Arrivals per second, and the mean. [1/s, s]

    Examples
    --------
    >>> from qmodel.single_station import MM1
    >>> station = MM1(arrival_rate=0.75, service_time=1.0)
    >>> station.residence_time, station.queue_length, station.probability(0)
    (4.0, 3.0, 0.25)
    >>> round(station.percentile(0.9), 6)
    9.21034
    """

    servers: int = field(default=1, init=False, repr=False)

    @property
    def residence_time(self) -> float:
        """Mean time at the station, waiting and in service [1, (3.26)]. [s]"""
        return self.service_time / self._spare
