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

from qmodel.numerics.service_time import ServiceTime

if TYPE_CHECKING:
    from qmodel.numerics.service_time import Complex, Series


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
