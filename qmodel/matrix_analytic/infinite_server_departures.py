"""What leaves a delay: a flow whose customers each stay for a time of their own.

Let n_j be how many are in phase j of their times. Functions of the phases of the flow times
polynomials of the n_j up to a degree change into such ones, for nobody asks how many others there
are. Only that one leaves takes a polynomial above the degree, and then it is the nearest of those
below that is taken. So how departures vary in number, and how those of each class go together,
follows exactly from the degree 2 on. Classes that do not come pass by, and what comes of them both
is one flow.

Times that vary little would take many phases. What a delay does to a flow comes of how much longer
one stays than another; so they are taken for some that vary more about a smaller mean, with the
same variance, and the rest of them as the same for all. Beside those who pass by it is the mean
that tells more, and times are taken to vary more about the same mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from qmodel.matrix_analytic.charlier_polynomials import how_many, numbers_of
from qmodel.matrix_analytic.marked_arrival_process import MarkedFlow
from qmodel.matrix_analytic.service_simplification import Service
from qmodel.matrix_analytic.superposition import fewer
from qmodel.numerics.phase_type import phases

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]

#: The least variation of the times, in turn, until the degree is enough. [1]
LEAST = (0.25, 0.5, 1.0)
#: The degree that is enough and the highest, and functions at most.
ENOUGH, HIGHEST, LARGEST = 2, 4, 650


class _Stays(NamedTuple):
    """The phases of all classes: where they begin, go on and end. [1, 1/s, 1/s]"""

    begin: Array
    moves: Array
    ends: Array
    kind: list[int]


def delayed(flow: MarkedFlow, stays: Mapping[int, Service]) -> MarkedFlow:
    """The flow behind a delay.

    Parameters
    ----------
    flow : MarkedFlow
        What is before it.
    stays : mapping of int to Service
        How long the classes stay that come; others pass by.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the numbers make no sense.

    Examples
    --------
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewals
    >>> poisson = renewals(1.0, 1.0, 0, 1)
    >>> delayed(poisson, {0: Service(1.0, 3.0, 4.0)}) is poisson
    True
    >>> found = delayed(renewals(1.0, 4.0, 0, 1), {0: Service(1.0, 3.0, 4.0)})
    >>> round(found.rate, 6)
    1.0
    """
    if flow.size == 1:
        return flow
    alone = all(c in stays or not arrival.any() for c, arrival in enumerate(flow.arrivals))
    varied = _apart if alone else _later
    found, degree = None, 0
    for least in LEAST:
        taken = _stays([(c, varied(stay, least)) for c, stay in stays.items()])
        if not taken.kind:
            return flow
        here = _degree(flow.size, len(taken.kind))
        if here > degree:
            found, degree = taken, here
        if degree >= ENOUGH:
            break
    if found is None:
        return flow
    return fewer(_seen(flow, found, degree), flow.slowest)


def _apart(stay: Service, least: float) -> Service:
    """A time that is as much longer for one customer than for another."""
    if stay.scv >= least:
        return stay
    return Service(stay.flow, stay.mean * sqrt(stay.scv / least), least)


def _later(stay: Service, least: float) -> Service:
    """A time of the same mean that varies at least so much."""
    return stay._replace(scv=max(stay.scv, least))


def _degree(size: int, numbers: int) -> int:
    """The highest degree with not too many functions; 0 if there is none."""
    degrees = range(1, HIGHEST + 1)
    return max((d for d in degrees if size * how_many(numbers, d) <= LARGEST), default=0)


def _seen(flow: MarkedFlow, stays: _Stays, degree: int) -> MarkedFlow:
    """The flow through phases times polynomials."""
    import numpy as np

    begin, moves, ends, kind = stays
    size, phase = flow.size, flow.phase
    comes = [float(phase @ flow.arrivals[c].sum(axis=1)) for c in kind]
    numbers = numbers_of(np.linalg.solve(-moves.T, begin * comes).tolist(), degree)
    functions = len(numbers.less[0])
    change = np.kron(np.eye(functions), flow.change)
    arrivals = [
        np.zeros_like(change) if c in kind else np.kron(np.eye(functions), arrival)
        for c, arrival in enumerate(flow.arrivals)
    ]
    inside = np.zeros((functions, functions))
    for j, c in enumerate(kind):
        change += begin[j] * np.kron(numbers.one_more[j], flow.arrivals[c])
        arrivals[c] += ends[j] * np.kron(numbers.ended[j], np.eye(size))
        inside -= moves[j, j] * numbers.less[j]
        for i in np.flatnonzero(moves[j] > 0.0):
            inside += moves[j, i] * numbers.ended[j] @ numbers.one_more[i]
    change += np.kron(inside, np.eye(size))
    # Coordinates in which the function 1 is a one for each.
    into, back = np.eye(len(change)), np.eye(len(change))
    into[size:, :size] = np.tile(phase, (len(change) - size, 1))
    back[size:, :size] = -into[size:, :size]
    arrivals = [into @ each @ back for each in arrivals]
    inner = back.T @ np.kron(np.eye(functions), flow.product) @ back
    return MarkedFlow(into @ change @ back - sum(arrivals), tuple(arrivals), inner)


def _stays(stays: Sequence[tuple[int, Service]]) -> _Stays:
    import numpy as np

    kind: list[int] = []
    begin: list[float] = []
    rate: list[float] = []
    share: list[float] = []
    for c, stay in stays:
        if not stay.mean:
            continue
        found = phases(stay.mean, stay.scv)
        kind += [c] * len(found.start)
        begin += found.start
        rate += found.rate
        share += found.ends
    ends = np.array(rate) * share
    moves = -np.diag(rate)
    for j, (r, end) in enumerate(zip(rate, ends, strict=True)):
        if end < r:
            moves[j, j + 1] = r - end
    return _Stays(np.array(begin), moves, ends, kind)
