"""Arrivals as a process with phases: a matrix for what goes on without, and one for arrivals.

As a Markovian arrival process, with the matrices D0 and D1; but here numbers in them may be
negative and only what follows of them has a meaning (a rational arrival process [1]). So every
renewal process whose times between events have a rational transform has such a form, and one of
them counts as a given flow does:

a stationary renewal process of rate 1 with the rate h(u) of events a time u after one has [2]

    variance of counts / t  =  1 + 2 / t  integral from 0 to t of (t - u) (h(u) - 1) du,

and h(u) = 1 + sum of a_i exp(-b_i u) makes it  1 + sum of 2 a_i / b_i (1 - (1 - exp(-b_i t)) /
(b_i t)),  linear in the a_i. They are found by least squares for fixed b_i.

References
----------
.. [1] S. Asmussen and M. Bladt, "Point processes with finite-dimensional conditional
   probabilities," Stochastic Processes and their Applications 82(1), 1999, pp. 127-142.
.. [2] D. R. Cox, "Renewal Theory," Methuen, 1962: chapter 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import ceil, log10, prod
from operator import add
from typing import TYPE_CHECKING, Any

from qmodel.numerics.phase_type import fit_phase_type

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]

#: Rates b_i at which a flow forgets, over its own rate: slowest but for need, and fastest.
SLOWEST, FASTEST = 0.01, 8.0
#: How many for each power of ten, and at most.
DENSITY, MOST_MODES = 2.4, 12
#: Part of its change that an index has left where it is as good as settled.
SETTLED = 0.05
#: Times whose counts are looked at, in mean times between events and over the slowest forgetting.
EARLIEST, LATEST = 0.05, 20.0
#: Weight against large coefficients, which cancel, and of the index that is reached in the end.
SMALL, END = 1e-3, 10.0


@dataclass(frozen=True, slots=True, eq=False)
class ArrivalsInPhases:
    """A flow.

    Parameters
    ----------
    without, arrival : array, shape (n, n)
        D0 and D1: rows of their sum add up to 0. [1/s]
    """

    without: Array
    arrival: Array

    @property
    def size(self) -> int:
        """How many phases."""
        return len(self.without)


def renewals(rate: float, scv: float) -> ArrivalsInPhases:
    """Independent times between arrivals.

    Examples
    --------
    >>> renewals(2.0, 1.0).arrival.tolist()
    [[2.0]]
    """
    import numpy as np

    gap = fit_phase_type(1.0 / rate, scv)
    without = np.diag([-r for r in gap.rate])
    for i, (r, end) in enumerate(zip(gap.rate, gap.ends, strict=True)):
        if not end:
            without[i, i + 1] = r
    return _renewing(without, np.array(gap.start))


def together(flows: Sequence[ArrivalsInPhases]) -> ArrivalsInPhases:
    """Independent flows at once.

    Examples
    --------
    >>> together([renewals(1.0, 1.0), renewals(2.0, 1.0)]).arrival.tolist()
    [[3.0]]
    """
    without, arrivals = side_by_side(flows)
    return ArrivalsInPhases(without, reduce(add, arrivals))


def side_by_side(flows: Sequence[ArrivalsInPhases]) -> tuple[Array, list[Array]]:
    """The matrix without arrivals of independent flows, and that of the arrivals of each."""
    import numpy as np

    size = prod(flow.size for flow in flows)
    without, arrivals, before = np.zeros((size, size)), [], 1
    for flow in flows:
        left, right = np.eye(before), np.eye(size // before // flow.size)
        without += np.kron(np.kron(left, flow.without), right)
        arrivals.append(np.kron(np.kron(left, flow.arrival), right))
        before *= flow.size
    return without, arrivals


def counted_alike(times: Array, index: Array) -> ArrivalsInPhases:
    """The renewal process of rate 1 whose counts vary as those of a flow.

    Parameters
    ----------
    times : array
        Lengths of time, in mean times between events. [1]
    index : array
        Variance over mean of the counts in them. [1]

    Examples
    --------
    >>> import numpy as np
    >>> times = np.geomspace(0.1, 1000.0, 40)
    >>> counted_alike(times, np.ones(40)).arrival.sum(axis=1).round(9).tolist()  # Poisson
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    import numpy as np

    slowest = forgets(times, index)
    modes = min(MOST_MODES, ceil(DENSITY * log10(FASTEST / slowest)))
    rates = np.geomspace(slowest, FASTEST, modes)
    seen = (times > EARLIEST) & (times < LATEST / slowest)
    x = rates * times[seen, None]
    wanted = np.concatenate([index[seen] - 1.0, [END * (index[-1] - 1.0)], np.zeros(modes)])
    known = np.vstack([1.0 + np.expm1(-x) / x, np.full((1, modes), END), SMALL * np.eye(modes)])
    weights = np.linalg.lstsq(known, wanted, rcond=None)[0]
    after = np.concatenate([[1.0], 0.5 * weights * rates])
    # Events at the rate h after one: gaps of f with the transform h / (1 + h), in a basis in which
    # the sums of rows are those of a flow.
    decays = np.diag(np.concatenate([[0.0], -rates]))
    ones = np.ones(modes + 1)
    into, back = np.eye(modes + 1), np.eye(modes + 1)
    into[1:, 0], back[1:, 0] = 1.0, -1.0
    return _renewing(into @ (decays - np.outer(after, ones)) @ back, ones @ back)


def forgets(times: Array, index: Array) -> float:
    """The slowest rate at which a flow forgets, over its own.

    Examples
    --------
    >>> import numpy as np
    >>> forgets(np.array([1.0, 10.0, 1000.0]), np.array([1.0, 3.0, 4.0]))
    0.01
    """
    off = abs(index - index[-1])
    late = times[off > SETTLED * off.max()]
    return min(SLOWEST, 1.0 / float(late[-1])) if len(late) and off.max() > SMALL else SLOWEST


def balanced(rates: Array) -> Array:
    """How often a process is in each phase, of the rates between them.

    Examples
    --------
    >>> import numpy as np
    >>> balanced(np.array([[-1.0, 1.0], [3.0, -3.0]])).tolist()
    [0.75, 0.25]
    """
    import numpy as np

    system = rates.T.copy()
    system[0] = 1.0
    wanted = np.zeros(len(rates))
    wanted[0] = 1.0
    found: Array = np.linalg.solve(system, wanted)
    return found


def _renewing(without: Array, start: Array) -> ArrivalsInPhases:
    import numpy as np

    return ArrivalsInPhases(without, np.outer(-without.sum(axis=1), start))
