"""How many states the Markov chain of a network has, without making them.

Customers are divided among the places; each place has so many states with what it holds. Numbers
are summed over all divisions, place by place, as the normalising constant of a product form is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import comb, inf
from typing import TYPE_CHECKING

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network

if TYPE_CHECKING:
    from qmodel.solvers.global_balance.network_states import Gate, NetworkPlaces

Counts = tuple[int, ...]
#: Numbers of states by what they hold.
Sizes = dict[Counts, int]


def divisions(network: Network) -> float:
    """In how many ways closed customers are divided among places; no chain has fewer states.

    Who is inside a limit counts as being in its line, since that may be so.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> divisions(Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", 4, 1.0)], [[0.1, 0.2]]))
    15.0
    """
    found = 1.0
    for customers, row in zip(network.classes, network.demand, strict=True):
        if not isinstance(customers, ClosedClass):
            continue
        lines = {name: limit.name for limit in network.limits for name in limit.stations}
        places = {
            lines.get(station.name, station.name)
            for station, demand in zip(network.stations, row, strict=True)
            if demand
        }
        more = len(places) + (customers.think_time > 0.0) - 1
        found *= comb(customers.population + more, more)
    return found


def size(network: NetworkPlaces, most: int) -> float:
    """About how many states there are, at most; where that is more than ``most``, perhaps more.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> from qmodel.solvers.global_balance.network_states import NetworkPlaces
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", 4)], [[0.1, 0.2]])
    >>> size(NetworkPlaces.of(network), 1000)
    5.0
    """
    if not network.population:
        return 1.0
    groups = _groups(network, most)
    for group in groups:
        alone = sum(group.values())
        if alone > most:
            return float(alone)
    groups.sort(key=len)

    def fits(counts: Counts) -> bool:
        return all(n <= m for n, m in zip(counts, network.population, strict=True))

    total: Sizes = {(0,) * len(network.population): 1}
    for group in groups[:-1]:
        total = _merged(total, group, fits)
    found = 0
    for there, states in groups[-1].items():
        rest = tuple(n - m for n, m in zip(network.population, there, strict=True))
        found += states * total.get(rest, 0)
    return float(found)


def _groups(network: NetworkPlaces, most: int) -> list[Sizes]:
    """The places that customers are divided among; those inside a limit and its line are one."""
    gates = {gate for row in network.gates for gate in row if gate is not None}
    used = {k for c in range(len(network.population)) for k in network.visited(c)}
    inside = {k for gate in gates for k in gate.inside}
    return [
        *(_sizes(network, k, most) for k in used - inside),
        *(_limited(network, gate, most) for gate in gates),
    ]


def _sizes(network: NetworkPlaces, k: int, most: int) -> Sizes:
    """The states of a place, until there are too many of them."""
    ranges = []
    for c, n in enumerate(network.population):
        places = network.visited(c)
        alone = places == [k] and network.gates[c][k] is None
        ranges.append(range(n if alone else 0, (n if k in places else 0) + 1))
    found: Sizes = {}
    total = 0
    for counts in product(*ranges):
        if _let_in(network, k, counts):
            found[counts] = network.places[k].size(counts)
            total += found[counts]
            if total > most:
                break
    return found


def _limited(network: NetworkPlaces, gate: Gate, most: int) -> Sizes:
    """States inside a limit and of the line outside, which is empty unless it is full."""
    first = gate.inside[0]

    def fits(counts: Counts) -> bool:
        few = all(n <= m for n, m in zip(counts, network.population, strict=True))
        return few and _let_in(network, first, counts)

    inside: Sizes = {(0,) * len(network.population): 1}
    for k in gate.inside:
        inside = _merged(inside, _sizes(network, k, most), fits, most)
    found: Sizes = {}
    total = 0
    for there, states in inside.items():
        ranges = [range(1)] * len(there)
        if _counted(network, first, there) == gate.most:
            ranges = [
                range((n - m if gates[first] is gate else 0) + 1)
                for n, m, gates in zip(network.population, there, network.gates, strict=True)
            ]
        for waiting in product(*ranges):
            both = _sum(there, waiting)
            more = states * network.places[gate.line].size(waiting)
            found[both] = found.get(both, 0) + more
            total += more
            if total > most:
                return found
    return found


def _merged(some: Sizes, others: Sizes, fits: Callable[[Counts], bool], most: float = inf) -> Sizes:
    """States of places together, until there are too many of them."""
    found: Sizes = {}
    total = 0
    for a, x in some.items():
        for b, y in others.items():
            both = _sum(a, b)
            if fits(both):
                found[both] = found.get(both, 0) + x * y
                total += x * y
                if total > most:
                    return found
    return found


def _let_in(network: NetworkPlaces, k: int, counts: Counts) -> bool:
    """Whether so many may be at a place, if it is inside a limit."""
    gate = next((gates[k] for gates in network.gates if gates[k] is not None), None)
    return gate is None or _counted(network, k, counts) <= gate.most


def _counted(network: NetworkPlaces, k: int, counts: Counts) -> int:
    """How many of these are under the limit of a place."""
    return sum(n for n, gates in zip(counts, network.gates, strict=True) if gates[k] is not None)


def _sum(a: Sequence[int], b: Sequence[int]) -> Counts:
    return tuple(x + y for x, y in zip(a, b, strict=True))
