"""What no answer may break: checked on every solution before anyone sees it.
Theory and sources: `qmodel/solvers/THEORY.md`, invariants.
"""

from collections.abc import Sequence
from math import inf

from qmodel.bounds import asymptotic, balanced_job, geometric
from qmodel.bounds.asymptotic import Interval, delays_and_demands
from qmodel.errors import InternalError
from qmodel.model.closed_network import not_closed, not_single_server
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Row, Solution
from qmodel.model.stations import LoadDependentStation
from qmodel.provenance import note_method

#: Relative room for rounding in an exact answer.
EXACT = 1e-9
#: Relative room in an approximate one, whose iteration stops before the last digit.
APPROXIMATE = 1e-6


def check(solution: Solution, exact: bool) -> None:
    """Raise `InternalError`, with a reproducer, if a solution breaks a law.

    Bounds hold for exact methods only.
    """
    if broken := violation(solution, exact):
        raise InternalError(
            f"{solution.method}: {broken}; please report this network: {reproducer(solution)}"
        )
    note_method(solution.method)


def violation(solution: Solution, exact: bool) -> str | None:
    """The law a solution breaks, in words, or None."""
    network = solution.network
    times = solution.residence_times
    broken = broken_law(network, network.populations, solution.throughputs, times, exact)
    if broken is not None:
        return broken
    if not exact or not_closed(network) is not None or network.product_form_violation():
        return None
    if not_single_server(network) is not None:
        return _out_of_bounds(solution, asymptotic.find(network), "asymptotic")
    # The asymptotic bounds hold wherever the balanced-job ones do.
    sizes, delays, demands = delays_and_demands(network)
    if len(network.classes) > 1:
        return _out_of_bounds(
            solution, balanced_job.several_classes(sizes, delays, demands), "balanced-job"
        )
    if not sizes[0]:
        return None
    one = sizes[0], delays[0], demands[0]
    return _out_of_bounds(solution, [balanced_job.one_class(*one)], "balanced-job") or (
        _out_of_bounds(solution, [geometric.one_class(*one)], "geometric")
    )


def broken_law(
    network: Network, populations: Sequence[int], throughputs: Row, residence_times: Sequence[Row],
    exact: bool,
) -> str | None:  # fmt: skip
    """The law that an answer breaks, in words, or None; without the bounds, which cost more.

    ``populations`` stand in the place of those of the network; those of open classes are not looked
    at.
    """
    room = EXACT if exact else APPROXIMATE
    stations = network.stations
    for c, customer_class in enumerate(network.classes):
        x = throughputs[c]
        if not 0.0 <= x < inf:
            return f"throughput of class {customer_class.name!r} is {x!r}"
        time = 0.0
        least = 1.0 - room if x else 0.0
        row = network.demand[c]
        for residence, demand in zip(residence_times[c], row, strict=True):
            if not demand * least <= residence < inf:  # rare, but for stations of other speeds
                broken = _broken_time(network, c, residence_times[c], least)
                if broken is not None:
                    return broken
            time += residence
        if type(customer_class) is ClosedClass:
            population = populations[c]
            present = x * (time + customer_class.think_time)
            if abs(present - population) > room * population:
                return (
                    f"class {customer_class.name!r} has {population} customers, "
                    f"the answer {present!r}"
                )
        elif isinstance(customer_class, OpenClass):
            rate = customer_class.arrival_rate
            lossless = not network.limits
            if x > rate * (1.0 + room) or (lossless and x < rate * (1.0 - room)):
                return f"class {customer_class.name!r} arrives at {rate!r}, the answer is {x!r}"
    for k, station in enumerate(stations):
        load = 0.0
        for c, x in enumerate(throughputs):
            load += x * network.demand[c][k]
        if load > station.max_rate * (1.0 + room):
            return f"station {station.name!r} works at {load!r}, it can do {station.max_rate:g}"
    return None


def _broken_time(network: Network, c: int, times: Row, least: float) -> str | None:
    """The residence time of a class that is none, or shorter than service alone; or None."""
    for k, residence in enumerate(times):
        if not 0.0 <= residence < inf:
            return f"residence time of {_at(network, c, k)} is {residence!r}"
        demand = network.demand[c][k]
        dependent = isinstance(network.stations[k], LoadDependentStation)
        if residence < demand * least and not dependent:
            return f"residence time of {_at(network, c, k)} is {residence!r}, its demand {demand!r}"
    return None


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
