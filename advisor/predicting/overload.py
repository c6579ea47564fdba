"""A server to which more arrives than it can serve: how busy each station would be, and is."""

from math import inf

from calibration.model_evaluation.network import BACKGROUND, lasting_rate
from qmodel import ClosedClass, DelayStation, Network, OpenClass, solve


def arrivals_of(network: Network) -> list[float]:
    """Arrivals of each class; none of a closed one. [1/s]"""
    return [c.arrival_rate if isinstance(c, OpenClass) else 0.0 for c in network.classes]


def offered_loads(network: Network) -> list[float]:
    """Work that arrives at each station over what it can do, from 1 on too much of it. [1]"""
    rates = arrivals_of(network)
    return [
        0.0
        if isinstance(station, DelayStation)
        else sum(x * row[k] for x, row in zip(rates, network.demand, strict=True))
        / lasting_rate(station)
        for k, station in enumerate(network.stations)
    ]


def served_part(network: Network) -> tuple[float, list[float]]:
    """The part of what arrives that is served, as other work leaves time or a pool places. [1]

    And how busy each station is with that and the other work. [1]
    """
    names, rates = network.class_names, arrivals_of(network)
    own = [x if name != BACKGROUND else 0.0 for name, x in zip(names, rates, strict=True)]
    row = [sum(x * d[k] for x, d in zip(own, network.demand, strict=True))
           for k in range(len(network.stations))]  # fmt: skip
    offered = offered_loads(network)
    mine = [work / lasting_rate(network.stations[k]) if load else 0.0
            for k, (work, load) in enumerate(zip(row, offered, strict=True))]  # fmt: skip
    served = 1.0
    for load, part in zip(offered, mine, strict=True):
        if part > 0.0:
            served = min(served, max(0.0, 1.0 - load + part) / part)
    for limit in network.limits:
        inside = [k for k, name in enumerate(network.station_names) if name in limit.stations]
        stations = [network.stations[k] for k in inside]
        full = Network(stations, [ClosedClass("all", limit.customers)], [[row[k] for k in inside]])
        served = min(served, solve(full).throughputs[0])
    return served, [
        min(1.0, load - part * (1.0 - served)) for load, part in zip(offered, mine, strict=True)
    ]


def least_times(network: Network, c: int) -> list[float]:
    """Least time of a class at each station: its demand, or infinite where too much arrives. [s]

    Outside a limit it waits without a bound, wherever too much arrives.
    """
    loads, waiting = offered_loads(network), {limit.name for limit in network.limits}
    return [
        inf if (load >= 1.0 and demand) or station.name in waiting else demand
        for station, load, demand in zip(network.stations, loads, network.demand[c], strict=True)
    ]
