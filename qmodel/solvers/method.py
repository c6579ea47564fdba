"""A method of solution: its name, what it does, and when it may not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from qmodel.model.network import Network
from qmodel.model.solution import Solution


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
    >>> from qmodel.solvers.product_form.mva import METHOD
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

    @classmethod
    def loaded_late(
        cls, name: str, exact: bool, module: str, *, work: bool = False, at: str = "METHOD"
    ) -> Method:
        """The method ``at`` of a module that is imported when a network is shown to it.

        Most calls need one or two of the methods, and to import them all takes longer than most
        solutions.

        Examples
        --------
        >>> from qmodel import ClosedClass, Network, QueueingStation
        >>> method = Method.loaded_late("mva", True, "qmodel.solvers.product_form.mva")
        >>> method.why_not(Network([QueueingStation("cpu", 2)], [ClosedClass("users", 1)], [0.5]))
        "station 'cpu' has 2 servers"
        """
        solve, why_not, counted = (
            partial(_of_module, module, at, part) for part in ("solve", "why_not", "work")
        )
        return cls(name, exact, solve, why_not, counted if work else None)


def _of_module(module: str, at: str, part: str, network: Network) -> Any:
    return getattr(getattr(import_module(module), at), part)(network)
