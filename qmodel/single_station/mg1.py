"""M/G/1: Poisson arrivals, service times of any distribution, one server; see THEORY.md."""

from dataclasses import dataclass, field

from qmodel.model.validation import assign
from qmodel.single_station.arguments import not_negative
from qmodel.single_station.open_queue import OpenQueue


@dataclass(frozen=True, slots=True)
class MG1(OpenQueue):
    """One server, Poisson arrivals, service times of any distribution, infinite capacity.

    The means need the mean service time and its squared coefficient of variation (SCV), variance
    over squared mean: 0 is M/D/1, 1 is M/M/1.

    Raises `InvalidInput` if a value is out of range, and `Unstable` if customers arrive as fast as
    they can be served, or faster.

    Parameters
    ----------
    arrival_rate, service_time : float
        Arrivals per second, and the mean. [1/s, s]
    scv : float
        Squared coefficient of variation of the service time, at least 0. [1]

    Examples
    --------
    >>> from qmodel.single_station import MG1
    >>> station = MG1(arrival_rate=0.5, service_time=1.0, scv=4.0)
    >>> station.waiting_time, station.queue_length
    (2.5, 1.75)
    """

    arrival_rate: float
    service_time: float
    scv: float
    servers: int = field(default=1, init=False, repr=False)

    def __post_init__(self) -> None:
        self._check_common()
        assign(self, scv=not_negative(self.scv, "SCV of the service time", ""))
        self._check_stable()

    @property
    def waiting_probability(self) -> float:
        """Fraction of customers that find the server busy, the utilization. [1]"""
        return self.utilization

    @property
    def waiting_time(self) -> float:
        """Mean time before service begins [1, (5.63)]. [s]"""
        return 0.5 * (1.0 + self.scv) * self.utilization * self.service_time / self._spare

    @property
    def waiting_time_variance(self) -> float:
        """Variance of the wait, first come first served [2]; see `GGm` for the third moment. [s^2]

        lambda E[S^3] / (3 (1 - rho)) + W^2, with a gamma or a hyperexponential distribution.
        """
        third = third_moment(self.scv) * self.service_time**3
        return self.arrival_rate * third / (3.0 * self._spare) + self.waiting_time**2

    @property
    def number_variance(self) -> float:
        """Variance of the number of customers, by the distributional law of Little [3]."""
        spread = self.waiting_time_variance + self.scv * self.service_time**2
        return self.arrival_rate**2 * spread + self.queue_length


def third_moment(scv: float) -> float:
    """E[S^3] / (E S)^3 of a gamma distribution, above an SCV of 1 a hyperexponential one. [1]"""
    return (1.0 + scv) * (1.0 + 2.0 * scv) if scv <= 1.0 else 3.0 * scv * (1.0 + scv)
