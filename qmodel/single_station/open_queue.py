"""Single stations: means that follow from the mean wait by Little's law [1]; see THEORY.md."""

from abc import ABC, abstractmethod

from qmodel.model.validation import assign
from qmodel.numerics.residual_capacity import spare_capacity
from qmodel.single_station.arguments import check_stable, count, not_negative, positive


class OpenQueue(ABC):
    """A station of equal servers, which admits all customers unless it has its own throughput."""

    __slots__ = ()

    #: Arrivals per second [1/s], mean service time [s], number of servers.
    arrival_rate: float
    service_time: float
    servers: int

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
        return self.throughput * self.residence_time

    def _check_common(self) -> None:
        """Plain numbers for the arguments of all such stations."""
        assign(
            self,
            arrival_rate=not_negative(self.arrival_rate, "arrival rate", "/s"),
            service_time=positive(self.service_time, "service time", "s"),
            servers=count(self.servers, "number of servers", 1),
        )

    @property
    def utilization(self) -> float:
        """Fraction of time that one server is busy. [1]"""
        return self.throughput * self.service_time / self.servers

    def _check_stable(self) -> None:
        check_stable(self._spare, self.arrival_rate, self._load, self.servers)

    @property
    def _load(self) -> float:
        return self.arrival_rate * self.service_time

    @property
    def _spare(self) -> float:
        return spare_capacity(self.servers, [(self.arrival_rate, self.service_time)])
