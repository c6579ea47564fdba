"""Every way in which qmodel says no, one class per mistake a user can make."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qmodel.solution import Solution


class QmodelError(Exception):
    """Any refusal of qmodel; its text is one line that names the culprit and the remedy."""


class InvalidNetwork(QmodelError, ValueError):
    """A network that means nothing: a negative demand, a name used twice, a wrong shape."""


class InvalidInput(QmodelError, ValueError):
    """An argument or a model file that does not hold what it must."""


class NotApplicable(QmodelError, ValueError):
    """The method asked for does not hold for this network; the text names the assumption."""


class Unstable(QmodelError, ArithmeticError):
    """An open class arrives faster than a station can serve: there is no steady state."""


class InternalError(QmodelError, AssertionError):
    """A result broke a law that no network can break; the text holds a reproducer."""


class NotConverged(QmodelError, ArithmeticError):
    """An iteration stopped before its tolerance was met.

    Attributes
    ----------
    last : Solution
        The last iterate. Its ``residual`` and ``iterations`` say how far it came.
    tolerance : float
        The residual that was asked for.
    """

    def __init__(self, last: Solution, tolerance: float) -> None:
        super().__init__(
            f"{last.method}: residual {last.residual:.3g} after {last.iterations} iterations, "
            f"asked for {tolerance:.3g}; the last iterate is in .last"
        )
        self.last = last
        self.tolerance = tolerance
