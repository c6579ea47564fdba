"""The form of a law for stations whose speed grows with the customers there. Original."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from qmodel.numerics.arrays import Array

#: Value of a, value of f, and their slopes by the load.
Values = tuple[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Law:
    """A residence time of d (a + f A), d the demand at full speed, A what an arrival sees there."""

    #: What a caller writes after the method's name, ``linearizer/rolia``.
    name: str
    #: Loads that arrivals see, (C, B) [servers], and rates, (M, B) or (M, 1), to a, f and their
    #: slopes by the load, (C, B).
    at: Callable[[Array, Array], Values]
    #: True if the law is for any rates that grow, False if for equal servers only.
    any_rates: bool = False
