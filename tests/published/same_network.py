"""Whether two examples are of one network, however their sources draw it.

Names and order of stations and classes do not matter. Time at delay stations is think time, a
station of several servers is one whose rate grows with its customers, and a delay station is one
whose rate always does. Demands are compared to two parts in a thousand, for sources round them.
Other populations or arrival rates make another network.
"""

from __future__ import annotations

from math import isclose

import qmodel as qm

#: Customers up to which rates are compared where open classes leave the number without a limit.
MANY = 100
#: A class: population or nothing, arrival rate, think time; and a station: rates and demands.
Form = tuple[list[list[float]], list[list[float]]]


def same(one: qm.Network, other: qm.Network) -> bool:
    """Whether two networks have the same stations, classes and populations."""
    return all(
        len(mine) == len(theirs) and all(map(_close, mine, theirs))
        for mine, theirs in zip(form(one), form(other), strict=True)
    )


def form(network: qm.Network) -> Form:
    """The classes and the stations of a network, in an order that names have no part in."""
    stations, thinking = [], [0.0] * len(network.classes)
    for k, station in enumerate(network.stations):
        demands = [row[k] for row in network.demand]
        rates = _rates(station, _most(network))
        if all(rate == n for n, rate in enumerate(rates, 1)) and len(rates) > 1:
            thinking = [z + d for z, d in zip(thinking, demands, strict=True)]
        elif any(demands):
            stations.append([d / rates[0] for d in demands] + [r / rates[0] for r in rates])
    classes = [
        [0.0, c.arrival_rate, z]
        if isinstance(c, qm.OpenClass)
        else [float(c.population), 0.0, z + c.think_time]
        for c, z in zip(network.classes, thinking, strict=True)
    ]
    order = sorted(range(len(classes)), key=lambda c: (classes[c], _total(stations, c)))
    width = len(classes)
    moved = [[s[c] for c in order] + s[width:] for s in stations]
    return [classes[c] for c in order], sorted(moved)


def _most(network: qm.Network) -> int:
    populations = [c.population for c in network.classes if isinstance(c, qm.ClosedClass)]
    return sum(populations) if len(populations) == len(network.classes) else MANY


def _rates(station: qm.Station, most: int) -> list[float]:
    numbers = range(1, most + 1)
    if isinstance(station, qm.DelayStation):
        return [float(n) for n in numbers]
    if isinstance(station, qm.LoadDependentStation):
        return [float(station.rates[min(n, len(station.rates)) - 1]) for n in numbers]
    if isinstance(station, qm.QueueingStation):
        return [float(min(n, station.servers)) for n in numbers]
    raise TypeError(f"station {station.name!r} has no rates to compare")


def _total(stations: list[list[float]], c: int) -> float:
    return sum(station[c] for station in stations)


def _close(one: list[float], other: list[float]) -> bool:
    return len(one) == len(other) and all(
        isclose(a, b, rel_tol=2e-3, abs_tol=1e-12) for a, b in zip(one, other, strict=True)
    )
