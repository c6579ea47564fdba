"""M/M/m+M, Erlang-A: customers lose patience and leave unserved; see THEORY.md."""

from dataclasses import dataclass, field
from math import fsum

from qmodel.errors import InvalidInput
from qmodel.model.validation import assign
from qmodel.single_station.arguments import count, not_negative, positive
from qmodel.single_station.birth_death import birth_death

#: States whose weight falls below this part of the largest no longer matter.
_NOTHING = 1e-18
#: Waiting customers in the mean that are counted at most.
_MOST = 1e6


@dataclass(frozen=True, slots=True)
class ErlangA:
    """Equal servers, Poisson arrivals, exponential service; who waits leaves at a constant rate.

    Stable at any load. Raises `InvalidInput` if a value is out of range, or if a million customers
    would wait.

    Parameters
    ----------
    arrival_rate : float
        All that come. [1/s]
    service_time : float
        Mean. [s]
    servers : int
        Number of servers m.
    patience : float
        Mean time that a customer is ready to wait. [s]

    Examples
    --------
    >>> line = ErlangA(arrival_rate=1.0, service_time=1.0, servers=1, patience=1.0)
    >>> round(line.abandoned, 6), round(line.waiting_time, 6)
    (0.367879, 0.367879)
    """

    arrival_rate: float
    service_time: float
    servers: int
    patience: float
    probabilities: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        assign(
            self,
            arrival_rate=not_negative(self.arrival_rate, "arrival rate", "/s"),
            service_time=positive(self.service_time, "service time", "s"),
            servers=count(self.servers, "number of servers", 1),
            patience=positive(self.patience, "patience", "s"),
        )
        waiting = (self.arrival_rate - self.servers / self.service_time) * self.patience
        if waiting > _MOST:
            raise InvalidInput(
                f"patience is {self.patience:g} s, with which about {waiting:.2g} customers wait; "
                f"expected at most {_MOST:g}: {_MOST * self.patience / waiting:.3g} s"
            )
        deaths: list[float] = []
        weight = most = 1.0
        while weight > _NOTHING * most or len(deaths) <= self.servers:
            n = len(deaths) + 1
            waiting = max(0, n - self.servers)
            deaths.append(min(n, self.servers) / self.service_time + waiting / self.patience)
            weight *= self.arrival_rate / deaths[-1]
            most = max(most, weight)
            if most > 1e200:
                weight, most = weight / most, 1.0
        assign(self, probabilities=birth_death([self.arrival_rate] * len(deaths), deaths))

    @property
    def waiting_probability(self) -> float:
        """Fraction of customers that find all servers busy. [1]"""
        return fsum(self.probabilities[self.servers :])

    @property
    def waiting_time(self) -> float:
        """Mean wait of all customers, served or not. [s]"""
        m = self.servers
        waiting = fsum((n - m) * p for n, p in enumerate(self.probabilities) if n > m)
        return waiting / self.arrival_rate if self.arrival_rate else 0.0

    @property
    def abandoned(self) -> float:
        """Fraction of customers that leave unserved: mean wait over patience [2]. [1]"""
        return self.waiting_time / self.patience

    @property
    def throughput(self) -> float:
        """Customers served per second. [1/s]"""
        return self.arrival_rate * (1.0 - self.abandoned)

    @property
    def utilization(self) -> float:
        """Fraction of time that one server is busy. [1]"""
        return self.throughput * self.service_time / self.servers
