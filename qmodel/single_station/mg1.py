"""M/G/1: Poisson arrivals, service times of any distribution, one server.

References
----------
.. [1] L. Kleinrock, "Queueing Systems, Volume I: Theory," Wiley, 1975, ch. 5.6: the
   Pollaczek-Khinchin mean value formula (5.63).
.. [2] H. C. Tijms, "A First Course in Stochastic Models," Wiley, 2003, ch. 9.2 and 5.5: numbers of
   customers, and mixtures of Erlang distributions, which come as close to any as one likes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, floor, log1p

from qmodel.errors import InvalidInput, NotApplicable
from qmodel.single_station.arguments import at_least_zero, count
from qmodel.single_station.embedded_chain import NOTHING, number_distribution
from qmodel.single_station.erlang_mixture import Phases, checked
from qmodel.single_station.open_queue import SingleServerPoisson

#: Numbers of customers beyond this take too long: the work grows with their square.
MOST = 10_000


@dataclass(frozen=True, slots=True)
class MG1(SingleServerPoisson):
    """One server, Poisson arrivals, service times of any distribution, infinite capacity.

    The means need the mean service time and its squared coefficient of variation (SCV), variance
    over squared mean: 0 is M/D/1, 1 is M/M/1. The distribution of numbers needs the whole
    distribution of service times, see `of_phases`.

    Parameters
    ----------
    arrival_rate : float
        Arrivals per second. [1/s]
    service_time : float
        Mean service time. [s]
    scv : float
        Squared coefficient of variation of the service time, at least 0. [1]
    phases : tuple of (float, int, float)
        The distribution of service times where it is known, as `of_phases` takes it.

    Raises
    ------
    InvalidInput
        If a value is out of range; the text names it.
    Unstable
        If customers arrive as fast as they can be served, or faster.

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
    phases: Phases = ()

    def __post_init__(self) -> None:
        self._check_times()
        object.__setattr__(self, "scv", at_least_zero(self.scv, "SCV of the service time", ""))
        if self.phases:
            object.__setattr__(self, "phases", checked(self.phases, "phases", 1))
            mean, scv = _moments(self.phases)
            if abs(mean - self.service_time) > 1e-9 * mean or abs(scv - self.scv) > 1e-9:
                raise InvalidInput(
                    f"phases have mean {mean:.12g} s and SCV {scv:.12g}, expected "
                    f"{self.service_time:.12g} s and {self.scv:.12g}"
                )
        self._check_stable()

    @classmethod
    def of_phases(cls, arrival_rate: float, phases: Iterable[tuple[float, int, float]]) -> MG1:
        """A station whose service times are a mixture of Erlang distributions.

        Parameters
        ----------
        arrival_rate : float
            Arrivals per second. [1/s]
        phases : sequence of (probability, number of phases, mean)
            A service is of each kind with its probability, and then the sum of so many
            exponential phases, all together with the given mean. [1, 1, s]

        Raises
        ------
        InvalidInput
            If a value is out of range or the probabilities do not add up to 1.

        Examples
        --------
        >>> from qmodel.single_station import MG1
        >>> station = MG1.of_phases(0.5, [(0.9, 2, 0.5), (0.1, 1, 5.5)])
        >>> station.service_time, round(station.scv, 9), round(station.probability(1), 9)
        (1.0, 5.3875, 0.177710843)
        """
        kinds = checked(phases, "phases", 1)
        return cls(arrival_rate, *_moments(kinds), kinds)

    @property
    def waiting_time(self) -> float:
        """Mean time before service begins [1, (5.63)]. [s]"""
        return 0.5 * (1.0 + self.scv) * self.utilization * self.service_time / self._spare

    def probability(self, n: int) -> float:
        """Probability that n customers are at the station [2]. [1]

        Raises
        ------
        NotApplicable
            If n > 0 and only mean and SCV are known, or n is beyond 10,000.
        """
        n = count(n, "number of customers", 0)
        if n == 0:
            return self._spare
        if not self.phases:
            raise NotApplicable(
                "mean and SCV do not determine the distribution of numbers; "
                "give that of the service times to MG1.of_phases"
            )
        if n > MOST:
            raise NotApplicable(f"probability of {n} customers, it takes at most {MOST}")
        none, tails = _arrivals(self.arrival_rate, self.phases)
        return number_distribution(self._spare, none, tails, n)[n]


def _moments(phases: Iterable[tuple[float, int, float]]) -> tuple[float, float]:
    """Mean and squared coefficient of variation."""
    mean = variance = 0.0
    for weight, _, time in phases:
        mean += weight * time
    for weight, number, time in phases:
        variance += weight * (time * time / number + (time - mean) * (time - mean))
    return mean, variance / (mean * mean)


def _arrivals(
    arrival_rate: float, phases: Iterable[tuple[float, int, float]]
) -> tuple[float, list[float]]:
    """Probability of no arrival during a service, and of more than 0, 1, 2 ..."""
    none = 0.0
    columns = []
    for weight, number, mean in phases:
        during = arrival_rate * mean / number
        none += weight * exp(-number * log1p(during))
        first, column = _during_erlang(number, during / (1.0 + during))
        columns.append((weight, first, column))
    tails = [0.0] * max(first + len(column) for _, first, column in columns)
    for weight, first, column in columns:
        above = 0.0
        for i in range(len(column) - 1, -1, -1):
            above += weight * column[i]
            if first + i > 0:
                tails[first + i - 1] += above
        for i in range(first - 1):
            tails[i] += above
    return none, tails[:-1]


def _during_erlang(number: int, q: float) -> tuple[int, list[float]]:
    """Probabilities of the number of arrivals, from the first that matters to the last.

    Until all phases have ended, each event is an arrival with probability q: a negative binomial
    distribution, scaled from its highest value outwards so that none is lost to underflow.
    """
    highest = floor(q * (number - 1) / (1.0 - q))
    below, weight = [], 1.0
    for i in range(highest, 0, -1):
        weight *= i / (q * (number + i - 1))
        if weight < NOTHING:
            break
        below.append(weight)
    above, weight, i = [1.0], 1.0, highest
    while weight > NOTHING:
        i += 1
        weight *= q * (number + i - 1) / i
        above.append(weight)
    weights = [*reversed(below), *above]
    total = 0.0
    for weight in weights:
        total += weight
    return highest - len(below), [w / total for w in weights]
