"""A server to which more arrives than it can serve: how busy each station would be, and is."""

from math import inf

from calibration.model_evaluation.network import lasting_rate
from qmodel import DelayStation, Network, OpenClass


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


def least_times(network: Network, c: int) -> list[float]:
    """Least time of a class at each station: its demand, or infinite where too much arrives. [s]"""
    loads = offered_loads(network)
    return [
        inf if load >= 1.0 and demand else demand
        for load, demand in zip(loads, network.demand[c], strict=True)
    ]
