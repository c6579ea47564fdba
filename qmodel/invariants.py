"""What no answer may break: checked on every solution before anyone sees it.

A solver that is wrong should say so itself. The checks cost a few microseconds: numbers that are
numbers, Little's law for the whole network, no station busier than it can be, nobody quicker than
service alone allows, and for exact methods the bounds of throughput.
"""

from __future__ import annotations

from math import inf

from qmodel.bounds import KINDS
from qmodel.customer_classes import ClosedClass
from qmodel.errors import InternalError
from qmodel.network import Network
from qmodel.solution import Solution

#: Relative room for rounding in an exact answer.
EXACT = 1e-9
#: Relative room in an approximate one, whose iteration stops before the last digit.
APPROXIMATE = 1e-6


def check(solution: Solution, exact: bool) -> None:
    """Raise `InternalError`, with a reproducer, if a solution breaks a law.

    Parameters
    ----------
    solution : Solution
        What a method returned.
    exact : bool
        True if the method is exact, so that bounds hold for it.
    """
    broken = violation(solution, exact)
    if broken is not None:
        raise InternalError(
            f"{solution.method}: {broken}; please report this network: {reproducer(solution)}"
        )


def violation(solution: Solution, exact: bool) -> str | None:
    """The law a solution breaks, in words, or None."""
    network = solution.network
    room = EXACT if exact else APPROXIMATE
    busy = [0.0] * len(network.stations)
    for c, customer_class in enumerate(network.classes):
        x = solution.throughputs[c]
        if not 0.0 <= x < inf:
            return f"throughput of class {customer_class.name!r} is {x!r}"
        time = 0.0
        row = zip(solution.residence_times[c], network.demand[c], strict=True)
        for k, (residence, demand) in enumerate(row):
            if not 0.0 <= residence < inf:
                return f"residence time of {_at(network, c, k)} is {residence!r}"
            time += residence
            busy[k] += x * demand
        if isinstance(customer_class, ClosedClass):
            present = x * (time + customer_class.think_time)
            if abs(present - customer_class.population) > room * customer_class.population:
                return (
                    f"class {customer_class.name!r} has {customer_class.population} customers, "
                    f"the answer {present!r}"
                )
    for station, load in zip(network.stations, busy, strict=True):
        if load > station.capacity * (1.0 + room):
            return f"station {station.name!r} works at {load!r}, it can do {station.capacity:g}"
    if exact and all(isinstance(c, ClosedClass) for c in network.classes):
        for kind in KINDS:
            if kind.why_not(network) is None:
                for c, (low, high) in enumerate(kind.find(network)):
                    x = solution.throughputs[c]
                    if not low * (1.0 - room) <= x <= high * (1.0 + room):
                        return (
                            f"throughput {x!r} of class {network.class_names[c]!r} is outside the "
                            f"{kind.name} bounds, {low!r} to {high!r}"
                        )
    return None


def reproducer(solution: Solution) -> str:
    """A Python expression that solves the same network by the same method."""
    network = solution.network
    return (
        f"solve(Network(stations={list(network.stations)!r}, classes={list(network.classes)!r}, "
        f"demand={[list(row) for row in network.demand]!r}), method={solution.method!r})"
    )


def _at(network: Network, c: int, k: int) -> str:
    return f"class {network.class_names[c]!r} at station {network.station_names[k]!r}"
