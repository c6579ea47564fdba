"""Derivatives by a network with a customer held at a station (Original); see THEORY.md."""

from qmodel.errors import NotApplicable
from qmodel.model.customer_classes import OpenClass
from qmodel.model.network import Network
from qmodel.model.stations import (
    DelayStation,
    ForkJoinStation,
    LoadDependentStation,
    QueueingStation,
    Station,
)

Row = tuple[float, ...]

#: b(n) is taken for positive if no more than this share of it is lost to subtraction.
_LEAST = 1e-3


def with_held_customer(network: Network, k: int) -> tuple[Network, tuple[int, ...]]:
    """The network with a customer held at station ``k``, and the stations that make up that one.

    Raises `NotApplicable` if the station slows down so much that open classes cannot be counted
    this way.
    """
    station = network.stations[k]
    if isinstance(station, DelayStation):
        return network, (k,)
    assert not isinstance(station, ForkJoinStation)
    stations = list(network.stations)
    speeds, last = _leading_rates(station)
    if speeds is None:
        stations[k] = LoadDependentStation(station.name, _of_customers(station, network))
        return Network(stations, network.classes, network.demand), (k,)
    head: Station = QueueingStation(station.name)
    if len(speeds) > 1 or speeds[0] != 1.0:
        head = LoadDependentStation(station.name, speeds)
    stations[k] = head
    name = f"{station.name} again"
    while name in network.station_names:
        name += " again"
    stations.append(QueueingStation(name))
    demand = [[*row, row[k] / last] for row in network.demand]
    return Network(stations, network.classes, demand), (k, len(network.stations))


def _leading_rates(station: QueueingStation | LoadDependentStation) -> tuple[Row | None, float]:
    """Rates of the station before the single server, if there is one, and the rate of that."""
    if isinstance(station, QueueingStation):
        m = station.servers
        several = [n * (m - n + 1) / (m - n) for n in range(1, m)]
        return (*several, float(m)), float(m)
    rates = station.rates
    last = rates[-1]
    weights = []
    for n, rate in enumerate(rates):
        weights.append((n + 1) / rate - n / last)
        if weights[-1] < _LEAST * (n + 1) / rate:
            return None, last
    weights.append(1.0 / last)
    return tuple(rate * weights[n] / weights[n + 1] for n, rate in enumerate(rates)), last


def _of_customers(station: QueueingStation | LoadDependentStation, network: Network) -> Row:
    """Rates of the one station in its place, for as many customers as there are."""
    if any(isinstance(c, OpenClass) for c in network.classes):
        raise NotApplicable(f"station {station.name!r} slows down too much; simulate() takes it")
    most = 1 + sum(network.populations)
    assert isinstance(station, LoadDependentStation)
    rates = station.rates + (station.rates[-1],) * most
    return tuple(rates[n] * n / (n + 1) for n in range(1, most + 1))
