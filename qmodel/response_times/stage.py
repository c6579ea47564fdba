"""One station as an arriving customer meets it: what it finds, and how long it then takes.

Of a station with n customers of the closed classes, the product form has the weight w(n) (the
open classes summed over); a customer that finds them stays for a time with the transform phi(n, s).
A `Stage` gives the products w(n) phi(n, s), which is all that is needed: convolved with the weights
of the other stations they are the transform of the time that an arriving customer spends, by the
arrival theorem [1, 2]. At s = 0 they are the weights.

From some n on the products are a geometric series, so they are given as a head and a ratio.

First come, first served, single server: those found are n phases before one's own, which is an
Erlang time. With m servers n - m + 1 phases at m times the speed. Where open customers with the
load a are among them, their number given n is negative binomial, which again is a geometric series.
Where service is not exponential there are n services, the first of them under way; their number
remains that of product form, unless the station has a chain of its own
(`qmodel.response_times.ctmc_station`).

References
----------
.. [1] S. S. Lavenberg and M. Reiser, "Stationary state probabilities at arrival instants for
   closed queueing networks with multiple types of customers," Journal of Applied Probability
   17(4), 1980, pp. 1048-1061.
.. [2] K. C. Sevcik and I. Mitrani, "The distribution of queuing network states at input and output
   instants," Journal of the ACM 28(2), 1981, pp. 358-371.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, lgamma, log
from typing import TYPE_CHECKING, Protocol

from qmodel.numerics.service_time import ServiceTime

if TYPE_CHECKING:
    from qmodel.numerics.service_time import Complex, Series


class Stage(Protocol):
    """A station, for one class."""

    @property
    def own(self) -> ServiceTime:
        """One's own service."""

    @property
    def ratio(self) -> float:
        """Load of the closed classes: weight of a customer more, at one server. [1]"""

    @property
    def plain(self) -> bool:
        """Whether the time there is a sum of exponential phases, as found on arrival."""

    def series(self, s: Complex) -> Series:
        """Weights times transforms by the number of closed customers found."""

    def repeated(self, times: int) -> Stage:
        """The same for so many visits that find the same."""


@dataclass(frozen=True, slots=True)
class InOrder:
    """First come, first served.

    Parameters
    ----------
    own : ServiceTime
        One's own service. [s]
    ahead : ServiceTime
        That of a customer found there, of whatever class. [s]
    ratio : float
        Load of the closed classes, throughput times demand. [servers]
    open_load : float
        Load of the open classes, below ``servers``. [servers]
    servers : int
        Number of servers.
    """

    own: ServiceTime
    ahead: ServiceTime
    ratio: float
    open_load: float = 0.0
    servers: int = 1

    @property
    def plain(self) -> bool:
        """True where all times are exponential and there is one server."""
        return self.servers == 1 and self.own == self.ahead and self.own.scv == 1.0

    def repeated(self, times: int) -> InOrder:
        """So many visits that find the same number, of times of their own."""
        own, ahead = replace(self.own, times=times), replace(self.ahead, times=times)
        return replace(self, own=own, ahead=ahead)

    def series(self, s: Complex) -> Series:
        """Weights times transforms by the number of closed customers found.

        Examples
        --------
        >>> import numpy as np
        >>> head, ratio = InOrder(ServiceTime(1.0), ServiceTime(1.0), 0.5).series(np.array([1.0]))
        >>> head.tolist(), ratio.tolist()
        ([[0.5]], [0.25])
        """
        import numpy as np

        m, r, a = self.servers, self.ratio, self.open_load
        phase = replace(self.ahead, mean=self.ahead.mean / m).transform(s)
        own = self.own.transform(s)
        x = a / m * phase
        rest = 1.0 / (1.0 - x)
        ratio = r / m * phase * rest
        if m == 1 and self.ahead.scv == 1.0:
            return (own * rest)[None, :], ratio
        if m == 1:  # the one in service when one comes has the rest of its service before it
            under_way = self.ahead.rest(s)
            first = own * (1.0 + a * under_way * rest)
            return np.array([first, own * r * under_way * rest * rest]), ratio
        closed, opened = poisson_weights(r, m), poisson_weights(a, m)
        served_at_once = np.cumsum(opened)
        head = np.empty((m + 1, len(s)), own.dtype)
        # The sum over m + i customers of binomial(m + i, n) / binomial(m, n) x^i, by Pascal's rule.
        many = rest
        for n in range(m + 1):
            if n:
                many = (1.0 + n / (m - n + 1.0) * x * many) * rest
            head[n] = closed[n] * own * (opened[m - n] * phase * many)
            if n < m:
                head[n] += closed[n] * own * served_at_once[m - n - 1]
        return head, ratio


@dataclass(frozen=True, slots=True)
class Pause:
    """A delay station: nobody waits. The weights are in the delay of the whole network."""

    own: ServiceTime
    ratio: float = 0.0
    plain: bool = False

    def repeated(self, times: int) -> Pause:
        """So many of them."""
        return replace(self, own=replace(self.own, times=times))

    def series(self, s: Complex) -> Series:
        """The transform of the delay, whoever else is there."""
        import numpy as np

        own = self.own.transform(s)
        return own[None, :], np.zeros_like(own)


def poisson_weights(load: float, most: int) -> list[float]:
    """load^n / n! for n = 0 ... ``most``, times exp(-load) that none overflows.

    Examples
    --------
    >>> [round(w, 6) for w in poisson_weights(1.0, 2)], poisson_weights(0.0, 1)
    ([0.367879, 0.367879, 0.18394], [1.0, 0.0])
    """
    if load == 0.0:
        return [1.0, *[0.0] * most]
    return [exp(n * log(load) - lgamma(n + 1.0) - load) for n in range(most + 1)]
