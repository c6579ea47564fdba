"""A kind of bound: its name, where it holds, and the intervals it finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qmodel.model.network import Network

#: Lowest and highest throughput of a class. [1/s]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of bound.

    Parameters
    ----------
    name : str
        What a caller writes as ``kind=``.
    find : callable
        Closed network to one interval per class; called only where ``why_not`` is None.
    why_not : callable
        Closed network to the assumption that fails, or None if the bound holds.
    """

    name: str
    find: Callable[[Network], list[Interval]]
    why_not: Callable[[Network], str | None]
