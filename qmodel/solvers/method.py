"""A method of solution: its name, what it does, and when it may not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qmodel.network import Network
from qmodel.solution import Solution


@dataclass(frozen=True, slots=True)
class Method:
    """One way to solve a network.

    Parameters
    ----------
    name : str
        What a caller writes as ``method=``.
    exact : bool
        True if the answer is that of the model itself, to rounding.
    solve : callable
        Network to Solution; called only where ``why_not`` is None.
    why_not : callable
        Network to the assumption that fails, or None if the method applies.
    work : callable, optional
        Network to the numbers it would compute, for methods that a network can make slow. Where
        several exact methods apply, the one with the least work is chosen.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation
    >>> from qmodel.solvers.mva import METHOD
    >>> METHOD.name, METHOD.exact
    ('mva', True)
    >>> METHOD.why_not(Network([QueueingStation("cpu", 2)], [ClosedClass("users", 1)], [0.5]))
    "station 'cpu' has 2 servers"
    """

    name: str
    exact: bool
    solve: Callable[[Network], Solution]
    why_not: Callable[[Network], str | None]
    work: Callable[[Network], float] | None = None
