"""What all who look at closed networks have in common: who may enter, and in what shape."""

from __future__ import annotations

from typing import NamedTuple

from qmodel.customer_classes import ClosedClass
from qmodel.network import Network
from qmodel.stations import DelayStation, LoadDependentStation, QueueingStation


class OneClass(NamedTuple):
    """A closed network of one class, reduced to what its solution depends on."""

    population: int
    #: Think time and the demands at all delay stations. [s]
    delay: float
    #: Positions of the stations where customers queue and that are visited at all.
    positions: tuple[int, ...]
    #: Their demands, with the speed of a station of one speed counted in. [s]
    demands: tuple[float, ...]
    #: Their relative rates with 1, 2 ... customers, the last going on; None: a single server.
    rates: tuple[tuple[float, ...] | None, ...]


def not_closed(network: Network) -> str | None:
    """The class that is not closed, or None if all are."""
    for customer_class in network.classes:
        if type(customer_class) is not ClosedClass:
            return f"class {customer_class.name!r} is open"
    return None


def not_one_class(network: Network) -> str | None:
    """Why this is no closed network of one class, or None if it is."""
    if len(network.classes) != 1:
        return f"it takes one class, there are {len(network.classes)}"
    return not_closed(network)


def not_single_server(network: Network) -> str | None:
    """The station that is neither a delay nor a single server, or None if there is none."""
    for station in network.stations:
        if isinstance(station, QueueingStation):
            if station.servers != 1:
                return f"station {station.name!r} has {station.servers} servers"
        elif isinstance(station, LoadDependentStation):
            return f"station {station.name!r} is load-dependent"
    return None


def one_class(network: Network) -> OneClass:
    """The closed network of one class in the shape its solvers take."""
    (customers,) = network.classes
    assert isinstance(customers, ClosedClass)
    delay = customers.think_time
    positions, demands, rates = [], [], []
    for k, (station, demand) in enumerate(zip(network.stations, network.demand[0], strict=True)):
        if isinstance(station, DelayStation):
            delay += demand
        elif demand:
            speeds = service_rates(station)
            positions.append(k)
            demands.append(demand / speeds[0] if len(speeds) == 1 else demand)
            rates.append(None if len(speeds) == 1 else speeds)
    return OneClass(
        customers.population, delay, tuple(positions), tuple(demands), tuple(rates)
    )


def service_rates(station: QueueingStation | LoadDependentStation) -> tuple[float, ...]:
    """Relative rates with 1, 2 ... customers present, the last going on, none said twice there."""
    if isinstance(station, QueueingStation):
        return tuple(float(busy) for busy in range(1, station.servers + 1))
    last = len(station.rates)
    while last > 1 and station.rates[last - 2] == station.rates[-1]:
        last -= 1
    return station.rates[:last]


def residence_row(
    network: Network, positions: tuple[int, ...], residence: list[float]
) -> tuple[float, ...]:
    """Residence times at all stations of a class from those at the stations it queues at."""
    row = [
        demand if isinstance(station, DelayStation) else 0.0
        for station, demand in zip(network.stations, network.demand[0], strict=True)
    ]
    for k, time in zip(positions, residence, strict=True):
        row[k] = time
    return tuple(row)
