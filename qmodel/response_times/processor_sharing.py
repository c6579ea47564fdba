"""Stations whose customers share the speed: processor sharing, and load-dependent stations.

A tagged customer and the j others there are served at speed(j + 1) together, each at an equal
part. The others leave at their parts; others arrive at the rate that, with their departures, gives
the distribution of their number which product form says an arrival finds:

    arrival rate(j) = p(j + 1) / p(j) speed(j + 1) / S.

So the time of the tagged customer is that of a birth-and-death process with an exit. It is exact
for M/M/1 processor sharing [1] and for one station and terminals; elsewhere the rest of the network
is taken to send customers as its flow-equivalent server would.

References
----------
.. [1] E. G. Coffman, R. R. Muntz and H. Trotter, "Waiting time distributions for processor-sharing
   systems," Journal of the ACM 17(1), 1970, pp. 123-130.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from qmodel.numerics.service_time import ServiceTime

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.numerics.service_time import Complex, Series


@dataclass(frozen=True, slots=True)
class Shared:
    """Customers that share the speed equally.

    Parameters
    ----------
    own : ServiceTime
        One's own service, taken as exponential. [s]
    others : float
        Mean service time of those found. [s]
    ratio, open_load : float
        Load of the closed and of the open classes. [servers]
    speed : callable
        Speed with n >= 1 customers there, relative to that of one. [1]
    found : array of float, shape (N + 1, O + 1)
        Probability that n closed and o open customers are found, times the number of ways of the
        rest of the network; set by `qmodel.response_times.path`.
    weights : array of float, shape (N + 1, O + 1)
        Weights of n closed and o open customers at this station.
    """

    own: ServiceTime
    others: float
    ratio: float
    speed: Callable[[int], float]
    weights: NDArray[np.float64]
    found: NDArray[np.float64]
    plain: bool = field(default=False)
    times: int = 1

    def repeated(self, times: int) -> Shared:
        """So many visits that find the same number."""
        return replace(self, times=times)

    def series(self, s: Complex) -> Series:
        """Weights times transforms by the number of closed customers found."""
        import numpy as np

        still = np.zeros(len(s), s.dtype)
        if not s.any():
            return np.repeat(self.weights.sum(axis=1)[:, None], len(s), axis=1), still
        times = self.transforms(s) ** self.times
        closed, opened = self.weights.shape
        head = np.zeros((closed, len(s)), complex)
        for o in range(opened):
            head += self.weights[:, o, None] * times[o : o + closed]
        return head, still

    def transforms(self, s: Complex) -> Complex:
        """Transforms of the time of a customer who finds 0, 1, 2 ... others, shape (J, B)."""
        import numpy as np

        numbers = by_total(self.found)
        last = len(numbers) - 1
        up = np.zeros(last + 1)
        part = np.array([self.speed(j + 1) / (j + 1.0) for j in range(last + 1)])
        for j in range(last):
            if numbers[j] > 0.0:
                up[j] = numbers[j + 1] / numbers[j] * self.speed(j + 1) / self.others
        down = np.arange(last + 1) * part / self.others
        leave = part / self.own.mean
        # (s + up + down + leave) phi(j) = leave + up phi(j + 1) + down phi(j - 1), from the top.
        times = np.empty((last + 1, len(s)), complex)
        slope = np.empty_like(times)
        above, fixed = np.zeros(len(s), complex), np.zeros(len(s), complex)
        for j in range(last, -1, -1):
            pivot = 1.0 / (s + up[j] * (1.0 - above) + down[j] + leave[j])
            fixed = (leave[j] + up[j] * fixed) * pivot
            above = down[j] * pivot
            times[j], slope[j] = fixed, above
        for j in range(1, last + 1):
            times[j] += slope[j] * times[j - 1]
        return times


def by_total(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums over n + o of an array by n closed and o open customers.

    Examples
    --------
    >>> import numpy as np
    >>> by_total(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [1.0, 5.0, 4.0]
    """
    import numpy as np

    closed, opened = found.shape
    total = np.zeros(closed + opened - 1)
    for n in range(closed):
        total[n : n + opened] += found[n]
    return total
