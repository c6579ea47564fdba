"""The time to absorption of a Markov chain by reduction to a Krylov subspace; see THEORY.md."""

from dataclasses import dataclass

import numpy as np

from qmodel.numerics.arrays import Array, Complex
from qmodel.numerics.laplace import tail
from qmodel.numerics.uniformization import AbsorbingChain

#: Dimensions of the space, and the point p over the mean time.
DIMENSIONS, POINT = 60, 0.05
#: A vector longer than its component outside the space by this factor lies in the space.
INSIDE = 1e13
#: Norm of p T beyond which the matrix exponential loses digits, and the terms of the Laplace
#: inversion that replaces it.
STIFF, TERMS = 1e6, 40


@dataclass(frozen=True, slots=True)
class ReducedChain:
    """A matrix-exponential time: P(T > t) = start exp(t A) e, e the first unit vector."""

    #: The initial vector, shape (D,); its entries may be negative.
    start: Array
    #: H = (I - p A)^-1, shape (D, D).
    resolvent: Array
    #: p. [s]
    point: float
    #: Estimated error of the tail. [1]
    error: float = 0.0

    def tail(self, times: Array) -> Array:
        """P(T > t)."""
        from scipy.linalg import expm

        size = len(self.start)
        generator = (np.eye(size) - np.linalg.inv(self.resolvent)) / self.point
        if np.linalg.norm(generator) * self.point > STIFF:
            return tail(self.transform, times, TERMS)
        # With a state apart that leads nowhere: for two rows the formula of old scipys overflows.
        generator = np.pad(generator, (0, 1))
        values = np.array([self.start @ expm(time * generator)[:size, 0] for time in times])
        return values.clip(0.0, 1.0)

    def transform(self, s: Complex) -> Complex:
        """E exp(-s T) = 1 - s start (s - A)^-1 e, by the Schur form of H."""
        from scipy.linalg import schur

        upper, turn = schur(self.resolvent, output="complex")
        weights, first = self.start @ turn @ upper, turn[0].conj()
        less = s * self.point - 1.0
        column = np.empty((len(first), len(s)), complex)
        for i in range(len(first) - 1, -1, -1):
            after = less * (upper[i, i + 1 :] @ column[i + 1 :])
            column[i] = (first[i] - after) / (1.0 + less * upper[i, i])
        return np.asarray(1.0 - s * self.point * (weights @ column), complex)

    def moments(self) -> tuple[float, float]:
        """Mean, and squared coefficient of variation. [s, 1]"""
        size = len(self.start)
        inverse = self.point * np.linalg.solve(self.resolvent - np.eye(size), self.resolvent)
        first = inverse[:, 0]
        mean = -float(self.start @ first)
        return mean, max(0.0, 2.0 * float(self.start @ (inverse @ first)) / (mean * mean) - 1.0)


def krylov_reduced(chain: AbsorbingChain) -> ReducedChain:
    """The chain reduced to the Krylov subspace of its resolvent."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.linalg import splu

    size, point = len(chain.start), POINT * chain.mean
    states, weight = np.arange(size), np.sqrt(chain.occupancy)
    moves = -point * chain.rate * weight[chain.source] / weight[chain.target]
    entries = np.append(moves, 1.0 + point * chain.exit_rate)
    positions = np.append(chain.source, states), np.append(chain.target, states)
    resolvent = splu(coo_matrix((entries, positions), shape=(size, size)).tocsc())
    most = min(DIMENSIONS, size)
    basis, hessenberg = np.zeros((size, most + 1)), np.zeros((most + 1, most))
    length = float(np.linalg.norm(weight))
    basis[:, 0] = weight / length
    for j in range(most):
        new = resolvent.solve(basis[:, j])
        whole = float(np.linalg.norm(new))
        for _ in range(2):  # twice: orthogonal to the last digit
            part = basis[:, : j + 1].T @ new
            new -= basis[:, : j + 1] @ part
            hessenberg[: j + 1, j] += part
        outside = float(np.linalg.norm(new))
        if INSIDE * outside <= whole or j + 1 == most:
            most = j + 1
            break
        hessenberg[j + 1, j] = outside
        basis[:, j + 1] = new / outside
    start = length * (chain.start / weight) @ basis[:, :most]
    return ReducedChain(start, hessenberg[:most, :most], point)
