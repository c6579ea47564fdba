"""Flow-equivalent servers: one class and one limited region, however many customers.

Chandy, Herzog and Woo (1975); Lazowska et al. (1984), ch. 9.3.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, limits/flow_equivalent.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from qmodel.model.closed_network import but_empty, empty_solution, solution_of
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.numerics.arrays import Array
from qmodel.solvers.method import Method
from qmodel.solvers.product_form.scaled_convolution import Part, Server, mean_at, weights

#: Customers at most: some arrays of so many numbers are kept.
CUSTOMERS = 1_000_000
#: Halvings of an interval of throughputs, which leave nothing of it.
_HALVINGS = 60


class Numbers(NamedTuple):
    """How many customers are at the limit, and the mean numbers everywhere."""

    #: Of 0, 1 ... customers at the limit, inside or waiting. [1]
    probabilities: Array
    #: Most customers inside. [customers]
    most: int
    #: Throughput with so many inside. [1/s]
    speed: float
    #: Of the network. [1/s]
    throughput: float
    #: At each station; at that of the limit customers waiting for admission. [customers]
    queues: tuple[float, ...]


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    if not network.limits:
        return "no limit keeps customers outside"
    if len(network.limits) > 1:
        return f"it takes one limit, there are {len(network.limits)}"
    c, *others = but_empty(network)
    if others:
        return f"it takes one class, there are {1 + len(others)}"
    customers = network.classes[c]
    if not isinstance(customers, ClosedClass):
        return f"class {customers.name!r} is open"
    if customers.population > CUSTOMERS:
        return f"{customers.population} customers, it takes {CUSTOMERS}"
    return replace(network, limits=()).product_form_violation()


def solve(network: Network) -> Solution:
    """Throughput and residence times."""
    c = but_empty(network)[0]
    if not network.populations[c]:
        return empty_solution(network, "flow-equivalent")
    means = numbers(network, c)
    residence = [q / means.throughput for q in means.queues]
    return solution_of(network, "flow-equivalent", [c], [means.throughput], [residence])


def numbers(network: Network, c: int = 0) -> Numbers:
    """Numbers at the limit of a network with customers of one class, by its position."""
    customers, (limit,), row = network.classes[c], network.limits, network.demand[c]
    assert isinstance(customers, ClosedClass)
    population, names = customers.population, network.station_names
    counts = limit.counts(customers.name)
    inside = [k for k in map(names.index, limit.stations) if row[k] and counts]
    waiting = names.index(limit.name)
    rest = [k for k in range(len(names)) if k not in inside and k != waiting]
    most = min(limit.customers, population)
    part = Part.of(network, c, inside, 0.0, most)
    fed = Part.of(network, c, rest, customers.think_time, population)
    limited = bool(inside)
    if not limited:  # the region is never visited
        part, most = Part.of(network, c, rest, customers.think_time, population), population
        fed, inside, rest = Part.of(network, c, [], 0.0, population), rest, []
    speed = _speed(part, most)
    scale = _throughput(part, fed, speed, population)
    region, elsewhere = weights(part, most, scale), weights(fed, population, scale)
    waits = np.arange(population - most + 1.0)
    tail = region[-1] * (scale / speed) ** waits[1:]
    marginal = np.concatenate([region, tail]) * elsewhere[::-1]
    marginal /= marginal.sum()
    admitted = np.concatenate([marginal[:most], [marginal[most:].sum()]])
    below = np.divide(region[:-1], region[1:], out=np.zeros(most), where=region[1:] > 0.0)
    throughput = float(admitted[1:] @ below) * scale
    queues = [0.0] * len(names)
    means: dict[tuple[bool, Server], float] = {}  # equal stations have equal queues
    for stations, some, have, chance in (
        (inside, part, region, admitted),
        (rest, fed, elsewhere, marginal[::-1]),
    ):
        for k in stations:
            if k not in some.servers:
                queues[k] = throughput * row[k]
                continue
            key = (some is part, some.servers[k])
            if key not in means:
                means[key] = float(chance @ mean_at(some.servers[k], some, scale, have))
            queues[k] = means[key]
    queues[waiting] = float(marginal[most:] @ waits) if limited else 0.0
    return Numbers(marginal, most, speed, throughput, tuple(queues))


def _speed(part: Part, most: int) -> float:
    """Throughput of the region alone with so many customers. [1/s]"""
    scale = part.capacity
    if part.delay:
        scale = min(scale, most / part.delay)
    region = weights(part, most, scale)
    return float(scale * region[-2] / region[-1])


def _throughput(part: Part, fed: Part, speed: float, population: int) -> float:
    """About the throughput: that at which the mean numbers add up to all customers. [1/s]"""
    low, high = 0.0, min(speed, part.capacity, fed.capacity)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if not low < middle < high:
            break
        waiting = middle / (speed - middle)
        crowd = part.present(middle) + fed.present(middle) + waiting
        low, high = (middle, high) if crowd < population else (low, middle)
    return low


METHOD = Method("flow-equivalent", False, solve, why_not)
