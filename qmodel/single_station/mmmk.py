"""M/M/m/K: several servers, capacity K; arrivals at a full station are lost; see THEORY.md."""

from dataclasses import dataclass
from math import fsum

from qmodel.errors import InvalidInput
from qmodel.laws.erlang import erlang_b
from qmodel.model.validation import assign
from qmodel.single_station.arguments import count
from qmodel.single_station.birth_death import birth_death
from qmodel.single_station.open_queue import OpenQueue
from qmodel.single_station.powers import geometric_sums, log_ratio, power, with_a_server_free


@dataclass(frozen=True, slots=True)
class MMmK(OpenQueue):
    """Several equal servers, Poisson arrivals, exponential service times, capacity K.

    Stable at any load. Times are those of admitted customers. With K = m no customer waits, and
    the means hold for service times of any distribution.

    Raises `InvalidInput` if a value is out of range.

    Parameters
    ----------
    arrival_rate : float
        Arrivals per second, those turned away included. [1/s]
    service_time : float
        Mean service time. [s]
    servers : int
        Number of servers m, at least 1.
    capacity : int
        Customers there is room for, K, those in service included; at least m.

    Examples
    --------
    >>> from qmodel.single_station import MMmK
    >>> lines = MMmK(arrival_rate=2.0, service_time=1.0, servers=2, capacity=2)
    >>> round(lines.blocking_probability, 12), round(lines.throughput, 12)
    (0.4, 1.2)
    """

    arrival_rate: float
    service_time: float
    servers: int
    capacity: int

    def __post_init__(self) -> None:
        self._check_common()
        assign(self, capacity=count(self.capacity, "capacity", 1))
        if self.capacity < self.servers:
            raise InvalidInput(
                f"capacity is {self.capacity}, expected >= the number of servers, {self.servers}"
            )

    @property
    def throughput(self) -> float:
        """Customers served per second, admitted customers. [1/s]"""
        return self.arrival_rate * self._parts().admitted

    @property
    def blocking_probability(self) -> float:
        """Fraction of customers that are turned away. [1]"""
        return self.probability(self.capacity)

    @property
    def waiting_probability(self) -> float:
        """Fraction of admitted customers that find all servers busy. [1]"""
        parts = self._parts()
        return parts.admitted_busy / parts.admitted

    @property
    def waiting_time(self) -> float:
        """Mean time before service begins, of admitted customers. [s]"""
        parts = self._parts()
        return self.service_time / self.servers * parts.ahead / parts.admitted

    @property
    def number_variance(self) -> float:
        """Variance of the number of customers. [customers^2]"""
        mean = self.queue_length
        return fsum((n - mean) ** 2 * p for n, p in enumerate(self._probabilities()))

    @property
    def waiting_time_variance(self) -> float:
        """Variance of the wait of admitted customers, first come first served. [s^2]"""
        found = self._probabilities()[self.servers : self.capacity]
        squares = fsum(k * (k + 1) * p for k, p in enumerate(found, 1))  # of k stages each
        stage = self.service_time / self.servers
        return stage**2 * squares / self._parts().admitted - self.waiting_time**2

    def at_least(self, n: int) -> float:
        """Probability that n customers or more are at the station. [1]"""
        return fsum(self._probabilities()[count(n, "number of customers", 0) :])

    def probability(self, n: int) -> float:
        """Probability that n customers are at the station [2]; 0 for more than K. [1]"""
        n = count(n, "number of customers", 0)
        if n > self.capacity:
            return 0.0
        parts = self._parts()
        if n >= self.servers:
            return parts.full * power(parts.log_ratio, n - self.servers - parts.shift)
        probability, _ = with_a_server_free(n, self._load, self.servers)
        return probability * parts.free

    def _probabilities(self) -> tuple[float, ...]:
        busy = [min(n, self.servers) / self.service_time for n in range(1, self.capacity + 1)]
        return birth_death([self.arrival_rate] * self.capacity, busy)

    def _parts(self) -> "_Parts":
        load, servers = self._load, self.servers
        states = self.capacity - servers + 1  # with all servers busy
        ratio = log_ratio(load, self._spare, servers)
        # All but the last server busy at most: P(m - 1 | at most m - 1), then one step up.
        step = load / servers * erlang_b(servers - 1, load)
        # Weights of the full states, over that of the likelier end, which is the last one when
        # more arrives than can be served.
        overload = ratio > 0.0
        shift = states - 1 if overload else 0
        total, moment_of_all = geometric_sums(-abs(ratio), states)
        open_ones, _ = geometric_sums(-abs(ratio), states - 1)
        free = 1.0
        if overload:
            moment_of_all = (states - 1) * total - moment_of_all
            open_ones *= power(-ratio, 1)
            free = power(-ratio, shift)
        everything = free + step * total
        return _Parts(
            log_ratio=ratio, shift=shift, free=free / everything, full=step / everything,
            admitted=(free + step * open_ones) / everything,
            admitted_busy=step * open_ones / everything,
            ahead=erlang_b(servers - 1, load) * moment_of_all / everything,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Parts:
    """Probabilities of the groups of states; ``full`` is that of the likeliest full state."""

    log_ratio: float
    shift: int  # customers waiting in that state
    free: float  # a server is free
    full: float
    admitted: float  # there is room
    admitted_busy: float  # there is room, but no server free
    ahead: float  # mean number waiting over the load of one server
