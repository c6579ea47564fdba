"""A queue by how many customers there are, with those who pass it by.

Other than in `ticks` the phase of the arrivals is that of now, so who passes by meanwhile is known
as well. Which class waits where is not, only about how many of each there are (`composition`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.age_process import places
from qmodel.matrix_analytic.class_mix_closure import one_less, one_more
from qmodel.matrix_analytic.state_vector import Values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.matrix_analytic.marked_arrival_process import MarkedFlow
    from qmodel.matrix_analytic.server_phases import Servers

    Array = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Levels:
    """The rates of such a queue.

    Parameters
    ----------
    flow : MarkedFlow
        All arrivals, those who pass by as well.
    servers : Servers
        Those who serve, all classes alike.
    parts : mapping of int to float
        Of the classes that come in all who do. [1]
    spread : float
        Means of the products d_c d_k, over those if each was of a class by lot. [1]
    """

    flow: MarkedFlow
    servers: Servers
    parts: Mapping[int, float]
    spread: float = 1.0

    @property
    def told(self) -> int:
        """How many of the d_c there are."""
        return len(self.parts) - 1

    @cached_property
    def sets(self) -> list[int]:
        """Sets of services under way at 0 to m busy servers, for 1 and each of the d_c."""
        return [
            len(inside) * (1 + self.told if n else 1)
            for n, inside in enumerate(self.servers.within)
        ]

    @cached_property
    def slices(self) -> list[slice]:
        """Where each number of customers below m stands."""
        return places(self.flow.size, self.sets)

    @cached_property
    def same(self) -> list[Array]:
        """Rates on a level, by number of busy servers. [1/s]"""
        import numpy as np

        without = self.flow.change - np.add.reduce([self.flow.arrivals[c] for c in self.parts])
        return [
            np.kron(without, np.eye(sets))
            + self._served(np.kron(np.eye(sets // len(within)), within))
            for sets, within in zip(self.sets, self.servers.within, strict=True)
        ]

    @cached_property
    def up(self) -> list[Array]:
        """Rates to the next level, by number of busy servers. [1/s]"""
        import numpy as np

        starts = [each[0] for each in self.servers.starts]
        starts.append(np.eye(len(self.servers.within[-1])))
        return [
            np.add.reduce(
                [
                    np.kron(self.flow.arrivals[c], np.kron(one_more(self.parts, c, n), start))
                    for c in self.parts
                ]
            )
            for n, start in enumerate(starts)
        ]

    @cached_property
    def ends(self) -> Mapping[int, list[Array]]:
        """By class that leaves: rates to the level before, from 1 to m. [1/s]"""
        import numpy as np

        found: dict[int, list[Array]] = {}
        for c in self.parts:
            found[c] = []
            for n, ends in enumerate(self.servers.ends, start=1):
                left, over = one_less(self.parts, c, n, self.spread)
                found[c].append(self._served(np.kron(left + over / n, ends[0])))
        return found

    @cached_property
    def ends_above(self) -> Mapping[int, tuple[Array, Array]]:
        """From more than m: two parts, the second one over how many there are. [1/s]"""
        import numpy as np

        again = self.servers.ends[-1][0] @ self.servers.starts[-1][0]
        found = {}
        for c in self.parts:
            left, over = one_less(self.parts, c, 2, self.spread)
            found[c] = self._served(np.kron(left, again)), self._served(np.kron(over, again))
        return found

    def _served(self, rates: Array) -> Array:
        import numpy as np

        return np.kron(np.eye(self.flow.size), rates)

    def ones(self, often: Values) -> Values:
        """The function 1."""
        import numpy as np

        first = [
            np.arange(sets) < len(w) for sets, w in zip(self.sets, self.servers.within, strict=True)
        ]
        low = [np.tile(each, self.flow.size) for each in first[:-1]]
        high = np.tile(first[-1], self.flow.size)
        return Values(
            np.concatenate(low)[:, None].astype(float),
            np.tile(high[None, :, None], (len(often.high), 1, 1)).astype(float),
        )

    def weights(self, often: Values) -> Values:
        """About the mean squares of 1 and each d_c there: for an inner product."""
        import numpy as np

        spread = [part * (1.0 - part) for part in list(self.parts.values())[: self.told]]

        def each(here: Array, n: Array, sets: int) -> Array:
            """Of blocks (N, A, 1) with n customers."""
            found = here.reshape(len(here), self.flow.size, sets, -1).copy()
            for j, value in enumerate(spread, start=1):
                found[:, :, j] = found[:, :, 0] * (value * n)[:, None, None]
            return found.reshape(here.shape)

        low = often.low.copy()
        for n, at in enumerate(self.slices[1:], start=1):
            low[at] = each(often.low[at][None], np.array([float(n)]), 1 + self.told)[0]
        return Values(low, each(often.high, self._numbers(often), 1 + self.told))

    def _numbers(self, values: Values) -> Array:
        import numpy as np

        return self.servers.number + np.arange(float(len(values.high)))

    def leaves(self, c: int, values: Values) -> Values:
        """Rates at which a class leaves times the value after that."""
        import numpy as np

        ends, (first, over) = self.ends[c], self.ends_above[c]
        low = np.zeros_like(values.low)
        for n, at in enumerate(self.slices[1:], start=1):
            low[at] = ends[n - 1] @ values.low[self.slices[n - 1]]
        high = np.empty_like(values.high)
        high[0] = ends[-1] @ values.low[self.slices[-1]]
        above = self._numbers(values)[1:, None, None]
        high[1:] = first @ values.high[:-1] + over @ values.high[:-1] / above
        return Values(low, high)

    def after_leaving(self, c: int, often: Values) -> Values:
        """The measure of the states after that."""
        import numpy as np

        ends, (first, over) = self.ends[c], self.ends_above[c]
        low, high = np.zeros_like(often.low), np.zeros_like(often.high)
        for n, at in enumerate(self.slices[1:], start=1):
            low[self.slices[n - 1]] = ends[n - 1].T @ often.low[at]
        low[self.slices[-1]] += ends[-1].T @ often.high[0]
        above = self._numbers(often)[1:, None, None]
        high[:-1] = first.T @ often.high[1:] + over.T @ (often.high[1:] / above)
        return Values(low, high)

    def passes(self, rates: Array, values: Values) -> Values:
        """What rates between the phases of the arrivals make of a function."""
        import numpy as np

        low = np.empty_like(values.low)
        for here, sets in zip(self.slices, self.sets, strict=False):
            low[here] = np.kron(rates, np.eye(sets)) @ values.low[here]
        return Values(low, np.kron(rates, np.eye(self.sets[-1])) @ values.high)

    def change(self, values: Values) -> Values:
        """What a function's mean changes at, by state it starts from. [1/s]"""
        import numpy as np

        each = [self.leaves(c, values) for c in self.parts]
        low, high = (np.add.reduce([found[i] for found in each]) for i in range(2))
        for n, at in enumerate(self.slices):
            last = n + 1 == len(self.slices)
            above = values.high[0] if last else values.low[self.slices[n + 1]]
            low[at] += self.same[n] @ values.low[at] + self.up[n] @ above
        above = np.concatenate([values.high[1:], values.high[-1:]])
        return Values(low, high + self.same[-1] @ values.high + self.up[-1] @ above)
