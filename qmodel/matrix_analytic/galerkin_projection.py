"""Orthonormal bases of functions of a state, and Galerkin projection onto them; see THEORY.md."""

from collections.abc import Callable, Sequence

import numpy as np

from qmodel.numerics.arrays import Array

Linear = Callable[[Array], Array]

#: Eigenvalue of the Gram matrix, over the largest, below which a direction is dropped; highest
#: order.
DROPPED, MOST = 1e-6, 28
#: Norm without the mean, over the norm, below which a function is constant.
CONSTANT = 1e-6


def orthonormal_basis(
    functions: Array, stationary: Array, inner_product: Linear, density: Array | None = None,
    one: Array | None = None,
) -> Array:  # fmt: skip
    """V: the function 1, then the principal directions of the others less their means.

    ``functions`` are what V is to span, shape (S, R), ``stationary`` is pi, shape (S,), and
    ``inner_product`` M times functions. ``density`` is M^-1 pi where that is not 1, ``one`` the
    function 1 where the entries of a function are coordinates, shape (S, 1).
    """

    def norms(columns: Array) -> Array:
        squares = (columns * inner_product(columns)).sum(axis=0)
        result: Array = np.sqrt(np.maximum(squares, 0.0))
        return result

    def centred(columns: Array) -> Array:
        """Those that are not constant, less their means and normalised."""
        less = columns - first * (stationary @ columns)
        sizes = norms(less)
        varies = sizes > CONSTANT * norms(columns)
        return less[:, varies] / sizes[varies]

    first = np.ones((len(functions), 1)) if one is None else one
    stationary = stationary / float(stationary @ first[:, 0])
    fixed = first
    if density is not None:
        fixed = np.column_stack([first, centred(density[:, None])])
    densities = fixed[:, 1:]
    basis = centred(functions)
    for _ in range(2):  # twice is enough for orthogonality to rounding
        if not basis.shape[1]:
            break
        basis = basis - first * (stationary @ basis)
        basis = basis - densities @ (densities.T @ inner_product(basis))
        eigenvalues, vectors = np.linalg.eigh(basis.T @ inner_product(basis))
        kept = eigenvalues > DROPPED * max(eigenvalues[-1], DROPPED)
        kept[: max(0, len(kept) - MOST + fixed.shape[1])] = False
        basis = basis @ (vectors[:, kept] / np.sqrt(eigenvalues[kept]))
    return np.column_stack([fixed, basis[:, ::-1]])


def project(basis: Array, inner_product: Linear, images: Sequence[Array]) -> list[Array]:
    """Coordinates (V'MV)^-1 V'M g of the projections of functions g onto the basis."""
    measures = inner_product(basis).T
    gram = measures @ basis
    return [np.linalg.solve(gram, measures @ image) for image in images]
