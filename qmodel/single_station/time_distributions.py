"""Distributions of the waiting and the residence time, first come first served."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from qmodel.single_station.arguments import moment, share

#: P(T > t) as a function of t >= 0.
Tail = Callable[[float], float]


class TimeDistributions(ABC):
    """Distributions from their tails; of the admitted customers, where some are lost."""

    __slots__ = ()

    @property
    @abstractmethod
    def residence_time(self) -> float:
        """Mean time at the station, waiting and in service. [s]"""

    @abstractmethod
    def _waiting_tail(self) -> Tail: ...

    @abstractmethod
    def _residence_tail(self) -> Tail: ...

    def waiting_time_cdf(self, t: float) -> float:
        """Fraction of customers that wait at most ``t`` [s], first come first served. [1]"""
        t = moment(t)
        return 1.0 - self._waiting_tail()(t) if t >= 0.0 else 0.0

    def waiting_time_percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers begin service. [s]"""
        return quantile(self._waiting_tail(), share(p), self.residence_time)

    def residence_time_cdf(self, t: float) -> float:
        """Fraction of customers that stay at most ``t`` [s], first come first served. [1]"""
        t = moment(t)
        return 1.0 - self._residence_tail()(t) if t >= 0.0 else 0.0

    def percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers have left again. [s]"""
        return quantile(self._residence_tail(), share(p), self.residence_time)


def quantile(exceeds: Tail, p: float, scale: float) -> float:
    """The smallest time that at most a share 1 - p of the customers exceeds, to the last bit. [s]

    Parameters
    ----------
    exceeds : callable
        P(T > t), falling from at most 1 to 0. [1]
    p : float
        Share of customers that stay within the percentile, 0 <= p < 1. [1]
    scale : float
        A time of about the size of the mean, > 0, where the bisection starts. [s]

    Examples
    --------
    >>> from math import exp
    >>> round(quantile(lambda t: exp(-t), p=0.5, scale=1.0), 12)
    0.69314718056
    """
    left = 1.0 - p
    if exceeds(0.0) <= left:
        return 0.0
    low, high = 0.0, scale
    while exceeds(high) > left:
        low, high = high, 2.0 * high
    while True:
        middle = low + 0.5 * (high - low)
        if not low < middle < high:
            return high
        if exceeds(middle) > left:
            low = middle
        else:
            high = middle
