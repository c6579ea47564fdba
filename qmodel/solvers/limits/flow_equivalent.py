"""One class and one limited part, however many customers: flow-equivalent servers.

The part inside the limit is replaced by a server that works, with n customers there, at the
throughput X(min(n, limit)) of the part alone; the rest of the network alone, with the other N - n
customers, is what feeds it [1]. Both are exact solutions of networks of product form, and what is
left is a queue with n from 0 to N, p(n) X(min(n, limit)) = p(n - 1) Y(N - n + 1). Those of the n
beyond the limit wait outside [2].

Where many customers are inside or out, nothing but the numbers that are likely is computed, at the
cost of a recursive filter for each station; see `qmodel.solvers.product_form.scaled_convolution`.

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

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from qmodel.model.closed_network import empty_solution
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.solvers.method import Method
from qmodel.solvers.product_form.scaled_convolution import Part, Server, mean_at, weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Customers at most: some arrays of so many numbers are kept.
CUSTOMERS = 1_000_000
#: Halvings of an interval of throughputs, which leave nothing of it.
_HALVINGS = 60


class Numbers(NamedTuple):
    """How many are at the limit, and the mean numbers everywhere.

    Attributes
    ----------
    chances : array
        Of 0, 1 ... customers at the limit, inside or waiting. [1]
    most : int
        Most that are ever inside. [customers]
    speed : float
        Throughput with so many inside. [1/s]
    throughput : float
        Of the network. [1/s]
    queues : tuple of float
        At each station; at that of the limit those who wait. [customers]
    """

    chances: Array
    most: int
    speed: float
    throughput: float
    queues: tuple[float, ...]


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
    return replace(network, limits=()).product_form_violation()


def solve(network: Network) -> Solution:
    """Throughput and residence times."""
    (customers,) = network.classes
    assert isinstance(customers, ClosedClass)
    if not customers.population:
        return empty_solution(network, "flow_equivalent")
    found = numbers(network)
    residence = tuple(q / found.throughput for q in found.queues)
    return Solution(network, "flow_equivalent", (found.throughput,), (residence,))


def numbers(network: Network) -> Numbers:
    """Numbers at the limit of a network with customers."""
    import numpy as np

    (customers,), (limit,), (row,) = network.classes, network.limits, network.demand
    assert isinstance(customers, ClosedClass)
    population, names = customers.population, network.station_names
    inside = [names.index(name) for name in limit.stations if row[names.index(name)]]
    waiting = names.index(limit.name)
    rest = [k for k in range(len(names)) if k not in inside and k != waiting]
    most = min(limit.customers, population)
    part = Part.of(network, inside, 0.0, most)
    fed = Part.of(network, rest, customers.think_time, population)
    limited = bool(inside)
    if not limited:  # nobody ever comes to the limit
        part, most = Part.of(network, rest, customers.think_time, population), population
        fed, inside, rest = Part.of(network, [], 0.0, population), rest, []
    speed = _speed(part, most)
    scale = _throughput(part, fed, speed, population)
    there, elsewhere = weights(part, most, scale), weights(fed, population, scale)
    waits = np.arange(population - most + 1.0)
    tail = there[-1] * (scale / speed) ** waits[1:]
    chances = np.concatenate([there, tail]) * elsewhere[::-1]
    chances /= chances.sum()
    let_in = np.concatenate([chances[:most], [chances[most:].sum()]])
    below = np.divide(there[:-1], there[1:], out=np.zeros(most), where=there[1:] > 0.0)
    throughput = float(let_in[1:] @ below) * scale
    queues = [0.0] * len(names)
    known: dict[tuple[bool, Server], float] = {}  # equal stations have equal queues
    for stations, some, have, chance in (
        (inside, part, there, let_in),
        (rest, fed, elsewhere, chances[::-1]),
    ):
        for k in stations:
            if k not in some.servers:
                queues[k] = throughput * row[k]
                continue
            key = (some is part, some.servers[k])
            if key not in known:
                known[key] = float(chance @ mean_at(some.servers[k], some, scale, have))
            queues[k] = known[key]
    queues[waiting] = float(chances[most:] @ waits) if limited else 0.0
    return Numbers(chances, most, speed, throughput, tuple(queues))


def _speed(part: Part, most: int) -> float:
    """Throughput of the limited part alone with so many customers. [1/s]"""
    scale = part.capacity
    if part.delay:
        scale = min(scale, most / part.delay)
    found = weights(part, most, scale)
    return float(scale * found[-2] / found[-1])


def _throughput(part: Part, fed: Part, speed: float, population: int) -> float:
    """About the throughput of all: that with which about all customers are somewhere. [1/s]"""
    low, high = 0.0, min(speed, part.capacity, fed.capacity)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if not low < middle < high:
            break
        waiting = middle / (speed - middle)
        crowd = part.present(middle) + fed.present(middle) + waiting
        low, high = (middle, high) if crowd < population else (low, middle)
    return low


METHOD = Method("flow_equivalent", False, solve, why_not)
