"""A flow of several classes with phases: one matrix for what goes on without, one for each class.

A Markovian arrival process with marks, D0 and D_c; but as in `phase_queues.arrivals` numbers may be
negative and only what follows of them has a meaning. Such a flow is a process of many phases seen
through a few functions of them: coordinates in a space of functions, whose inner product is kept,
for the next process is again seen through those that tell the most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.rational_arrival_process import balanced
from qmodel.matrix_analytic.rational_arrival_process import renewals as one_class

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]

#: Slower than this, over the rate of arrivals, nothing is forgotten.
NEVER = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class MarkedFlow:
    """A flow.

    Parameters
    ----------
    without : array, shape (n, n)
        D0: rows of its sum with all of ``arrivals`` add up to 0. [1/s]
    arrivals : tuple of array, shape (n, n), length C
        D_c of each class. [1/s]
    inner : array, shape (n, n), optional
        Inner product of functions of the phases. None: the phases are phases, and it is the mean of
        the product.
    carried : mapping of (int, int) to array, shape (n,)
        By class and station that they come from, for each phase: rate of their arrivals times how
        long each was there, less its mean. [1]
    """

    without: Array
    arrivals: tuple[Array, ...]
    inner: Array | None = None
    carried: Mapping[tuple[int, int], Array] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many phases."""
        return len(self.without)

    @property
    def change(self) -> Array:
        """Rates between the phases, arrivals or not. [1/s]"""
        found: Array = self.without + sum(self.arrivals)
        return found

    @property
    def phase(self) -> Array:
        """How often it is in each phase."""
        return balanced(self.change)

    @property
    def rate(self) -> float:
        """Of all arrivals. [1/s]"""
        phase = self.phase
        return sum(float(phase @ arrival.sum(axis=1)) for arrival in self.arrivals)

    @property
    def product(self) -> Array:
        """Inner product of functions of the phases."""
        import numpy as np

        return np.diag(self.phase) if self.inner is None else self.inner

    @property
    def slowest(self) -> float:
        """The slowest rate at which it forgets; infinite without memory. [1/s]"""
        import numpy as np

        rates = -np.linalg.eigvals(self.change).real
        rates = rates[rates > NEVER * self.rate]
        return float(rates.min()) if len(rates) else float("inf")


def renewals(rate: float, scv: float, c: int, classes: int) -> MarkedFlow:
    """Independent times between arrivals, all of class ``c``.

    Examples
    --------
    >>> [one.tolist() for one in renewals(2.0, 1.0, 1, 2).arrivals]
    [[[0.0]], [[2.0]]]
    """
    import numpy as np

    flow = one_class(rate, scv)
    none = np.zeros_like(flow.without)
    arrivals = tuple(flow.arrival if i == c else none for i in range(classes))
    return MarkedFlow(
        flow.without, arrivals, None if flow.phases else np.eye(len(none)) / len(none)
    )


def thinned(flow: MarkedFlow, parts: Sequence[float]) -> MarkedFlow:
    """Of each class a part, each customer for himself.

    Examples
    --------
    >>> half = thinned(renewals(2.0, 1.0, 0, 1), [0.5])
    >>> half.without.tolist(), half.arrivals[0].tolist()
    ([[-1.0]], [[1.0]])
    """
    import numpy as np

    carried = {(c, k): parts[c] * rates for (c, k), rates in flow.carried.items() if parts[c]}
    return replace(shared(flow, np.diag(parts).tolist()), carried=carried)


def shared(flow: MarkedFlow, parts: Sequence[Sequence[float]]) -> MarkedFlow:
    """For each new class: what part of each class is of it, each customer for himself.

    Examples
    --------
    >>> two = shared(renewals(2.0, 1.0, 0, 1), [[0.5], [0.25]])
    >>> two.without.tolist(), [one.tolist() for one in two.arrivals]
    ([[-1.5]], [[[1.0]], [[0.5]]])
    """
    import numpy as np

    arrivals = tuple(np.tensordot(row, np.array(flow.arrivals), axes=1) for row in parts)
    return MarkedFlow(flow.change - sum(arrivals), arrivals, flow.inner)


def beside(one: MarkedFlow, other: MarkedFlow) -> MarkedFlow:
    """Two independent flows at once.

    Examples
    --------
    >>> beside(renewals(2.0, 1.0, 0, 2), renewals(1.0, 1.0, 1, 2)).without.tolist()
    [[-3.0]]
    """
    import numpy as np

    left, right = np.eye(one.size), np.eye(other.size)

    def both(a: Array, b: Array) -> Array:
        found: Array = np.kron(a, right) + np.kron(left, b)
        return found

    alike = one.inner is None and other.inner is None
    carried = {at: np.kron(rates, np.ones(other.size)) for at, rates in one.carried.items()}
    for at, rates in other.carried.items():
        carried[at] = carried.get(at, 0.0) + np.kron(np.ones(one.size), rates)
    return MarkedFlow(
        both(one.without, other.without),
        tuple(both(a, b) for a, b in zip(one.arrivals, other.arrivals, strict=True)),
        None if alike else np.kron(one.product, other.product),
        carried,
    )
