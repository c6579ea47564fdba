"""Solves with s I - Q for the generator Q of a level-dependent QBD; its stationary distribution.

With U, L(n) and D(n) the rates up, on level n and down, the solution y of (s I - Q) y = f is

    y(n) = t(n) + T(n) D(n) y(n - 1),    t(n) = T(n) (f(n) + U t(n + 1)),
    T(n) = (s I - L(n) - U T(n + 1) D(n + 1))^-1,

block elimination from the top [2, ch. 12]. At the highest level kept the rates are taken to be the
same on all levels above, so that T(n + 1) D(n + 1) = G(s), by logarithmic reduction [1]. A left
solve is the transposed algorithm.

References
----------
.. [1] G. Latouche and V. Ramaswami, "A logarithmic reduction algorithm for quasi-birth-death
   processes," Journal of Applied Probability 30(3), 1993, pp. 650-674.
.. [2] G. Latouche and V. Ramaswami, "Introduction to Matrix Analytic Methods in Stochastic
   Modeling," SIAM, 1999.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from qmodel.matrix_analytic.bypass_qbd import BypassQBD
from qmodel.matrix_analytic.state_vector import StateVector

if TYPE_CHECKING:
    from qmodel.numerics.arrays import Array

#: Probability above the last level; states at most, and entries of matrices.
LEFT, MOST, MATRICES = 1e-8, 4_000_000, 20_000_000
#: Doublings of the logarithmic reduction at most, and what is left when they are enough.
DOUBLINGS, REST = 60, 1e-14


class QBDResolvent:
    """(s I - Q)^-1 or, killed at events, (s I - Q + L)^-1.

    Parameters
    ----------
    qbd : BypassQBD
        The queue.
    s : float
        Not negative; 0 for `stationary` or if ``killed``. [1/s]
    count : int
        Levels of m and more customers, at least 2.
    killed : bool
        Whether the process ends at the first departure or bypassing arrival.

    Raises
    ------
    numpy.linalg.LinAlgError
        If a matrix is singular.
    """

    def __init__(self, qbd: BypassQBD, s: float, count: int, killed: bool = False) -> None:
        self.qbd, self.count = qbd, count
        m = qbd.servers.servers
        local = [s * np.eye(len(each)) - each for each in qbd.local]
        keep = 0.0 if killed else 1.0
        if killed:
            bypassing = qbd.arrivals.generator - qbd.arrivals.d0
            bypassing = bypassing - np.add.reduce([qbd.arrivals.d[c] for c in qbd.parts])
            local = [
                each + np.kron(bypassing, np.eye(states))
                for each, states in zip(local, qbd.service_states, strict=True)
            ]
        classes = list(qbd.parts)
        self.down = [keep * np.add.reduce([qbd.down[c][n] for c in classes]) for n in range(m)]
        self.down_above = tuple(
            keep * np.add.reduce([qbd.down_above[c][i] for c in classes]) for i in range(2)
        )
        up = qbd.up[-1]
        g = g_matrix(up, -local[-1], self._down(m + count - 1))
        levels = [np.linalg.inv(local[-1] - up @ g)]
        for n in range(m + count - 2, m - 1, -1):
            if qbd.tracked and not killed:
                levels.append(np.linalg.inv(local[-1] - up @ levels[-1] @ self._down(n + 1)))
            else:
                levels.append(levels[-1])
        self.levels = levels[::-1]
        inverses = [self.levels[0]]
        for n in range(m - 1, -1, -1):
            rates = local[n] - qbd.up[n] @ inverses[0] @ self.down[n]
            inverses.insert(0, rates if s == n == 0 and not killed else np.linalg.inv(rates))
        self.boundary = inverses[:-1]

    def _down(self, n: int) -> Array:
        """D(n) for n > m. [1/s]"""
        rates: Array = self.down_above[0] + self.down_above[1] / n
        return rates

    def stationary(self) -> StateVector:
        """The stationary distribution, for s = 0: x(n + 1) = x(n) U T(n + 1)."""
        qbd, m = self.qbd, self.qbd.servers.servers
        rates = self.boundary[0].copy()
        normalised = np.zeros(len(rates))
        normalised[0] = rates[:, 0] = 1.0
        x = [np.linalg.solve(rates.T, normalised)]
        for n in range(m + self.count - 1):
            inverse = self.boundary[n + 1] if n + 1 < m else self.levels[n + 1 - m]
            x.append(x[n] @ qbd.up[min(n, m)] @ inverse)
        boundary, levels = np.concatenate(x[:m])[:, None], np.array(x[m:])[:, :, None]
        vector = StateVector(boundary, levels)
        total = float((vector.flat * qbd.one(vector).flat).sum())
        return StateVector(boundary / total, levels / total)

    def solve_right(self, f: StateVector) -> StateVector:
        """Y of (s I - Q) y = f; above the last level f is taken to be as on it."""
        qbd, m = self.qbd, self.qbd.servers.servers
        up = qbd.up[-1]
        top = self.levels[-1]
        t = np.linalg.solve(np.eye(len(up)) - top @ up, top @ f.levels[-1])
        y = np.empty_like(f.levels)
        for n in range(len(y) - 1, -1, -1):
            t = self.levels[n] @ (f.levels[n] + up @ t)
            y[n] = t
        boundary = np.empty_like(f.boundary)
        for n in range(m - 1, -1, -1):
            at = qbd.slices[n]
            t = self.boundary[n] @ (f.boundary[at] + qbd.up[n] @ t)
            boundary[at] = t
        below = boundary[qbd.slices[0]]
        for n in range(1, m):
            at = qbd.slices[n]
            boundary[at] += self.boundary[n] @ (self.down[n - 1] @ below)
            below = boundary[at]
        for n in range(len(y)):
            down = self._down(m + n) if n else self.down[-1]
            y[n] += self.levels[n] @ (down @ below)
            below = y[n]
        return StateVector(boundary, y)

    def solve_left(self, w: StateVector) -> StateVector:
        """Z of z (s I - Q) = w, as columns."""
        qbd, m = self.qbd, self.qbd.servers.servers
        up = qbd.up[-1].T
        z, boundary = np.empty_like(w.levels), np.empty_like(w.boundary)
        z[-1] = w.levels[-1]
        for n in range(len(z) - 2, -1, -1):
            t = self.levels[n + 1].T @ z[n + 1]
            z[n] = w.levels[n] + self._down(m + n + 1).T @ t
        t = self.levels[0].T @ z[0]
        for n in range(m - 1, -1, -1):
            at = qbd.slices[n]
            boundary[at] = w.boundary[at] + self.down[n].T @ t
            t = self.boundary[n].T @ boundary[at]
        below = t
        boundary[qbd.slices[0]] = below
        for n in range(1, m):
            at = qbd.slices[n]
            below = self.boundary[n].T @ (boundary[at] + qbd.up[n - 1].T @ below)
            boundary[at] = below
        for n in range(len(z)):
            rates = up if n else qbd.up[m - 1].T
            below = self.levels[n].T @ (z[n] + rates @ below)
            z[n] = below
        return StateVector(boundary, z)


def g_matrix(up: Array, local: Array, down: Array) -> Array:
    """G of a QBD, the minimal solution of A_2 + A_1 G + A_0 G^2 = 0, by logarithmic reduction.

    Parameters
    ----------
    up, local, down : array
        A_0, A_1 and A_2; less s I in A_1 for G(s). [1/s]

    Examples
    --------
    >>> import numpy as np
    >>> rates = (np.array([[rate]]) for rate in (1.0, -3.0, 2.0))
    >>> g_matrix(*rates).round(12).tolist()  # M/M/1: the level below is reached for certain
    [[1.0]]
    """
    identity = np.eye(len(local))
    first = np.linalg.inv(-local)
    rises, g = first @ up, first @ down
    falls, reached = g.copy(), rises.copy()
    for _ in range(DOUBLINGS):
        stays = np.linalg.inv(identity - rises @ falls - falls @ rises)
        rises, falls = stays @ rises @ rises, stays @ falls @ falls
        g = g + reached @ falls
        reached = reached @ rises
        if abs(reached).max() < REST or abs(falls).max() < REST:
            break
    return g


def level_count(qbd: BypassQBD) -> int | None:
    """Levels of m and more customers that hold all but `LEFT`; None if they are too many.

    By the level-independent QBD of all classes as one, x(n + 1) = x(n) R with R = U T.
    """
    arrivals = qbd.arrivals
    joining = np.add.reduce([arrivals.d[c] for c in qbd.parts])
    one_class = BypassQBD(
        replace(arrivals, d0=arrivals.generator - joining, d=(joining,)), qbd.servers, {0: 1.0}
    )
    solver = QBDResolvent(one_class, 0.0, 2)
    x = solver.stationary().levels[:, :, 0]
    r = one_class.up[-1] @ solver.levels[-1]
    total = np.linalg.solve(np.eye(len(r)) - r, np.ones(len(r)))
    level, count = x[0], 1
    size = len(qbd.up[-1])
    most = min(MOST // size, MATRICES // size**2) if qbd.tracked else MOST // size
    while abs(float(level @ total)) > LEFT:
        level, count = level @ r, count + 1
        if count > most or not np.isfinite(level).all():
            return None
    return max(count, 2)
