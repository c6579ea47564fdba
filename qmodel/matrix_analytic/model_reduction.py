"""Reduction of a marked point process of very many states to a MRAP of order at most 28.

Two-sided rational Krylov subspaces.
Theory and sources: `qmodel/matrix_analytic/THEORY.md`, model_reduction.
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
    """The s at which transforms are matched, from ``slowest`` to ten times the rate of events."""
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
        np.column_stack([*functions, densities]), process.stationary, process.inner_product,
        process.density, process.one,
    )  # fmt: skip
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
