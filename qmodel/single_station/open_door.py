"""What stations with room for everybody have in common: all that arrive are served."""

from __future__ import annotations

from abc import ABC, abstractmethod

from qmodel.numerics.residual_capacity import spare_capacity
from qmodel.single_station.door import at_least_zero, check_stable, positive


class OpenDoor(ABC):
    """Means of a station where nobody is turned away, from the mean wait."""

    __slots__ = ()

    #: Arrivals per second [1/s] and mean service time [s].
    arrival_rate: float
    service_time: float

    @property
    @abstractmethod
    def waiting_time(self) -> float:
        """Mean time before service begins, of all customers. [s]"""

    @property
    def throughput(self) -> float:
        """Customers served per second, all that arrive. [1/s]"""
        return self.arrival_rate

    @property
    def residence_time(self) -> float:
        """Mean time at the station, waiting and in service. [s]"""
        return self.service_time + self.waiting_time

    @property
    def queue_length(self) -> float:
        """Mean number of customers, waiting and in service. [customers]"""
        return self.arrival_rate * self.residence_time

    def _check_times(self) -> None:
        """Plain numbers for what every such station is given."""
        rate = at_least_zero(self.arrival_rate, "arrival rate", "/s")
        object.__setattr__(self, "arrival_rate", rate)
        object.__setattr__(self, "service_time", positive(self.service_time, "service time", "s"))


class PoissonAtOneServer(OpenDoor):
    """With Poisson arrivals and one server: who comes finds it busy as often as it is busy."""

    __slots__ = ()

    @property
    def utilization(self) -> float:
        """Fraction of time that the server is busy. [1]"""
        return self.arrival_rate * self.service_time

    @property
    def waiting_probability(self) -> float:
        """Fraction of customers that find the server busy. [1]"""
        return self.utilization

    def _check_stable(self) -> None:
        check_stable(self._spare, self.arrival_rate, self.utilization, 1)

    @property
    def _spare(self) -> float:
        return spare_capacity(1.0, [(self.arrival_rate, self.service_time)])


class SeveralServers(OpenDoor):
    """With several equal servers."""

    __slots__ = ()

    #: Number of servers.
    servers: int

    @property
    def utilization(self) -> float:
        """Fraction of time that one server is busy. [1]"""
        return self._load / self.servers

    def _check_stable(self) -> None:
        check_stable(self._spare, self.arrival_rate, self._load, self.servers)

    @property
    def _load(self) -> float:
        return self.arrival_rate * self.service_time

    @property
    def _spare(self) -> float:
        return spare_capacity(self.servers, [(self.arrival_rate, self.service_time)])
