"""M[X]/G/1: customers come in batches; see THEORY.md."""

from dataclasses import dataclass, field

from qmodel.errors import InvalidInput
from qmodel.model.validation import assign
from qmodel.single_station.arguments import not_negative, positive
from qmodel.single_station.mg1 import third_moment
from qmodel.single_station.open_queue import OpenQueue

#: An SCV less than the least by no more than this is rounding.
ROUNDING = 1e-6
#: The first three, or moments.
Cumulants = tuple[float, float, float]


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
        and service exponential by default. Sizes whose mean is no whole number vary: with f its
        fraction, their variance is f (1 - f) at least. [1]

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
        if size == 1.0 and self.batch_scv:
            raise InvalidInput(
                f"SCV of the batch size is {self.batch_scv}, expected 0 where all batches are of 1"
            )
        scv, part = not_negative(self.batch_scv, "SCV of the batch size", ""), size % 1.0
        least = part * (1.0 - part) / size**2
        if scv < least - ROUNDING:
            raise InvalidInput(
                f"SCV of the batch size is {scv:g}, expected at least {least:.6g}: sizes are whole "
                f"numbers, {size:g} in the mean"
            )
        rate = not_negative(self.batch_rate, "batch rate", "/s")
        assign(
            self, batch_rate=rate, batch_size=size, batch_scv=scv,
            scv=not_negative(self.scv, "SCV of the service time", ""), arrival_rate=rate * size,
        )  # fmt: skip
        self._check_common()
        self._check_stable()

    @property
    def waiting_time(self) -> float:
        """Mean time before service: for earlier batches, as of M/G/1, and for one's own. [s]"""
        squares = self.batch_size**2 * (1.0 + self.batch_scv)  # E[X^2]
        work = (self.batch_size * self.scv + squares) * self.service_time**2
        before = self.batch_rate * work / (2.0 * self._spare)
        return before + (squares / self.batch_size - 1.0) / 2.0 * self.service_time

    @property
    def waiting_time_variance(self) -> float:
        """Variance of the wait, first come first served: for earlier batches and in one's own.

        Third moments are those of services as of `MG1`, and of sizes 1 + Y with Y constant,
        binomial, Poisson or negative binomial; geometric sizes are among them. [s^2]
        """
        size, (time, square, _) = self._size, self._service
        _, second, third = _moments(_compound(size, self._service))
        before = self.batch_rate * second / (2.0 * self._spare)
        found = self.batch_rate * third / (3.0 * self._spare) + before**2
        _, second, third = _moments(size)
        ahead = (second / size[0] - 1.0) / 2.0  # J of the same batch
        pairs = (third - 3.0 * second + 2.0 * size[0]) / (3.0 * size[0])  # E J (J - 1)
        return found + ahead * square + (pairs + ahead - ahead**2) * time**2

    @property
    def number_variance(self) -> float:
        """Variance of the number of customers, from its transform [1, (5.1)]; moments as above.

        (1 - rho) (1 - z) K(z) / (K(z) - z), K of the arrivals in a service. [customers^2]
        """
        rate, (one, two, three) = self.batch_rate, self._service
        batches = _compound((rate * one, rate**2 * two, rate**3 * three), (1.0, 1.0, 1.0))
        used, second, third = _moments(_compound(batches, self._size))
        pairs, triples = second - used, third - 3.0 * second + 2.0 * used
        a = pairs / (2.0 * self._spare)
        return pairs + a**2 + triples / (3.0 * self._spare) + used + a - used**2

    @property
    def _size(self) -> Cumulants:
        more, square = self.batch_size - 1.0, self.batch_size**2 * self.batch_scv
        return self.batch_size, square, square * (2.0 * square / more - 1.0) if square else 0.0

    @property
    def _service(self) -> Cumulants:
        time, square = self.service_time, self.scv * self.service_time**2
        return time, square, (third_moment(self.scv) - 3.0 * self.scv - 1.0) * time**3


def _compound(number: Cumulants, each: Cumulants) -> Cumulants:
    """Of the sum of so many independent terms."""
    (n, spread, skew), (x, xx, xxx) = number, each
    return n * x, n * xx + spread * x**2, n * xxx + 3.0 * spread * x * xx + skew * x**3


def _moments(cumulants: Cumulants) -> Cumulants:
    mean, square, cube = cumulants
    return mean, square + mean**2, cube + 3.0 * mean * square + mean**3
