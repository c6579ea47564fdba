"""The form of a law for stations whose speed grows with the customers there. Original.

The simplest is R' = D (1 + U^m A / m), of Rolia and Sevcik (1995).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, amva/multiserver/law.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

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


def at(load: Array, rates: Array) -> Values:
    """The a and f of `Law`, with their slopes by the load; a is the number of servers."""
    servers = rates[-1]
    busy = np.clip(load / servers, 1e-12, 1.0)
    factor = busy**servers
    # Flat beyond saturation, where only an iterate can be.
    slope = np.where(load < servers, servers * factor / (busy * servers), 0.0)
    return servers, factor, 0.0, slope


LAW = Law("rolia", at)
