"""From a customer's start to the moment when ticks are looked at again, by doubling.

From level l of `ticks` the next moment at which a service ends with just l ticks left to look at
finds the phases with the chances Phi, before an exponential time of rate s has ended:

    Phi = T (E + nu Phi (P + K Phi)),    T = (s + nu - W)^-1,

W being the services that go on, E those that end, P and K a tick that brought nobody or somebody.
A level more, a tick was looked at: with the values u after the end of a service and v after the
start of one, u' = P u + K v and v = T (E u + nu v'). So H, which is T E at first, tends to Phi by
the structure-preserving doubling of [1], which squares what is left at each step.

References
----------
.. [1] D. A. Bini, B. Iannazzo and B. Meini, "Numerical Solution of Algebraic Riccati Equations,"
   SIAM, 2012: chapter 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.matrix_analytic.age_process import Ticks

    Array = NDArray[np.floating[Any]]

#: Doublings at most, and what is left when they are enough.
DOUBLINGS, LEFT = 60, 1e-14


def first_return(ticks: Ticks, s: float) -> Array:
    """The chances Phi.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the numbers make no sense.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import phases
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewals
    >>> from qmodel.matrix_analytic.server_phases import servers_of
    >>> from qmodel.matrix_analytic.age_process import Ticks
    >>> queue = Ticks(renewals(1.0, 1.0, 0, 1), servers_of({0: phases(0.5, 1.0)}, 1, 1))
    >>> first_return(queue, 0.0).round(12).tolist()  # the queue is stable: sooner or later
    [[1.0]]
    """
    import numpy as np

    starts = (s + ticks.rate) * np.eye(len(ticks.inside)) - ticks.inside
    found: Array = np.linalg.solve(starts, sum(ticks.ends))
    rises = ticks.rate * np.linalg.inv(starts)
    falls = ticks.nothing + ticks.begins @ found
    again = ticks.begins @ rises
    one = np.eye(len(falls))
    for _ in range(DOUBLINGS):
        up, down = rises @ found, again @ rises
        both = np.linalg.solve(one - again @ found, np.hstack([down, falls]))
        back, fallen = both[:, : len(rises)], both[:, len(rises) :]
        step = up @ fallen
        again = again + falls @ back
        rises = rises @ rises + up @ back
        falls = falls @ fallen
        found = found + step
        largest = abs(step).max()
        if largest <= LEFT:
            return found
        if not np.isfinite(largest):
            break
    raise np.linalg.LinAlgError("no first return")
