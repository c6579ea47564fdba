"""M/G/1 with vacations: a server that finds no customer goes away and returns; see THEORY.md."""

from dataclasses import dataclass, field

from qmodel.model.validation import assign
from qmodel.single_station.arguments import not_negative, positive
from qmodel.single_station.mg1 import MG1
from qmodel.single_station.open_queue import OpenQueue


@dataclass(frozen=True, slots=True)
class MG1Vacations(OpenQueue):
    """One server that does other work, such as a flush or a collection, whenever it is idle.

    Raises `InvalidInput` if a value is out of range, and `Unstable` if customers arrive as fast as
    they can be served, or faster.

    Parameters
    ----------
    arrival_rate : float
        Arrivals per second. [1/s]
    service_time, vacation_time : float
        Means. [s]
    scv, vacation_scv : float
        Their squared coefficients of variation. [1]

    Examples
    --------
    >>> MG1Vacations(0.5, 1.0, vacation_time=2.0, scv=1.0, vacation_scv=0.0).waiting_time
    2.0
    """

    arrival_rate: float
    service_time: float
    vacation_time: float
    scv: float = 1.0
    vacation_scv: float = 1.0
    servers: int = field(default=1, init=False, repr=False)

    def __post_init__(self) -> None:
        self._check_common()
        assign(
            self,
            vacation_time=positive(self.vacation_time, "vacation time", "s"),
            scv=not_negative(self.scv, "SCV of the service time", ""),
            vacation_scv=not_negative(self.vacation_scv, "SCV of the vacation time", ""),
        )
        self._check_stable()

    @property
    def waiting_time(self) -> float:
        """That of M/G/1 and the residual vacation [1], which are independent [2]. [s]"""
        plain = MG1(self.arrival_rate, self.service_time, self.scv).waiting_time
        return plain + self.vacation_time * (1.0 + self.vacation_scv) / 2.0
