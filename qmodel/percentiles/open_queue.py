"""A station of an open network beyond product form: a wait with a probability, then service.

References
----------
.. [1] W. Whitt, "The queueing network analyzer," Bell System Technical Journal 62(9), 1983,
   pp. 2779-2815: section V, the wait by its probability and two moments.
.. [2] L. Kleinrock, "Queueing Systems, Volume I: Theory," Wiley, 1975, (5.105): the transform of
   the wait at M/G/1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmodel.erlang import erlang_c
from qmodel.percentiles.stage import ServiceTime
from qmodel.single_station.two_moments import waiting_probability, waiting_spread

if TYPE_CHECKING:
    from qmodel.percentiles.stage import Complex, Series
    from qmodel.solvers.parts.marked_flows.station import MarkedStation
    from qmodel.solvers.parts.open_flows.station_wait import StationWait
    from qmodel.solvers.qna import Flow

#: Arrivals whose SCV is this near to 1 are Poisson.
NEAR = 1e-9


@dataclass(frozen=True, slots=True)
class OpenQueue:
    """First come, first served, by moments of the wait.

    Parameters
    ----------
    own : ServiceTime
        One's own service. [s]
    ahead : ServiceTime
        That of all classes, for Poisson arrivals. [s]
    waits : float
        Probability of waiting; for Poisson arrivals at one server the utilization. [1]
    wait : float
        Mean wait of all customers. [s]
    spread : float
        SCV of the wait of those who wait. [1]
    poisson : bool
        True for Poisson arrivals at one server: the wait of M/G/1 [2].
    shape : tuple of (float, float), optional
        Parts and means of exponential times, the wait of those who wait but for its mean; by
        ``spread`` a gamma or hyperexponential one where there are none.
    """

    own: ServiceTime
    ahead: ServiceTime
    waits: float
    wait: float
    spread: float
    poisson: bool = False
    shape: tuple[tuple[float, float], ...] | None = None
    ratio: float = 0.0
    plain: bool = False

    @classmethod
    def of(cls, own: ServiceTime, flow: Flow, servers: int) -> OpenQueue:
        """The station as the network analyzer sees it.

        Parameters
        ----------
        own : ServiceTime
            Service of the class that passes. [s]
        flow : Flow
            All that arrives there.
        servers : int
            Number of servers.
        """
        used, arrival_scv, scv = flow.utilization, flow.arrival_scv, flow.scv
        ahead = ServiceTime(flow.service_time, scv)
        if servers == 1 and abs(arrival_scv - 1.0) < NEAR:
            return cls(own, ahead, used, 0.0, 1.0, poisson=True)
        busy = erlang_c(servers, used * servers, servers - used * servers)
        waits = waiting_probability(busy, used, servers, arrival_scv, scv)
        return cls(own, ahead, waits, flow.wait, waiting_spread(used, scv))

    @classmethod
    def of_class(cls, own: ServiceTime, found: StationWait, c: int, servers: int) -> OpenQueue:
        """The station as ``dispersion`` sees it, for class ``c``.

        The backlog that it finds is the same queue's, so a long wait is of the same length for
        all; a class with longer waits in the mean waits more often.

        Parameters
        ----------
        own : ServiceTime
            Service of the class. [s]
        found : StationWait
            The waits there.
        c : int
            The class.
        servers : int
            Number of servers.
        """
        ahead = ServiceTime(found.service_time, found.scv)
        alike = all(w in (0.0, found.waits[c]) for w in found.waits)
        poisson = found.utilization > 0.0 and abs(found.arrival_scv - 1.0) < NEAR
        if servers == 1 and alike and poisson:
            return cls(own, ahead, found.utilization, 0.0, 1.0, poisson=True)
        wait, often = found.waits[c], found.probability
        if found.wait:
            often = min(1.0, often * wait / found.wait)
        return cls(own, ahead, often, wait, found.spread, shape=found.shape)

    @classmethod
    def by_moments(cls, own: ServiceTime, found: MarkedStation | None, c: int) -> OpenQueue:
        """The station by three moments of the wait of class ``c``; None where nobody is.

        Parameters
        ----------
        own : ServiceTime
            Service of the class. [s]
        found : MarkedStation or None
            The waits there.
        c : int
            The class.
        """
        if found is None:
            return cls(own, own, 0.0, 0.0, 1.0)
        wait = found.waits[c]
        ahead = ServiceTime(found.whole.mean, found.whole.scv)
        if found.poisson:
            return cls(own, ahead, found.utilization, 0.0, 1.0, poisson=True)
        shape = wait.wait.of_those_who_wait
        return cls(own, ahead, wait.probability, wait.first, wait.spread, shape=shape)

    def waiting(self, s: Complex) -> Complex:
        """Transform of the wait.

        Examples
        --------
        >>> import numpy as np
        >>> one = ServiceTime(1.0)
        >>> OpenQueue(one, one, 0.5, 0.0, 1.0, poisson=True).waiting(np.array([0.5])).real.round(9)
        array([0.75])
        """
        import numpy as np

        if self.poisson:
            rest = self.ahead.rest(s)
            found: Complex = (1.0 - self.waits) / (1.0 - self.waits * rest)
            return found
        if self.wait == 0.0 or self.waits == 0.0:
            return np.ones_like(s)
        if self.shape is not None:
            x = s * (self.wait / self.waits)
            shaped: Complex = 1.0 - self.waits + 0.0 * x
            for part, time in self.shape:
                shaped = shaped + self.waits * part / (1.0 + time * x)
            return shaped
        those = ServiceTime(self.wait / self.waits, self.spread)
        mixed: Complex = 1.0 - self.waits + self.waits * those.transform(s)
        return mixed

    def repeated(self, times: int) -> OpenQueue:
        """Not known: successive visits are independent in a decomposition."""
        del times
        return self

    def series(self, s: Complex) -> Series:
        """The transform, whoever else is there."""
        import numpy as np

        return (self.waiting(s) * self.own.transform(s))[None, :], np.zeros_like(s)
