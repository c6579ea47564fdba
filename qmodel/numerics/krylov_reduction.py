"""The time until a Markov chain ends, by a small chain in its place.

A Krylov space of the resolvent at one point tells how the chain ends, however fast some of its
events are [1]. The states are weighed by how long the chain is in them in the mean, in which
measure it nowhere grows.

References
----------
.. [1] J. van den Eshof and M. Hochbruck, "Preconditioning Lanczos approximations to the matrix
   exponential," SIAM Journal on Scientific Computing 27(4), 2006, pp. 1438-1457.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmodel.numerics.laplace import tail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.numerics.absorbing_chain import Chain
    from qmodel.numerics.service_time import Complex

    Array = NDArray[np.float64]

#: Dimensions of the space, and the point as a part of the mean time.
DIMENSIONS, POINT = 60, 0.05
#: A vector that is longer than its part outside the space by this factor is in it.
INSIDE = 1e13
#: Rates times the point beyond which an exponential of them loses digits, and what is inverted
#: instead with so many terms.
STIFF, TERMS = 1e6, 40


@dataclass(frozen=True, slots=True)
class Reduced:
    """A small chain, of signed weights, that ends as the large one does.

    With A = (I - H^-1) / p the tail is the sum of exp(t A) e, so weighed, e being the first unit.

    Parameters
    ----------
    start : array, shape (D,)
        The weights.
    resolvent : array, shape (D, D)
        H, the resolvent 1 / (1 - p A).
    point : float
        p. [s]
    error : float
        About how much the tail is off by. [1]
    """

    start: Array
    resolvent: Array
    point: float
    error: float = 0.0

    def tail(self, times: Array) -> Array:
        """P(T > t)."""
        import numpy as np
        from scipy.linalg import expm

        one = np.eye(len(self.start))
        rates = (one - np.linalg.inv(self.resolvent)) / self.point
        if np.linalg.norm(rates) * self.point > STIFF:
            return tail(self.transform, times, TERMS)
        # A state beside them that leads nowhere: of two alone the formula of old scipys overflows.
        size = len(self.start)
        rates = np.pad(rates, (0, 1))
        found = np.array([self.start @ expm(time * rates)[:size, 0] for time in times])
        return found.clip(0.0, 1.0)

    def transform(self, s: Complex) -> Complex:
        """E exp(-s T), where the digits of an exponential do not do: 1 - s / (s - A), weighed."""
        import numpy as np
        from scipy.linalg import schur

        upper, turn = schur(self.resolvent, output="complex")
        weights, first = self.start @ turn @ upper, turn[0].conj()
        less = s * self.point - 1.0
        found = np.empty((len(first), len(s)), complex)
        for i in range(len(first) - 1, -1, -1):
            after = less * (upper[i, i + 1 :] @ found[i + 1 :])
            found[i] = (first[i] - after) / (1.0 + less * upper[i, i])
        return np.asarray(1.0 - s * self.point * (weights @ found), complex)

    def moments(self) -> tuple[float, float]:
        """Mean, and squared coefficient of variation. [s, 1]"""
        import numpy as np

        size = len(self.start)
        inverse = self.point * np.linalg.solve(self.resolvent - np.eye(size), self.resolvent)
        first = inverse[:, 0]
        mean = -float(self.start @ first)
        return mean, max(0.0, 2.0 * float(self.start @ (inverse @ first)) / (mean * mean) - 1.0)


def reduced(chain: Chain) -> Reduced:
    """The chain made small."""
    import numpy as np
    from scipy.sparse import coo_matrix
    from scipy.sparse.linalg import splu

    size, point = len(chain.start), POINT * chain.mean
    every, weight = np.arange(size), np.sqrt(chain.often)
    moves = -point * chain.rate * weight[chain.source] / weight[chain.target]
    entries = np.append(moves, 1.0 + point * chain.total)
    ways = np.append(chain.source, every), np.append(chain.target, every)
    resolvent = splu(coo_matrix((entries, ways), shape=(size, size)).tocsc())
    most = min(DIMENSIONS, size)
    space, small = np.zeros((size, most + 1)), np.zeros((most + 1, most))
    length = float(np.linalg.norm(weight))
    space[:, 0] = weight / length
    for j in range(most):
        new = resolvent.solve(space[:, j])
        whole = float(np.linalg.norm(new))
        for _ in range(2):  # orthogonal to the last digit
            part = space[:, : j + 1].T @ new
            new -= space[:, : j + 1] @ part
            small[: j + 1, j] += part
        rest = float(np.linalg.norm(new))
        if INSIDE * rest <= whole or j + 1 == most:
            most = j + 1
            break
        small[j + 1, j] = rest
        space[:, j + 1] = new / rest
    start = length * (chain.start / weight) @ space[:, :most]
    return Reduced(start, small[:most, :most], point)
