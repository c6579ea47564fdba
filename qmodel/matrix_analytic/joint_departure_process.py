"""What leaves a queue, and who passes it by at the same time, as one flow of few phases.

Those who come back to the ones who passed by are not independent of them: how much later they are
is seen here. All who come are served alike, for the mean and the variation of all; it is seen
through functions as in `leaving`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.bypass_qbd import Levels
from qmodel.matrix_analytic.departure_process import TO_THE_NEXT, rates_seen
from qmodel.matrix_analytic.galerkin_projection import coordinates, orthogonal
from qmodel.matrix_analytic.inner_product import Product
from qmodel.matrix_analytic.qbd_resolvent import LevelResolvent, how_many
from qmodel.matrix_analytic.server_phases import servers_of
from qmodel.matrix_analytic.stable_reduction import Seen, first_possible
from qmodel.matrix_analytic.state_vector import Values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.matrix_analytic.marked_arrival_process import MarkedFlow
    from qmodel.numerics.phase_type import Phases

    Array = NDArray[np.floating[Any]]

#: Phases of arrivals and services together at most.
LARGEST = 300
#: The long run, over what is forgotten last.
LONG = 1e-3


def passed(
    flow: MarkedFlow, come: Sequence[int], service: Phases, servers: int, slowest: float
) -> MarkedFlow | None:
    """The flow behind a queue; None where there are too many phases.

    Parameters
    ----------
    flow : MarkedFlow
        All of them, before it.
    come : sequence of int
        The classes that come to the queue.
    service : Phases
        Of all of them.
    servers : int
        How many there are.
    slowest : float
        Slowest rate at which the queue forgets. [1/s]

    Raises
    ------
    numpy.linalg.LinAlgError
        If the numbers make no sense.
    """
    import numpy as np

    sets = comb(servers + len(service.start) - 1, servers)
    if flow.size * sets * len(come) > LARGEST:
        return None
    phase = flow.phase
    rates = [float(phase @ each.sum(axis=1)) for each in flow.arrivals]
    queued = sum(rates[c] for c in come)
    parts = {c: rates[c] / queued for c in come}
    levels = Levels(flow, servers_of({0: service}, 1, servers), parts)
    count = how_many(levels)
    if count is None:
        return None
    often = LevelResolvent(levels, 0.0, count).often()
    by = [c for c, rate in enumerate(rates) if rate > 0.0 and c not in come]

    def events(functions: Values) -> list[Array]:
        """Of departures, and of the classes that pass by."""
        return [
            *(levels.leaves(c, functions).flat for c in come),
            *(levels.passes(flow.arrivals[c], functions).flat for c in by),
        ]

    one = levels.ones(often)
    if levels.told:
        levels = replace(levels, spread=_spread(levels, often, count, min(slowest, flow.slowest)))
    each = np.column_stack(events(one))
    mean = often.flat[:, 0] @ each
    wanted = one.like(each - one.flat * mean)
    measures = [
        *(levels.after_leaving(c, often).flat for c in come),
        *(levels.passes(flow.arrivals[c].T, often).flat for c in by),
    ]
    after = one.like(np.column_stack(measures) - often.flat * mean)
    whole = float(mean.sum())
    forward, backward = [], []
    for s in rates_seen(min(slowest, flow.slowest), whole, len(mean)):
        solved = LevelResolvent(levels, s, count)
        forward.append(solved.functions(wanted).flat)
        backward.append(solved.measures(after).flat)
    for part in TO_THE_NEXT:
        solved = LevelResolvent(levels, part * whole, count, ends=False)
        forward.append(solved.functions(one).flat)
        backward.append(solved.measures(often).flat)
    product = Product(levels, levels.weights(often))
    density = product.undone(often.flat)[:, 0]
    given = np.column_stack([*forward, product.undone(np.column_stack(backward))])

    basis = orthogonal(given, often.flat[:, 0], product, density, one.flat)
    functions = one.like(basis)
    every, *found = coordinates(basis, product, [levels.change(functions).flat, *events(functions)])
    kinds = dict(zip([*come, *by], found, strict=True))
    none = np.zeros_like(every)
    seen = Seen(every, [kinds.get(c, none) for c in range(len(flow.arrivals))], {})
    return first_possible(seen)


def _spread(levels: Levels, often: Values, count: int, slowest: float) -> float:
    """With which the numbers of each class who leave vary in the long run as those who come."""
    import numpy as np

    flow, s = levels.flow, LONG * slowest
    phase, parts = flow.phase, list(levels.parts)
    rates = np.column_stack([flow.arrivals[c].sum(axis=1) for c in parts])
    later = np.linalg.solve(s * np.eye(flow.size) - flow.change, rates - phase @ rates)
    come = [float(phase @ flow.arrivals[c] @ later[:, i]) for i, c in enumerate(parts)]
    one = levels.ones(often)
    rates = np.column_stack([levels.leaves(c, one).flat for c in parts])
    less = one.like(rates - one.flat * (often.flat[:, 0] @ rates))
    later = LevelResolvent(levels, s, count).functions(less).flat

    def leave(spread: float) -> Array:
        other = replace(levels, spread=spread)
        after = [other.after_leaving(c, often).flat[:, 0] for c in parts]
        found: Array = np.array([each @ later[:, i] for i, each in enumerate(after)])
        return found

    none = leave(0.0)
    more = leave(1.0) - none
    return max(0.0, float(more @ (come - none) / (more @ more))) if more.any() else 1.0
