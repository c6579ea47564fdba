"""One class and one limited part, however many customers: flow-equivalent servers.

The part inside the limit is replaced by a server that works, with n customers there, at the
throughput X(min(n, limit)) of the part alone; the rest of the network alone, with the other N - n
customers, is what feeds it [1]. Both are exact solutions of networks of product form, and what is
left is a queue with n from 0 to N, p(n) X(min(n, limit)) = p(n - 1) Y(N - n + 1). Those of the n
beyond the limit wait outside [2].

It is exact if the limit is never reached; otherwise as if the part settled whenever a customer
comes or goes.

Accuracy of ``flow_equivalent`` on ``limit-chain``: R median 0.0037 %, worst 6.6 %.

References
----------
.. [1] K. M. Chandy, U. Herzog and L. Woo, "Parametric analysis of queuing networks," IBM Journal
   of Research and Development 19(1), 1975, pp. 36-42.
.. [2] E. D. Lazowska, J. Zahorjan, G. S. Graham and K. C. Sevcik, "Quantitative System
   Performance," Prentice-Hall, 1984, ch. 9.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from qmodel.closed import nobody
from qmodel.customer_classes import ClosedClass
from qmodel.network import Network
from qmodel.solution import Solution
from qmodel.solvers.method import Method
from qmodel.stations import DelayStation

#: Customers at most: both curves are kept.
CUSTOMERS = 100_000
#: Weights are scaled down by this power of two, exactly, before they overflow.
_LARGE = 2.0**512


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    if not network.limits:
        return "no limit keeps customers outside"
    if len(network.limits) > 1:
        return f"it takes one limit, there are {len(network.limits)}"
    if len(network.classes) > 1:
        return f"it takes one class, there are {len(network.classes)}"
    (customers,) = network.classes
    if not isinstance(customers, ClosedClass):
        return f"class {customers.name!r} is open"
    if customers.population > CUSTOMERS:
        return f"{customers.population} customers, it takes {CUSTOMERS}"
    return replace(network, limits=()).beyond_product_form()


class Numbers(NamedTuple):
    """How many are at the limit, and what both parts are with so many alone."""

    #: Of 0, 1 ... customers at the limit, inside or waiting. [1]
    chances: Sequence[float]
    #: Most that are ever inside.
    most: int
    #: Solutions of the limited part alone and of the rest alone, with 1, 2 ... customers.
    part: Sequence[Solution]
    fed: Sequence[Solution]


def solve(network: Network) -> Solution:
    """Throughput and residence times."""
    (customers,) = network.classes
    assert isinstance(customers, ClosedClass)
    if not customers.population:
        return nobody(network, "flow_equivalent")
    return times(network, numbers(network))


def numbers(network: Network) -> Numbers:
    """Numbers at the limit of a network with customers."""
    (customers,), (limit,) = network.classes, network.limits
    assert isinstance(customers, ClosedClass)
    inside, rest = _inside_and_rest(network)
    most = min(limit.customers, customers.population)
    if not any(network.demand[0][k] for k in inside):
        most = 0
    part = _alone(network, inside, 0.0, most)
    fed = _alone(network, rest, customers.think_time, customers.population)
    return Numbers(_probabilities(customers.population, most, part, fed), most, part, fed)


def times(network: Network, found: Numbers) -> Solution:
    """Throughput and residence times from the numbers at the limit."""
    inside, rest = _inside_and_rest(network)
    population = len(found.chances) - 1
    throughput, outside = 0.0, 0.0
    queues = [0.0] * len(network.stations)
    for n, p in enumerate(found.chances):
        let_in = min(n, found.most)
        for stations, alone, there in (
            (inside, found.part, let_in),
            (rest, found.fed, population - n),
        ):
            if alone and there:
                for k, q in zip(stations, alone[there - 1].queue_lengths[0], strict=False):
                    queues[k] += p * q
        # Whoever is not served inside, if anybody ever is, is served by the rest alone.
        alone, there = (found.part, let_in) if found.most else (found.fed, population)
        throughput += p * alone[there - 1].throughputs[0] if alone and there else 0.0
        outside += p * (n - let_in)
    queues[network.station_names.index(network.limits[0].name)] = outside
    residence = tuple(q / throughput for q in queues)
    return Solution(network, "flow_equivalent", (throughput,), (residence,))


def _inside_and_rest(network: Network) -> tuple[list[int], list[int]]:
    """Positions of the stations inside the limit, and of those that are not."""
    (limit,), names = network.limits, network.station_names
    inside = [names.index(name) for name in limit.stations]
    waiting = names.index(limit.name)
    return inside, [k for k in range(len(names)) if k not in inside and k != waiting]


def _alone(
    network: Network, stations: list[int], think_time: float, most: int
) -> Sequence[Solution]:
    """A part of the network alone with 1, 2 ... customers; nothing where there is nothing to it."""
    from qmodel.curve import curve

    (customers,), (row,) = network.classes, network.demand
    if not think_time and not any(row[k] for k in stations):
        return ()
    part = Network(
        [network.stations[k] for k in stations] or [DelayStation("nothing")],
        [ClosedClass(customers.name, most, think_time)],
        [[row[k] for k in stations] or [0.0]],
    )
    return tuple(curve(part, range(1, most + 1))) if most else ()


def _probabilities(
    population: int, most: int, part: Sequence[Solution], fed: Sequence[Solution]
) -> list[float]:
    """Of 0, 1 ... customers at the limit, inside or waiting."""
    if not most:
        return [1.0]
    if not fed:  # there is nothing else, so that all are here
        return [0.0] * population + [1.0]
    weights = [1.0]
    for n in range(1, population + 1):
        comes, goes = fed[population - n], part[min(n, most) - 1]
        weights.append(weights[-1] * comes.throughputs[0] / goes.throughputs[0])
        if weights[-1] > _LARGE:
            weights = [w / _LARGE for w in weights]
    total = 0.0
    for weight in weights:
        total += weight
    return [weight / total for weight in weights]


METHOD = Method("flow_equivalent", False, solve, why_not)
