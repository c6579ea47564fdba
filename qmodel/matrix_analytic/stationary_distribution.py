"""How often a queue of `ticks` is in each state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.first_passage_matrix import first_return
from qmodel.matrix_analytic.state_vector import Values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.matrix_analytic.age_process import Ticks

    Array = NDArray[np.floating[Any]]

#: Probability that is left above the last level, and numbers to hold at most.
LEFT, MOST = 1e-10, 4_000_000


def stationary(ticks: Ticks) -> Values | None:
    """The probabilities, one column; None where there are too many states.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import phases
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewals
    >>> from qmodel.matrix_analytic.server_phases import servers_of
    >>> from qmodel.matrix_analytic.age_process import Ticks
    >>> queue = Ticks(renewals(1.0, 1.0, 0, 1), servers_of({0: phases(0.5, 1.0)}, 1, 1))
    >>> found = stationary(queue)
    >>> found.low.round(8).tolist(), round(float(found.high.sum()), 8)
    ([[0.5]], 0.5)
    """
    import numpy as np

    size, nu, last = len(ticks.inside), ticks.rate, ticks.slices[-1]
    returns = first_return(ticks, 0.0)
    starts = nu * np.eye(size) - ticks.inside - nu * returns @ ticks.begins
    grows = nu * np.linalg.inv(starts)
    first = ticks.last_server @ grows / nu
    every = np.linalg.solve(np.eye(size) - grows, np.ones(size))
    rates = ticks.low.copy()
    rates[last, last] += ticks.last_server @ returns
    weights = np.ones(len(rates))
    weights[last] += first @ every
    rates[:, 0] = weights
    wanted = np.zeros(len(rates))
    wanted[0] = 1.0
    low = np.linalg.solve(rates.T, wanted)
    here = low[last] @ first
    levels = [here]
    while abs(float(levels[-1] @ every)) > LEFT:
        if (len(levels) + 1) * size > MOST or not np.isfinite(levels[-1]).all():
            return None
        levels.append(levels[-1] @ grows)
    return Values(low[:, None], np.array(levels)[:, :, None])
