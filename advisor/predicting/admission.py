"""A server that works on so many at a time only, for several classes too many to solve as such.

All classes are lumped to one, weighted by their throughputs, whose limit is solved by
flow-equivalent servers [1]_. The same lump without the limit tells what the limit changes at each
station; the classes solved without it wait there by that much less, and outside as the lump does,
for all classes queue there together [2]_. Their throughputs then follow from Little's law, and so
on until nothing changes. Where the limit is hardly reached this is the network without it.

Beside ``isolation``, which tells the classes apart and is itself within some percent of the Markov
chain: two classes of users were within 15 % in all of 35 networks; beside a batch task that never
pauses, in two networks of 76 customers, users within 5 and 32 % (too long) and the task itself
within 9 and 25 % (too short).

References
----------
.. [1] K. M. Chandy, U. Herzog and L. Woo, "Parametric analysis of queuing networks," IBM Journal
   of Research and Development 19(1), 1975, pp. 36-42.
.. [2] E. D. Lazowska, J. Zahorjan, G. S. Graham and K. C. Sevcik, "Quantitative System
   Performance," Prentice-Hall, 1984, ch. 9.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qmodel import ClosedClass, Network, Solution, solve
from qmodel.solvers.flow_equivalent import METHOD as FLOW_EQUIVALENT
from qmodel.stations import DelayStation

#: What such a solution is called in reports.
METHOD = "flow_equivalent of all classes as one"
_ROUNDS = 200
_TOLERANCE = 1e-6
_HALVINGS = 80


def lumps(network: Network) -> bool:
    """Whether several classes share one limit and could be lumped for it."""
    closed = all(isinstance(c, ClosedClass) for c in network.classes)
    if len(network.limits) != 1 or len(network.classes) < 2 or not closed:
        return False
    one = _lumped(network, [1.0] * len(network.classes))
    return FLOW_EQUIVALENT.why_not(one) is None


def solve_lumped(network: Network, solution_of: Callable[[Network], Solution]) -> Solution:
    """Approximate throughputs and residence times of a network of one limit.

    Parameters
    ----------
    network : Network
        One that `lumps`.
    solution_of : callable
        Solves the network without its limit.
    """
    free = solution_of(without_limit(network))
    away = network.station_names.index(network.limits[0].name)
    rates = list(free.throughputs)
    residence: tuple[tuple[float, ...], ...] = ()
    for _ in range(_ROUNDS):
        stretch, outside = _changes(network, rates, away)
        rows = []
        for row in free.residence_times:
            times = [r * s for r, s in zip(row, stretch, strict=True)]
            times.insert(away, 0.0)
            rows.append(times)
        outside = _enough(network, rows, away, outside)
        for times in rows:
            times[away] = outside
        residence = tuple(tuple(row) for row in rows)
        found = _rates(network, residence)
        moved = max(
            (abs(new - old) / new for new, old in zip(found, rates, strict=True) if new),
            default=0.0,
        )
        rates = [(new + old) / 2.0 for new, old in zip(found, rates, strict=True)]
        if moved <= _TOLERANCE:
            break
    return Solution(network, METHOD, _rates(network, residence), residence)


def without_limit(network: Network) -> Network:
    """The same stations and classes, with everybody let in."""
    away = network.station_names.index(network.limits[0].name)
    return Network(
        [s for k, s in enumerate(network.stations) if k != away],
        network.classes,
        [[d for k, d in enumerate(row) if k != away] for row in network.demand],
    )


def _lumped(network: Network, weights: Sequence[float]) -> Network:
    """All classes as one, which asks what they ask on the average."""
    total = sum(weights)
    shares = [w / total for w in weights]
    away = network.station_names.index(network.limits[0].name)
    demand = [
        sum(p * row[k] for p, row in zip(shares, network.demand, strict=True))
        for k in range(len(network.stations))
        if k != away
    ]
    population, think = 0, 0.0
    for share, each in zip(shares, network.classes, strict=True):
        assert isinstance(each, ClosedClass)
        population += each.population
        think += share * each.think_time
    stations = [s for k, s in enumerate(network.stations) if k != away]
    one = ClosedClass("all", population, think)
    return Network(stations, [one], [demand], limits=network.limits)


def _changes(
    network: Network, rates: Sequence[float], away: int
) -> tuple[tuple[float, ...], float]:
    """What the limit makes of the lump's time at each station, and its wait outside. [1], [s]"""
    lump = _lumped(network, rates)
    held = solve(lump, method="flow_equivalent").residence_times[0]
    free = solve(without_limit(lump)).residence_times[0]
    inside = [r for k, r in enumerate(held) if k != away]
    stretch = tuple(h / f if f else 1.0 for h, f in zip(inside, free, strict=True))
    return stretch, held[away]


def _rates(network: Network, residence: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Little's law for each class. [1/s]"""
    found = []
    for each, row in zip(network.classes, residence, strict=True):
        assert isinstance(each, ClosedClass)
        found.append(each.population / (each.think_time + sum(row)) if each.population else 0.0)
    return tuple(found)


def _enough(network: Network, rows: Sequence[Sequence[float]], away: int, outside: float) -> float:
    """The wait outside, longer where more than the limit or than the servers would work. [s]"""
    (limit,) = network.limits
    inside = [network.station_names.index(name) for name in limit.stations]

    def fits(wait: float) -> bool:
        waiting = [[*row[:away], wait, *row[away + 1 :]] for row in rows]
        rates = _rates(network, waiting)
        there = sum(x * row[k] for x, row in zip(rates, rows, strict=True) for k in inside)
        if there > limit.customers:
            return False
        return all(
            isinstance(network.stations[k], DelayStation)
            or sum(x * row[k] for x, row in zip(rates, network.demand, strict=True))
            <= network.stations[k].capacity
            for k in inside
        )

    if fits(outside):
        return outside
    low, high = outside, max(outside, 1.0)
    while not fits(high):
        low, high = high, 2.0 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high
