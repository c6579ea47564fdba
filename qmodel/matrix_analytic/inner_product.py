"""The inner product of functions of the state of a queue of `ticks`.

Where the phases of the arrivals are phases it is the mean of f g. Where they are coordinates it is
taken as if they were independent of the rest: any product will do, as long as what is projected on
is there; this one keeps the processes from growing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.matrix_analytic.age_process import Ticks
    from qmodel.matrix_analytic.state_vector import Values

    Array = NDArray[np.floating[Any]]

#: Probabilities are not less than that.
LEAST = 1e-14


class Product:
    """The product, by the matrix M of f' M g.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import phases
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewals
    >>> from qmodel.matrix_analytic.server_phases import servers_of
    >>> from qmodel.matrix_analytic.stationary_distribution import stationary
    >>> from qmodel.matrix_analytic.age_process import Ticks
    >>> queue = Ticks(renewals(1.0, 1.0, 0, 1), servers_of({0: phases(0.5, 1.0)}, 1, 1))
    >>> found = stationary(queue)
    >>> product = Product(queue, found)
    >>> round(float(product(found.flat ** 0).sum()), 6)  # the mean of 1
    1.0
    >>> product.undone(product(found.flat ** 0))[:3].round(9).tolist()
    [[1.0], [1.0], [1.0]]
    """

    def __init__(self, queue: Ticks, often: Values) -> None:
        import numpy as np

        inner = queue.flow.inner
        self.sets = queue.sets
        self.size = queue.flow.size
        self.slices = queue.slices
        self.often = often
        self.alone: Array | None = None
        self.weights = queue.servers.weights
        if inner is None and self.weights is None:
            self.alone = np.maximum(often.flat, LEAST)
        else:
            self.inner = queue.flow.product
            self.inverse = np.linalg.inv(self.inner)

    def __call__(self, functions: Array) -> Array:
        """M times functions."""
        if self.alone is not None:
            return self.alone * functions
        return self._each(functions, self.inner, 1.0)

    def undone(self, measures: Array) -> Array:
        """What M turns into these."""
        if self.alone is not None:
            return measures / self.alone
        return self._each(measures, self.inverse, -1.0)

    def _each(self, given: Array, matrix: Array, power: float) -> Array:
        import numpy as np

        values = self.often.like(given)
        low = np.empty_like(values.low)
        for n, at in enumerate(self.slices):
            low[at] = self._block(values.low[at][None], self.often.low[at][None], n, matrix, power)[
                0
            ]
        high = self._block(values.high, self.often.high, -1, matrix, power)
        return np.concatenate([low, high.reshape(-1, given.shape[-1])])

    def _block(self, given: Array, often: Array, n: int, matrix: Array, power: float) -> Array:
        import numpy as np

        levels, _, columns = given.shape
        sets = self.sets[n]
        here = often.reshape(levels, self.size, sets)
        squares = (here * (self.inverse @ here)).sum(axis=1)
        if self.weights is not None:
            each = self.weights[n]
            squares = (squares / each).sum(axis=1, keepdims=True) * each**2
        weights = np.sqrt(np.maximum(squares, LEAST**2)) ** power
        blocks = given.reshape(levels, self.size, sets * columns)
        turned = (matrix @ blocks).reshape(levels, self.size, sets, columns)
        found: Array = (turned * weights[:, None, :, None]).reshape(given.shape)
        return found
