"""M[X]/G/1: customers come in batches.

References
----------
.. [1] D. Gross and C. M. Harris, "Fundamentals of Queueing Theory," 3rd ed., Wiley, 1998, ch. 3.1
   and 5.1.
"""

from dataclasses import dataclass, field

from qmodel.errors import InvalidInput
from qmodel.model.validation import assign
from qmodel.single_station.arguments import not_negative, positive
from qmodel.single_station.open_queue import OpenQueue


@dataclass(frozen=True, slots=True)
class MXG1(OpenQueue):
    """One server, batches that come as a Poisson process, service times of any distribution.

    Raises `InvalidInput` if a value is out of range, and `Unstable` if customers arrive as fast as
    they can be served, or faster.

    Parameters
    ----------
    batch_rate : float
        Batches per second. [1/s]
    service_time : float
        Mean of a customer. [s]
    batch_size : float
        Mean size of a batch, at least 1. [customers]
    batch_scv, scv : float
        Squared coefficients of variation of the size and of the service time; sizes are constant
        and service exponential by default. [1]

    Examples
    --------
    >>> round(MXG1(batch_rate=0.2, service_time=1.0, batch_size=3.0).queue_length, 12)
    3.0
    """

    batch_rate: float
    service_time: float
    batch_size: float = 1.0
    batch_scv: float = 0.0
    scv: float = 1.0
    arrival_rate: float = field(default=0.0, init=False, repr=False)
    servers: int = field(default=1, init=False, repr=False)

    def __post_init__(self) -> None:
        size = positive(self.batch_size, "batch size", "")
        if size < 1.0:
            raise InvalidInput(f"batch size is {size:g}, expected at least 1")
        rate = not_negative(self.batch_rate, "batch rate", "/s")
        assign(
            self,
            batch_rate=rate,
            batch_size=size,
            batch_scv=not_negative(self.batch_scv, "SCV of the batch size", ""),
            scv=not_negative(self.scv, "SCV of the service time", ""),
            arrival_rate=rate * size,
        )
        self._check_common()
        self._check_stable()

    @property
    def waiting_time(self) -> float:
        """Mean time before service: for earlier batches, as of M/G/1, and for one's own. [s]"""
        squares = self.batch_size**2 * (1.0 + self.batch_scv)  # E[X^2]
        work = (self.batch_size * self.scv + squares) * self.service_time**2
        before = self.batch_rate * work / (2.0 * self._spare)
        return before + (squares / self.batch_size - 1.0) / 2.0 * self.service_time
