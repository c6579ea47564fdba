"""Distributions of times where the stay of a customer at the station is exponential.

So it is at one exponential server where the number that an arrival finds is geometric: the number
of services until it leaves is geometric as well, and such a sum of exponential times is one again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import exp, expm1, log, log1p

from qmodel.single_station.door import moment, share


class ExponentialStay(ABC):
    """Distributions of the waiting and the residence time, first come first served."""

    __slots__ = ()

    @property
    @abstractmethod
    def waiting_probability(self) -> float:
        """Fraction of customers that find the server busy. [1]"""

    @property
    @abstractmethod
    def residence_time(self) -> float:
        """Mean time at the station, waiting and in service. [s]"""

    def waiting_time_cdf(self, t: float) -> float:
        """Fraction of customers that wait at most ``t`` [s], first come first served. [1]"""
        t = moment(t)
        return 1.0 - self.waiting_probability * exp(-t / self.residence_time) if t >= 0.0 else 0.0

    def waiting_time_percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers begin service. [s]"""
        p, waiting = share(p), self.waiting_probability
        return self.residence_time * (log(waiting) - log1p(-p)) if waiting > 1.0 - p else 0.0

    def residence_time_cdf(self, t: float) -> float:
        """Fraction of customers that stay at most ``t`` [s], first come first served. [1]"""
        t = moment(t)
        return -expm1(-t / self.residence_time) if t >= 0.0 else 0.0

    def percentile(self, p: float) -> float:
        """Time within which a share ``p`` of the customers have left again. [s]"""
        return -self.residence_time * log1p(-share(p))
