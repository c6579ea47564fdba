"""What functions of the state of a queue of `levels` come to, and measures, for one rate s.

With Q the rates, U, L and D those to the next level, on it, and to the one before, the function y
that solves (s - Q) y = f is

    y(n) = T(n) (f(n) + U(n) g(n + 1) + D(n) y(n - 1)),    g(n) = T(n) (f(n) + U(n) g(n + 1)),
    T(n) = (s - L(n) - U(n) T(n + 1) D(n + 1))^-1.

On the last level they are taken to be the same above it, and T comes of where the level before is
first met again, by logarithmic reduction [1]. Of one class they are from as many customers as
servers on.

References
----------
.. [1] G. Latouche and V. Ramaswami, "A logarithmic reduction algorithm for quasi-birth-death
   processes," Journal of Applied Probability 30(3), 1993, pp. 650-674.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.bypass_qbd import Levels
from qmodel.matrix_analytic.map_ph_queue import ways_down
from qmodel.matrix_analytic.state_vector import Values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]

#: Probability that is left above the last level; numbers to hold at most, and in matrices.
LEFT, MOST, MATRICES = 1e-8, 4_000_000, 20_000_000


class LevelResolvent:
    """The solutions for one rate.

    Parameters
    ----------
    levels : Levels
        The queue.
    s : float
        The rate; 0 for `often` alone. [1/s]
    count : int
        Levels of m and more customers.
    ends : bool
        Whether those who leave or pass by are followed; else it is over with the first of them.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the numbers make no sense.
    """

    def __init__(self, levels: Levels, s: float, count: int, ends: bool = True) -> None:
        import numpy as np

        self.levels, self.count = levels, count
        m = levels.servers.number
        same = [s * np.eye(len(each)) - each for each in levels.same]
        keep = 1.0 if ends else 0.0
        if not ends:
            passes = levels.flow.change - levels.flow.without
            passes = passes - np.add.reduce([levels.flow.arrivals[c] for c in levels.parts])
            same = [
                each + np.kron(passes, np.eye(sets))
                for each, sets in zip(same, levels.sets, strict=True)
            ]
        every = list(levels.parts)
        self.down = [keep * np.add.reduce([levels.ends[c][n] for c in every]) for n in range(m)]
        self.above = tuple(
            keep * np.add.reduce([levels.ends_above[c][i] for c in every]) for i in range(2)
        )
        up = levels.up[-1]
        returns = ways_down(up, -same[-1], self._down(m + count - 1))
        high = [np.linalg.inv(same[-1] - up @ returns)]
        for n in range(m + count - 2, m - 1, -1):
            if levels.told and ends:
                high.append(np.linalg.inv(same[-1] - up @ high[-1] @ self._down(n + 1)))
            else:
                high.append(high[-1])
        self.high = high[::-1]
        steps = [self.high[0]]
        for n in range(m - 1, -1, -1):
            rates = same[n] - levels.up[n] @ steps[0] @ self.down[n]
            steps.insert(0, rates if s == 0.0 and n == 0 else np.linalg.inv(rates))
        self.steps = steps[:-1]

    def _down(self, n: int) -> Array:
        """Rates to the level before, from n customers, more than m. [1/s]"""
        found: Array = self.above[0] + self.above[1] / n
        return found

    def often(self) -> Values:
        """How often it is in each state, for s = 0."""
        import numpy as np

        levels, m = self.levels, self.levels.servers.number
        rates = self.steps[0].copy()
        wanted = np.zeros(len(rates))
        wanted[0] = rates[:, 0] = 1.0
        found = [np.linalg.solve(rates.T, wanted)]
        for n in range(m + self.count - 1):
            step = self.steps[n + 1] if n + 1 < m else self.high[n + 1 - m]
            found.append(found[n] @ levels.up[min(n, m)] @ step)
        low, high = np.concatenate(found[:m])[:, None], np.array(found[m:])[:, :, None]
        values = Values(low, high)
        whole = float((values.flat * levels.ones(values).flat).sum())
        return Values(low / whole, high / whole)

    def functions(self, given: Values) -> Values:
        """Y of (s - Q) y = f; above the last level f is as on it."""
        import numpy as np

        levels, m = self.levels, self.levels.servers.number
        up = levels.up[-1]
        top = self.high[-1]
        above = np.linalg.solve(np.eye(len(up)) - top @ up, top @ given.high[-1])
        found = np.empty_like(given.high)
        for n in range(len(found) - 1, -1, -1):
            above = self.high[n] @ (given.high[n] + up @ above)
            found[n] = above
        low = np.empty_like(given.low)
        for n in range(m - 1, -1, -1):
            at = levels.slices[n]
            above = self.steps[n] @ (given.low[at] + levels.up[n] @ above)
            low[at] = above
        before = low[levels.slices[0]]
        for n in range(1, m):
            at = levels.slices[n]
            low[at] += self.steps[n] @ (self.down[n - 1] @ before)
            before = low[at]
        for n in range(len(found)):
            down = self._down(m + n) if n else self.down[-1]
            found[n] += self.high[n] @ (down @ before)
            before = found[n]
        return Values(low, found)

    def measures(self, given: Values) -> Values:
        """Z of z (s - Q) = w, in columns."""
        import numpy as np

        levels, m = self.levels, self.levels.servers.number
        up = levels.up[-1].T
        found, low = np.empty_like(given.high), np.empty_like(given.low)
        found[-1] = given.high[-1]
        for n in range(len(found) - 2, -1, -1):
            turned = self.high[n + 1].T @ found[n + 1]
            found[n] = given.high[n] + self._down(m + n + 1).T @ turned
        turned = self.high[0].T @ found[0]
        for n in range(m - 1, -1, -1):
            at = levels.slices[n]
            low[at] = given.low[at] + self.down[n].T @ turned
            turned = self.steps[n].T @ low[at]
        before = turned
        low[levels.slices[0]] = before
        for n in range(1, m):
            at = levels.slices[n]
            before = self.steps[n].T @ (low[at] + levels.up[n - 1].T @ before)
            low[at] = before
        for n in range(len(found)):
            rates = up if n else levels.up[m - 1].T
            before = self.high[n].T @ (found[n] + rates @ before)
            found[n] = before
        return Values(low, found)


def how_many(levels: Levels) -> int | None:
    """Levels of m and more customers, above which hardly any are; None if too many."""
    import numpy as np

    flow = levels.flow
    come = np.add.reduce([flow.arrivals[c] for c in levels.parts])
    alone = Levels(
        replace(flow, without=flow.change - come, arrivals=(come,)), levels.servers, {0: 1.0}
    )
    solved = LevelResolvent(alone, 0.0, 2)
    found = solved.often().high[:, :, 0]
    grows = alone.up[-1] @ solved.high[-1]
    every = np.linalg.solve(np.eye(len(grows)) - grows, np.ones(len(grows)))
    here, count = found[0], 1
    size = len(levels.up[-1])
    most = min(MOST // size, MATRICES // size**2) if levels.told else MOST // size
    while abs(float(here @ every)) > LEFT:
        here, count = here @ grows, count + 1
        if count > most or not np.isfinite(here).all():
            return None
    return max(count, 2)
