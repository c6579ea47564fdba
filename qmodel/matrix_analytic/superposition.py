"""Flows that come together, in few phases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.departure_process import TO_THE_NEXT, rates_seen
from qmodel.matrix_analytic.galerkin_projection import MOST, coordinates, orthogonal
from qmodel.matrix_analytic.marked_arrival_process import MarkedFlow, beside
from qmodel.matrix_analytic.stable_reduction import Seen, first_possible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]

#: Phases of flows together that are still looked at.
LARGEST = 1000


def merged(flows: Sequence[MarkedFlow], slowest: float) -> MarkedFlow | None:
    """All of them as one flow; None where there are too many phases.

    Parameters
    ----------
    flows : sequence of MarkedFlow
        Independent of one another.
    slowest : float
        Slowest rate at which anything is forgotten. [1/s]

    Raises
    ------
    numpy.linalg.LinAlgError
        If the numbers make no sense.

    Examples
    --------
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewals
    >>> three = [renewals(1.0, 0.25, c, 3) for c in range(3)]  # 64 phases
    >>> merged(three, 0.1).size <= MOST
    True
    """

    def both(one: MarkedFlow | None, other: MarkedFlow) -> MarkedFlow | None:
        if one is None or one.size * other.size > LARGEST:
            return None
        found = beside(one, other)
        return fewer(found, slowest) if found.size > MOST else found

    first, *others = sorted(flows, key=lambda flow: flow.size)
    begun: MarkedFlow | None = fewer(first, slowest) if first.size > MOST else first
    return reduce(both, others, begun)


def fewer(flow: MarkedFlow, slowest: float) -> MarkedFlow:
    """The same flow seen through few functions of its phases, as in `leaving`."""
    import numpy as np

    often, every, one = flow.phase, flow.change, np.ones((flow.size, 1))
    same = np.eye(flow.size)
    rates = [arrival.sum(axis=1, keepdims=True) for arrival in flow.arrivals]
    mean = [float(often @ each[:, 0]) for each in rates]
    here = [c for c, value in enumerate(mean) if value > 0.0]
    whole = sum(mean)
    forward, backward = [], [often[:, None]]
    for s in rates_seen(min(slowest, flow.slowest), whole, len(here)):
        for c in here:
            forward.append(np.linalg.solve(s * same - every, rates[c] - mean[c]))
            after = flow.arrivals[c].T @ often - mean[c] * often
            backward.append(np.linalg.solve((s * same - every).T, after[:, None]))
    for part in TO_THE_NEXT:
        still = part * whole * same - flow.without
        forward.append(np.linalg.solve(still, one))
        backward.append(np.linalg.solve(still.T, often[:, None]))
    inner = flow.product

    def product(functions: Array) -> Array:
        found: Array = inner @ functions
        return found

    densities = np.linalg.solve(inner, np.column_stack(backward))
    given = np.column_stack([*forward, densities[:, 1:]])

    basis = orthogonal(given, often, product, densities[:, 0])
    images = [every @ basis, *(arrival @ basis for arrival in flow.arrivals)]
    changes, *found = coordinates(basis, product, [*images, *flow.carried.values()])
    classes = len(flow.arrivals)
    seen = Seen(changes, found[:classes], dict(zip(flow.carried, found[classes:], strict=True)))
    return first_possible(seen)
