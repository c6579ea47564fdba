"""What functions of a queue's state come to, and measures, until an exponential time ends.

With Q the rates of a queue of `ticks` the function y that solves (s - Q) y = f is, at a start on
level l with the value u after the end of a service there,

    y = Phi u + t(l),    t(l) = (s + nu - W - nu Phi K)^-1 (f(l) + nu t(l + 1)),

so it is found from above, then, below m customers, by linear equations, and from there upwards.
Measures z with z (s - Q) = w are the same steps in reverse, each of them transposed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.first_passage_matrix import first_return
from qmodel.matrix_analytic.state_vector import Values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.matrix_analytic.age_process import Ticks

    Array = NDArray[np.floating[Any]]


class Resolvent:
    """The solutions for one rate.

    Parameters
    ----------
    ticks : Ticks
        The queue.
    s : float
        The rate, positive. [1/s]
    ends : bool
        Whether services that end are followed; else it is over with the first of them.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the numbers make no sense.

    Examples
    --------
    >>> import numpy as np
    >>> from qmodel.numerics.phase_type import phases
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewals
    >>> from qmodel.matrix_analytic.server_phases import servers_of
    >>> from qmodel.matrix_analytic.age_process import Ticks
    >>> queue = Ticks(renewals(1.0, 1.0, 0, 1), servers_of({0: phases(0.5, 1.0)}, 1, 1))
    >>> one = Values(np.ones((1, 1)), np.ones((3, 1, 1)))
    >>> Resolvent(queue, 4.0).functions(one).flat.ravel().round(12).tolist()  # 1 / s of all
    [0.25, 0.25, 0.25, 0.25]
    """

    def __init__(self, ticks: Ticks, s: float, ends: bool = True) -> None:
        import numpy as np

        self.ticks, self.s = ticks, s
        size, nu = len(ticks.inside), ticks.rate
        self.returns = first_return(ticks, s) if ends else np.zeros_like(ticks.ends[0])
        starts = (s + nu) * np.eye(size) - ticks.inside - nu * self.returns @ ticks.begins
        self.starts = np.linalg.inv(starts)
        self.far = np.linalg.inv(starts - nu * np.eye(size))
        low = s * np.eye(len(ticks.low)) - ticks.low
        if not ends:
            for c in range(len(ticks.ends)):
                low = low + ticks.low_ends(c)
        last = ticks.slices[-1]
        low[last, last] -= ticks.last_server @ self.returns
        self.low = np.linalg.inv(low)

    def functions(self, given: Values) -> Values:
        """Y of (s - Q) y = f; above the last level f is as on it."""
        import numpy as np

        ticks = self.ticks
        nu, last = ticks.rate, ticks.slices[-1]
        above = self.far @ given.high[-1]
        found = np.empty_like(given.high)
        for level in range(len(found) - 1, -1, -1):
            above = self.starts @ (given.high[level] + nu * above)
            found[level] = above
        start = given.low.copy()
        start[last] += ticks.last_server @ above
        low = self.low @ start
        at_tick = low[last]
        for level in range(len(found)):
            found[level] += self.returns @ at_tick
            at_tick = ticks.nothing @ at_tick + ticks.begins @ found[level]
        return Values(low, found)

    def measures(self, given: Values, ended: Array | None = None) -> Values:
        """Z of z (s - Q) = w, in columns.

        Parameters
        ----------
        given : Values
            What begins in each state.
        ended : array, shape (N, B, R), optional
            And at the moments when ticks are looked at, by level.
        """
        import numpy as np

        ticks = self.ticks
        nu, last = ticks.rate, ticks.slices[-1]
        found = np.empty_like(given.high)
        shape = (len(ticks.nothing), given.high.shape[-1])
        at_tick = np.zeros(shape)
        for level in range(len(found) - 1, -1, -1):
            found[level] = given.high[level] + ticks.begins.T @ at_tick
            at_tick = ticks.nothing.T @ at_tick + self.returns.T @ found[level]
            if ended is not None:
                at_tick = at_tick + ended[level]
        start = given.low.copy()
        start[last] += at_tick
        low = self.low.T @ start
        found[0] += ticks.last_server.T @ low[last]
        below = np.zeros_like(found[0])
        for level in range(len(found)):
            below = self.starts.T @ (found[level] + nu * below)
            found[level] = below
        return Values(low, found)
