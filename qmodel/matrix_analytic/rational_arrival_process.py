"""Renewal processes as Markovian arrival processes, and stationary phases.

D0 = T is the generator of the times between arrivals, D1 = (-T 1) alpha. Entries may be negative,
as of a rational arrival process [1].

References
----------
.. [1] S. Asmussen and M. Bladt, "Point processes with finite-dimensional conditional
   probabilities," Stochastic Processes and their Applications 82(1), 1999, pp. 127-142.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from qmodel.matrix_analytic.concentrated_distribution import distribution

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]


class ArrivalsInPhases(NamedTuple):
    """A flow.

    Attributes
    ----------
    without, arrival : array, shape (n, n)
        D0 and D1: rows of their sum add up to 0. [1/s]
    phases : bool
        Whether coordinates are phases.
    """

    without: Array
    arrival: Array
    phases: bool


def renewals(rate: float, scv: float) -> ArrivalsInPhases:
    """Independent times between arrivals.

    Examples
    --------
    >>> renewals(2.0, 1.0).arrival.tolist()
    [[2.0]]
    """
    import numpy as np

    gap = distribution(1.0 / rate, scv)
    arrival = np.outer(-gap.generator.sum(axis=1), gap.start)
    return ArrivalsInPhases(gap.generator, arrival, gap.phases)


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
