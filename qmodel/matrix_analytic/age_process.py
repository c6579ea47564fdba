"""A queue whose arrivals are found out when they are needed: by ticks of a clock.

An arrival process in phases can be run by a clock that ticks at a rate nu: at a tick nothing
arrives, with the matrix I + D0 / nu, or a customer of class c, with D_c / nu. While all m servers
are busy nobody needs to know what the ticks were. So the level of this process is the number of
ticks since the arrival of the customer who began his service last, and its phases are that of the
arrivals at his own arrival and those of the services. A service ends: ticks are looked at, one
after the other, until one has brought a customer, who begins; or there are none left, and a server
is idle. So customers keep their order whatever their class [1 does the same with the time itself,
the age of the customer in service].

Below m customers the phase of the arrivals is that of now, and there are no ticks.

References
----------
.. [1] Q.-M. He, "Analysis of a continuous time SM[K]/PH[K]/1/FCFS queue: age process, sojourn
   times, and queue lengths," Journal of Systems Science and Complexity 25(1), 2012, pp. 133-155.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.matrix_analytic.marked_arrival_process import MarkedFlow
    from qmodel.matrix_analytic.server_phases import Servers

    Array = NDArray[np.floating[Any]]

#: An eigenvalue that is 0, over the rate of arrivals.
NEAR = 1e-6
#: How much faster the clock ticks than it must, and at least over the rate of arrivals.
FASTER, LEAST = 1.5, 2.0


@dataclass(frozen=True, eq=False)
class Ticks:
    """The matrices of such a queue.

    Parameters
    ----------
    flow : MarkedFlow
        What arrives.
    servers : Servers
        Those who serve.
    """

    flow: MarkedFlow
    servers: Servers

    @cached_property
    def rate(self) -> float:
        """Of the clock: so fast that what a tick does has eigenvalues in the unit circle. [1/s]"""
        import numpy as np

        flow = self.flow
        whole = flow.rate
        found = np.concatenate([np.linalg.eigvals(d) for d in (flow.without, flow.change)])
        found = found[abs(found) > NEAR * whole]
        if not (found.real < 0.0).all():
            raise np.linalg.LinAlgError("no flow")
        least = float((abs(found) ** 2 / (-2.0 * found.real)).max())
        return max(FASTER * least, LEAST * whole)

    @cached_property
    def sets(self) -> list[int]:
        """Sets of services under way at 0 to m busy servers."""
        return [len(inside) for inside in self.servers.within]

    @cached_property
    def inside(self) -> Array:
        """Services go on, all servers busy. [1/s]"""
        return self._services(self.servers.within[-1])

    @cached_property
    def ends(self) -> tuple[Array, ...]:
        """By class: a service ends, all having been busy; ticks are to be looked at. [1/s]"""
        return tuple(self._services(each) for each in self.servers.ends[-1])

    @cached_property
    def nothing(self) -> Array:
        """A tick that is looked at brought nobody. [1]"""
        import numpy as np

        quiet = np.eye(self.flow.size) + self.flow.without / self.rate
        return np.kron(quiet, np.eye(self.sets[-2]))

    @cached_property
    def begins(self) -> Array:
        """A tick that is looked at brought a customer, who begins. [1]"""
        return self._arrives(self.servers.number - 1) / self.rate

    @cached_property
    def last_server(self) -> Array:
        """A customer comes and finds one idle server. [1/s]"""
        return self._arrives(self.servers.number - 1)

    @cached_property
    def low(self) -> Array:
        """Rates among the numbers 0 to m - 1 of customers, what leaves them included. [1/s]"""
        import numpy as np

        size = self.slices[-1].stop
        found = np.zeros((size, size))
        for n, at in enumerate(self.slices):
            found[at, at] = np.kron(self.flow.without, np.eye(self.sets[n]))
            found[at, at] += self._services(self.servers.within[n])
            if n:
                found[at, self.slices[n - 1]] = sum(
                    self._services(each) for each in self.servers.ends[n - 1]
                )
                found[self.slices[n - 1], at] = self._arrives(n - 1)
        return found

    def low_ends(self, c: int) -> Array:
        """Services of class c end, some server having been idle before. [1/s]"""
        import numpy as np

        found = np.zeros_like(self.low)
        for n, at in enumerate(self.slices[1:], start=1):
            found[at, self.slices[n - 1]] = self._services(self.servers.ends[n - 1][c])
        return found

    @cached_property
    def slices(self) -> list[slice]:
        """Where each number of customers below m stands in ``low``."""
        return places(self.flow.size, self.sets)

    def _services(self, rates: Array) -> Array:
        import numpy as np

        return np.kron(np.eye(self.flow.size), rates)

    def _arrives(self, n: int) -> Array:
        import numpy as np

        found = [
            np.kron(arrival, start)
            for arrival, start in zip(self.flow.arrivals, self.servers.starts[n], strict=True)
        ]
        every: Array = np.add.reduce(found)
        return every


def places(size: int, sets: Sequence[int]) -> list[slice]:
    """Where each number of customers below m stands among those in ``low``.

    Examples
    --------
    >>> places(2, [1, 3, 6])  # of arrivals in 2 phases; at m = 2 it is a level above
    [slice(0, 2, None), slice(2, 8, None)]
    """
    ends = [size * end for end in accumulate(sets[:-1], initial=0)]
    return [slice(*pair) for pair in pairwise(ends)]
