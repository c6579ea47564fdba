"""What no answer may break: checked on every solution before anyone sees it.

A solver that is wrong should say so itself. The checks cost a few microseconds: numbers that are
numbers, Little's law for the whole network, no station busier than it can be, nobody quicker than
service alone allows, and for exact methods the bounds of throughput.
"""

from __future__ import annotations

from math import inf

from qmodel.bounds import asymptotic, balanced_job, geometric
from qmodel.bounds.interval import Interval
from qmodel.bounds.single_servers import delays_and_demands
from qmodel.closed import not_single_server
from qmodel.customer_classes import ClosedClass, OpenClass
from qmodel.errors import InternalError
from qmodel.network import Network
from qmodel.provenance import note_method
from qmodel.solution import Solution
from qmodel.stations import LoadDependentStation

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
    note_method(solution.method)


def violation(solution: Solution, exact: bool) -> str | None:
    """The law a solution breaks, in words, or None."""
    network = solution.network
    room = EXACT if exact else APPROXIMATE
    stations, closed = network.stations, True
    for c, customer_class in enumerate(network.classes):
        x = solution.throughputs[c]
        if not 0.0 <= x < inf:
            return f"throughput of class {customer_class.name!r} is {x!r}"
        time = 0.0
        least = 1.0 - room if x else 0.0
        row = network.demand[c]
        for k, residence in enumerate(solution.residence_times[c]):
            if not 0.0 <= residence < inf:
                return f"residence time of {_at(network, c, k)} is {residence!r}"
            if residence < row[k] * least and not isinstance(stations[k], LoadDependentStation):
                return (
                    f"residence time of {_at(network, c, k)} is {residence!r}, "
                    f"its demand {row[k]!r}"
                )
            time += residence
        if type(customer_class) is ClosedClass:
            population = customer_class.population
            present = x * (time + customer_class.think_time)
            if abs(present - population) > room * population:
                return (
                    f"class {customer_class.name!r} has {population} customers, "
                    f"the answer {present!r}"
                )
        elif isinstance(customer_class, OpenClass):
            closed = False
            rate = customer_class.arrival_rate
            lossless = not network.limits
            if x > rate * (1.0 + room) or (lossless and x < rate * (1.0 - room)):
                return f"class {customer_class.name!r} arrives at {rate!r}, the answer is {x!r}"
    for k, station in enumerate(stations):
        load = 0.0
        for c, x in enumerate(solution.throughputs):
            load += x * network.demand[c][k]
        if load > station.capacity * (1.0 + room):
            return f"station {station.name!r} works at {load!r}, it can do {station.capacity:g}"
    if not exact or not closed or network.beyond_product_form():
        return None
    if not_single_server(network) is not None:
        return _out_of_bounds(solution, asymptotic.find(network), "asymptotic")
    # The asymptotic bounds hold wherever the balanced-job ones do.
    populations, delays, demands = delays_and_demands(network)
    if len(network.classes) > 1:
        return _out_of_bounds(
            solution, balanced_job.several_classes(populations, delays, demands), "balanced-job"
        )
    if not populations[0]:
        return None
    one = populations[0], delays[0], demands[0]
    return _out_of_bounds(solution, [balanced_job.one_class(*one)], "balanced-job") or (
        _out_of_bounds(solution, [geometric.one_class(*one)], "geometric")
    )


def _out_of_bounds(solution: Solution, intervals: list[Interval], name: str) -> str | None:
    for c, (low, high) in enumerate(intervals):
        x = solution.throughputs[c]
        if not low * (1.0 - EXACT) <= x <= high * (1.0 + EXACT):
            return (
                f"throughput {x!r} of class {solution.network.class_names[c]!r} is outside the "
                f"{name} bounds, {low!r} to {high!r}"
            )
    return None


def reproducer(solution: Solution) -> str:
    """A Python expression that solves the same network by the same method."""
    return f"solve({solution.network!r}, method={solution.method!r})"


def _at(network: Network, c: int, k: int) -> str:
    return f"class {network.class_names[c]!r} at station {network.station_names[k]!r}"
