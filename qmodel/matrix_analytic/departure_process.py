"""What leaves a queue of `ticks`, as a flow of few phases.

The functions of the queue's state that the flow is seen through are, for the ends L_c of the
services of each class c,

    (s - Q)^-1 L_c 1,    pi L_c (s - Q)^-1,    (s - Q + L)^-1 1,    pi (s - Q + L)^-1,

the measures by their densities: how a departure is followed and preceded by others for some s from
the slowest memory to ten times the flow, and how long it is to the next and since the last one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.age_resolvent import Resolvent
from qmodel.matrix_analytic.galerkin_projection import coordinates, orthogonal
from qmodel.matrix_analytic.inner_product import Product
from qmodel.matrix_analytic.marked_arrival_process import MarkedFlow
from qmodel.matrix_analytic.stable_reduction import Seen, first_possible
from qmodel.matrix_analytic.state_vector import Values, after_end, at_ticks, change

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.matrix_analytic.age_process import Ticks

    Array = NDArray[np.floating[Any]]

#: Fastest s over the flow, how many for one class and for several, and those to the next one.
FASTEST, ONE, SEVERAL, TO_THE_NEXT = 10.0, 4, 3, (0.0, 1.0)
#: One more of the latter where services hardly vary.
QUICK = 4.0


def rates_seen(slowest: float, flow: float, classes: int) -> list[float]:
    """The s at which a flow of several classes is met, from the slowest memory on. [1/s]"""
    import numpy as np

    found: list[float] = np.geomspace(
        slowest, FASTEST * flow, ONE if classes < 2 else SEVERAL
    ).tolist()
    return found


def leaving(ticks: Ticks, often: Values, slowest: float, station: int) -> MarkedFlow:
    """The flow of those who leave, and how long each was there.

    Parameters
    ----------
    ticks : Ticks
        The queue.
    often : Values
        Its `stationary` probabilities.
    slowest : float
        Slowest rate at which the queue forgets. [1/s]
    station : int
        Where it is.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the numbers make no sense.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import phases
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewals
    >>> from qmodel.matrix_analytic.server_phases import servers_of
    >>> from qmodel.matrix_analytic.stationary_distribution import stationary
    >>> from qmodel.matrix_analytic.age_process import Ticks
    >>> queue = Ticks(renewals(1.0, 1.0, 0, 1), servers_of({0: phases(0.5, 1.0)}, 1, 1))
    >>> flow = leaving(queue, stationary(queue), 0.1, 0)
    >>> round(float(flow.phase @ flow.arrivals[0].sum(axis=1)), 4)  # as many as arrive
    1.0
    """
    import numpy as np

    classes = len(ticks.flow.arrivals)
    one = Values(np.ones_like(often.low), np.ones_like(often.high))
    led = at_ticks(ticks, one)
    rates = [after_end(ticks, c, one, led) for c in range(classes)]
    mean = [float((often.flat * each.flat).sum()) for each in rates]
    here = [c for c, flow in enumerate(mean) if flow > 0.0]
    whole = sum(mean)
    forward, backward = [], []
    for s in rates_seen(min(slowest, ticks.flow.slowest), whole, len(here)):
        solved = Resolvent(ticks, s)
        wanted = np.column_stack([rates[c].flat - mean[c] for c in here])
        forward.append(solved.functions(one.like(wanted)).flat)
        backward.append(solved.measures(*_after(ticks, often, here, mean)).flat)
    for part in (*TO_THE_NEXT, QUICK) if ticks.servers.weights else TO_THE_NEXT:
        solved = Resolvent(ticks, part * whole, ends=False)
        forward.append(solved.functions(one).flat)
        backward.append(solved.measures(often).flat)
    product = Product(ticks, often)
    density = None if product.alone is not None else product.undone(often.flat)[:, 0]
    given = np.column_stack([*forward, product.undone(np.column_stack(backward))])
    carried = np.column_stack([_carried(ticks, often, rates[c], mean[c]) for c in here])

    basis = orthogonal(given, often.flat[:, 0], product, density)
    functions = one.like(basis)
    after = at_ticks(ticks, functions)
    ends = [after_end(ticks, c, functions, after).flat for c in range(classes)]
    every, *found, brought = coordinates(
        basis, product, [change(ticks, functions).flat, *ends, carried]
    )
    seen = Seen(every, found, {(c, station): each for c, each in zip(here, brought.T, strict=True)})
    return first_possible(seen)


def _after(ticks: Ticks, often: Values, here: list[int], mean: list[float]) -> tuple[Values, Array]:
    """Measures of the states after the end of a service of each class, less their mean."""
    import numpy as np

    low = np.column_stack([ticks.low_ends(c).T @ often.low[:, 0] for c in here])
    less = np.array([mean[c] for c in here])
    return (
        Values(low - often.low * less, -often.high * less),
        np.stack([often.high[:, :, 0] @ ticks.ends[c] for c in here], axis=-1),
    )


def _carried(ticks: Ticks, often: Values, rates: Values, mean: float) -> Array:
    """Rate at which a class leaves times the time since the arrival of who began last.

    At a single server they are the same customer. Below m customers it is taken as none.
    """
    import numpy as np

    levels = np.arange(len(rates.high))[:, None, None] / ticks.rate
    ages = Values(0.0 * rates.low, rates.high * levels).flat[:, 0]
    found: Array = ages - float(often.flat[:, 0] @ ages) / mean * rates.flat[:, 0]
    return found
