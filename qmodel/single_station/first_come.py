"""Distributions of times at several exponential servers, first come first served.

What stations have in common whose customers find some number of services in their way: the
distribution of that number is theirs, what follows from it is here and in `passage`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from qmodel.single_station.door import moment, share
from qmodel.single_station.passage import Before, residence_exceeds, waiting_exceeds
from qmodel.single_station.quantile import quantile


class FirstCome(ABC):
    """Distributions of the waiting and the residence time of those who get in."""

    __slots__ = ()

    #: Mean service time [s] and number of servers of the station.
    service_time: float
    servers: int

    @property
    @abstractmethod
    def residence_time(self) -> float:
        """Mean time at the station, waiting and in service. [s]"""

    @abstractmethod
    def _before(self) -> Before:
        """What those who get in find."""

    def waiting_time_cdf(self, t: float) -> float:
        """Fraction of those who get in that wait at most ``t`` [s], first come first served. [1]"""
        t = moment(t)
        return 1.0 - waiting_exceeds(self._before(), self._events(t)) if t >= 0.0 else 0.0

    def waiting_time_percentile(self, p: float) -> float:
        """Time within which a share ``p`` of those who get in begin service. [s]"""
        before = self._before()
        return quantile(
            lambda t: waiting_exceeds(before, self._events(t)), share(p), self.residence_time
        )

    def residence_time_cdf(self, t: float) -> float:
        """Fraction of those who get in that stay at most ``t`` [s], first come first served. [1]"""
        t = moment(t)
        if t < 0.0:
            return 0.0
        return 1.0 - residence_exceeds(self._before(), self._events(t), self.servers)

    def percentile(self, p: float) -> float:
        """Time within which a share ``p`` of those who get in have left again. [s]"""
        before = self._before()
        return quantile(
            lambda t: residence_exceeds(before, self._events(t), self.servers),
            share(p),
            self.residence_time,
        )

    def _events(self, t: float) -> float:
        return t / self.service_time * self.servers
