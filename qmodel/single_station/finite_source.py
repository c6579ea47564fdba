"""M/M/m/K/N: a finite source with room for K, and Engset's system where K = m; see THEORY.md."""

from dataclasses import dataclass
from math import fsum

from qmodel.errors import InvalidInput
from qmodel.model.validation import assign
from qmodel.single_station.arguments import count, positive
from qmodel.single_station.birth_death import birth_death


@dataclass(frozen=True, slots=True)
class FiniteSource:
    """Equal servers, N customers who think and ask, exponential times, room for K of them.

    A customer who finds no room thinks anew. With K = m (Engset) the means hold for service and
    think times of any distribution. Raises `InvalidInput` if a value is out of range.

    Parameters
    ----------
    customers : int
        In all, N.
    think_time, service_time : float
        Means. [s]
    servers : int
        Number of servers m.
    capacity : int, optional
        Room K, those in service included; for all by default.

    Examples
    --------
    Two mechanics for five machines that run for 10 hours and take 1 to repair:

    >>> repair = FiniteSource(customers=5, think_time=10.0, service_time=1.0, servers=2)
    >>> round(repair.queue_length, 4), round(repair.waiting_time, 4)
    (0.4648, 0.0249)
    """

    customers: int
    think_time: float
    service_time: float
    servers: int = 1
    capacity: int | None = None

    def __post_init__(self) -> None:
        room = self.customers if self.capacity is None else self.capacity
        assign(
            self,
            customers=count(self.customers, "number of customers", 1),
            think_time=positive(self.think_time, "think time", "s"),
            service_time=positive(self.service_time, "service time", "s"),
            servers=count(self.servers, "number of servers", 1),
            capacity=min(count(room, "capacity", 1), self.customers),
        )
        if self.capacity is not None and self.capacity < min(self.servers, self.customers):
            raise InvalidInput(
                f"capacity is {self.capacity}, expected >= the number of servers, {self.servers}"
            )

    @property
    def probabilities(self) -> tuple[float, ...]:
        """That 0, 1 ... K customers are at the station [1, (2.57)]."""
        room = self.capacity or 0
        return birth_death(
            [(self.customers - n) / self.think_time for n in range(room)],
            [min(n, self.servers) / self.service_time for n in range(1, room + 1)],
        )

    @property
    def throughput(self) -> float:
        """Customers served per second. [1/s]"""
        busy = (min(n, self.servers) * p for n, p in enumerate(self.probabilities))
        return fsum(busy) / self.service_time

    @property
    def utilization(self) -> float:
        """Fraction of time that one server is busy. [1]"""
        return self.throughput * self.service_time / self.servers

    @property
    def queue_length(self) -> float:
        """Mean number at the station. [customers]"""
        return fsum(n * p for n, p in enumerate(self.probabilities))

    @property
    def residence_time(self) -> float:
        """Mean time at the station, of admitted customers. [s]"""
        return self.queue_length / self.throughput

    @property
    def waiting_time(self) -> float:
        """Mean time before service, of admitted customers. [s]"""
        return self.residence_time - self.service_time

    @property
    def blocking_probability(self) -> float:
        """Fraction of arrivals that find no room (call congestion) [2, (3.65)]. [1]"""
        found = [(self.customers - n) * p for n, p in enumerate(self.probabilities)]
        return found[-1] / fsum(found) if self.capacity == len(found) - 1 else 0.0
