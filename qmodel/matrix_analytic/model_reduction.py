"""Reduction of a marked point process of very many states to a MRAP of order at most 28.

Let Q be the generator, L_c the transitions with an event of class c, L their sum, pi the stationary
distribution. The process is projected (Galerkin) on the functions 1 and M^-1 pi and on

    (s - Q)^-1 L_c 1,        M^-1 (pi L_c (s - Q)^-1)',
    (s - Q + L)^-1 1,        M^-1 (pi (s - Q + L)^-1)'

for some s: a rational Krylov space of both sides [1]. While no direction is dropped the reduced
process has, for all classes and all these s, the exact

- rates pi L_c 1;
- transforms pi L_b (s - Q)^-1 L_c 1 of the joint densities of two events, and their derivatives;
- transforms pi L_a (s - Q)^-1 L_b (s' - Q)^-1 L_c 1 for three events;
- moments 1 to 3 of the time between successive events, and their lag-1 joint moment by class.

Proof in `THEORY.md`. Moment matching of departure processes by few joint moments is also in [2];
the choice of the space is original.

References
----------
.. [1] A. C. Antoulas, C. A. Beattie and S. Gugercin, "Interpolatory Methods for Model Reduction,"
   SIAM, 2020: chapters 3 and 5.
.. [2] A. Horvath, G. Horvath and M. Telek, "A joint moments based analysis of networks of MAP/MAP/1
   queues," Performance Evaluation 67(9), 2010, pp. 759-778.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from qmodel.matrix_analytic.galerkin_projection import orthonormal_basis, project
from qmodel.matrix_analytic.inner_product import InnerProduct
from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
from qmodel.matrix_analytic.stable_reduction import ReducedProcess, stable_process
from qmodel.numerics.arrays import Array

#: Largest s over the rate of events, and how many for one class and for several.
FASTEST, ONE, SEVERAL = 10.0, 4, 3


class PointProcess(Protocol):
    """A stationary marked point process, by what it does to functions and measures as columns."""

    #: Number of classes C.
    classes: int
    #: The classes of positive rate.
    active: Sequence[int]
    #: pi, shape (S,).
    stationary: Array
    #: The function 1, shape (S, 1).
    one: Array
    #: M.
    inner_product: InnerProduct
    #: M^-1 pi, shape (S,); None where it is 1.
    density: Array | None
    #: s of the process killed at events, over the rate of events.
    survival_points: Sequence[float] = (0.0, 1.0)

    def generator(self, functions: Array) -> Array:
        """Q f. [1/s]"""

    def events(self, functions: Array) -> list[Array]:
        """L_c f of each active class. [1/s]"""

    def resolvent(self, s: float, rates: Array, means: Array) -> tuple[Array, Array]:
        """(s - Q)^-1 of ``rates`` and, on the left, of pi L_c - mean_c pi."""

    def killed_resolvent(self, s: float) -> tuple[Array, Array]:
        """(s - Q + L)^-1 of 1 and, on the left, of pi."""


def interpolation_points(slowest: float, rate: float, classes: int) -> list[float]:
    """The s at which transforms are matched, from ``slowest`` to ten times the rate of events.

    Examples
    --------
    >>> interpolation_points(0.1, 1.0, 2)
    [0.1, 1.0, 10.0]
    """
    count = ONE if classes < 2 else SEVERAL
    points: list[float] = np.geomspace(slowest, FASTEST * rate, count).tolist()
    return points


def reduce_process(
    process: PointProcess,
    slowest: float,
    sojourn_weights: Mapping[tuple[int, int], Array] | None = None,
) -> MarkedArrivalProcess:
    """The reduced process.

    ``slowest`` is the slowest rate of decay of correlations that matters [1/s], ``sojourn_weights``
    are as those of a `MarkedArrivalProcess`, shape (S,). Raises `numpy.linalg.LinAlgError` if a
    matrix is singular.
    """
    rates = np.column_stack(process.events(process.one))
    means = process.stationary @ rates
    total = float(means.sum())
    centred = rates - process.one * means
    pairs = [
        process.resolvent(s, centred, means)
        for s in interpolation_points(slowest, total, len(means))
    ]
    pairs += [process.killed_resolvent(part * total) for part in process.survival_points]
    functions = [right for right, _ in pairs]
    densities = process.inner_product.solve(np.column_stack([left for _, left in pairs]))
    basis = orthonormal_basis(
        np.column_stack([*functions, densities]),
        process.stationary,
        process.inner_product,
        process.density,
        process.one,
    )
    weights = dict(sojourn_weights or {})
    generator, *images = project(
        basis,
        process.inner_product,
        [process.generator(basis), *process.events(basis), *weights.values()],
    )
    events = dict(zip(process.active, images, strict=False))
    none = np.zeros_like(generator)
    return stable_process(
        ReducedProcess(
            generator,
            [events.get(c, none) for c in range(process.classes)],
            dict(zip(weights, images[len(events) :], strict=True)),
        )
    )
