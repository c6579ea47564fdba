"""A stable process from a projected one; see THEORY.md."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from qmodel.matrix_analytic.galerkin_projection import MOST
from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
from qmodel.numerics.arrays import Array

#: Orders that are tried in turn.
ORDERS = (MOST, 24, 20, 18, 16, 14, 12, 10, 8, 6, 5, 4, 3, 2, 1)
#: An eigenvalue that is 0, over the rate of arrivals.
ZERO = 1e-6


class ReducedProcess(NamedTuple):
    """A process in coordinates of orthonormal functions: 1, then the others by importance."""

    #: D, shape (n, n). [1/s]
    generator: Array
    #: D_c of each class, shape (n, n). [1/s]
    d: Sequence[Array]
    #: As those of a `MarkedArrivalProcess`, shape (n,).
    sojourn_weights: Mapping[tuple[int, int], Array]


def stable_process(reduced: ReducedProcess) -> MarkedArrivalProcess:
    """The stable process of highest order."""
    for order in ORDERS:
        leading = ReducedProcess(
            reduced.generator[:order, :order],
            [each[:order, :order] for each in reduced.d],
            {at: each[:order] for at, each in reduced.sojourn_weights.items()},
        )
        process = _arrival_process(_without_growth(leading))
        if _stable(process):
            break
    return process


def _without_growth(reduced: ReducedProcess) -> ReducedProcess:
    """The restriction to the invariant subspace of eigenvalues that do not grow."""
    eigenvalues, modes = np.linalg.eig(reduced.generator)
    kept = eigenvalues.real < ZERO * abs(eigenvalues).max()
    if kept.all():
        return reduced
    onto = np.real(modes[:, kept] @ np.linalg.inv(modes)[kept])
    others = onto.copy()
    others[0] = 0.0
    left = np.linalg.svd(others)[0][:, : kept.sum() - 1]
    basis = np.column_stack([np.eye(len(onto))[:, :1], left])
    into = basis.T @ onto
    return ReducedProcess(
        into @ reduced.generator @ basis,
        [into @ each @ basis for each in reduced.d],
        {at: into @ each for at, each in reduced.sojourn_weights.items()},
    )


def _arrival_process(reduced: ReducedProcess) -> MarkedArrivalProcess:
    """In coordinates in which the function 1 has the entries 1, so that rows of D add up to 0."""
    size = len(reduced.generator)
    into, back = np.eye(size), np.eye(size)
    into[1:, 0], back[1:, 0] = 1.0, -1.0
    d = tuple(into @ each @ back for each in reduced.d)
    return MarkedArrivalProcess(
        into @ reduced.generator @ back - sum(d), d, back.T @ back,
        {at: into @ each for at, each in reduced.sojourn_weights.items()},
    )  # fmt: skip


def _stable(process: MarkedArrivalProcess) -> bool:
    """Whether D0 has its eigenvalues in the left half-plane, and D too but for a single 0."""
    zero = ZERO * process.rate
    whole, quiet = (np.linalg.eigvals(each).real for each in (process.generator, process.d0))
    return bool((quiet < -zero).all() and (whole < zero).all() and (whole > -zero).sum() == 1)
