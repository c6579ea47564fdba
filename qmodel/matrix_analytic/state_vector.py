"""Numbers for each state of a queue of `ticks`: below m customers, and by level above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from qmodel.matrix_analytic.age_process import Ticks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]


class Values(NamedTuple):
    """Columns of functions of the state, or of measures.

    Attributes
    ----------
    low : array, shape (L, R)
        Where a server is idle.
    high : array, shape (N, A, R)
        By level, where all are busy.
    """

    low: Array
    high: Array

    @property
    def flat(self) -> Array:
        """One row for each state."""
        import numpy as np

        return np.concatenate([self.low, self.high.reshape(-1, self.high.shape[-1])])

    def like(self, flat: Array) -> Values:
        """The same states with other numbers."""
        low, high = len(self.low), self.high.shape
        return Values(flat[:low], flat[low:].reshape(high[0], high[1], -1))


def at_ticks(ticks: Ticks, values: Values) -> Array:
    """A function's values at the moments when ticks are looked at, (N, B, R): where they lead."""
    import numpy as np

    last = values.low[ticks.slices[-1]]
    found = np.empty((len(values.high), *last.shape))
    for level, here in enumerate(values.high):
        found[level] = last
        last = ticks.nothing @ last + ticks.begins @ here
    return found


def after_end(ticks: Ticks, c: int, values: Values, led: Array | None = None) -> Values:
    """Rate of the ends of services of class ``c`` times the value after them.

    ``led`` is what `at_ticks` gives, where it is known.
    """
    led = at_ticks(ticks, values) if led is None else led
    return Values(ticks.low_ends(c) @ values.low, ticks.ends[c] @ led)


def change(ticks: Ticks, values: Values) -> Values:
    """What a function's mean changes at, by state it starts from. [1/s]"""
    import numpy as np

    led = at_ticks(ticks, values)
    low = ticks.low @ values.low
    low[ticks.slices[-1]] += ticks.last_server @ values.high[0]
    above = np.concatenate([values.high[1:], values.high[-1:]])
    high = ticks.inside @ values.high + ticks.rate * (above - values.high)
    return Values(low, high + sum(ticks.ends) @ led)
