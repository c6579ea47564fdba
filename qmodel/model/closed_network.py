"""Closed networks reduced to what their solution depends on: one class, or several."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Self

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution, total
from qmodel.model.stations import (
    DelayStation,
    ForkJoinStation,
    LoadDependentStation,
    QueueingStation,
)

#: Relative rates of a single server.
_SINGLE_SERVER = (1.0,)


class OneClass(NamedTuple):
    """A closed network of one class with customers, reduced to what its solution depends on."""

    #: Position of the class.
    position: int
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


def at_population(network: Network, vary: str, population: int) -> Network:
    """The same network with another population of one class."""
    closed = [c for c in network.classes if isinstance(c, ClosedClass)]
    return network.with_population(
        *(population if c.name == vary else c.population for c in closed)
    )


def without_limits(network: Network) -> Network:
    """The network without its limits and the stations where customers wait for them."""
    if not network.limits:
        return network
    kept = len(network.stations) - len(network.limits)

    def part(matrix: tuple[tuple[float, ...], ...] | None) -> tuple[tuple[float, ...], ...] | None:
        return None if matrix is None else tuple(row[:kept] for row in matrix)

    return replace(
        network, stations=network.stations[:kept],
        demand=tuple(row[:kept] for row in network.demand), visit_ratio=part(network.visit_ratio),
        scv=part(network.scv), limits=(),
    )  # fmt: skip


class SeveralClasses(NamedTuple):
    """A closed network of several classes, reduced to those with customers, the largest first."""

    #: Positions of the classes and, of those where customers queue, of the stations.
    classes: tuple[int, ...]
    stations: tuple[int, ...]
    population: tuple[int, ...]
    #: Think time and the demands at all delay stations of each class. [s]
    delay: tuple[float, ...]
    #: Demands, with the speed of a station of one speed counted in, shape (C, K). [s]
    demand: tuple[tuple[float, ...], ...]
    #: Relative rates with 1, 2 ... customers, the last going on; None: a single server.
    rates: tuple[tuple[float, ...] | None, ...]

    def in_order(self, order: Sequence[int]) -> Self:
        """The same with its classes in another order."""
        return self._replace(
            classes=tuple(self.classes[c] for c in order),
            population=tuple(self.population[c] for c in order),
            delay=tuple(self.delay[c] for c in order),
            demand=tuple(self.demand[c] for c in order),
        )

    def solution(
        self, network: Network, method: str, throughput: Sequence[float],
        residence: Sequence[Sequence[float]],
    ) -> Solution:  # fmt: skip
        """The solution of the whole network; a class without customers has no times."""
        rows = [
            residence_row(network, c, self.stations, row)
            for c, row in zip(self.classes, residence, strict=True)
        ]
        return solution_of(network, method, self.classes, throughput, rows)


def but_empty(network: Network) -> list[int]:
    """Positions of all classes but closed ones without customers; the first if there are no more.

    Open classes count at any rate: a lone one has times, a closed class without customers has none.
    """
    some = [c for c, x in enumerate(network.classes) if getattr(x, "population", 1)]
    return some or [0]


def not_one_class(network: Network) -> str | None:
    """Why this is no closed product-form network with customers of one class, or None if it is."""
    reason = network.product_form_violation() or not_closed(network)
    if reason is None and len(network.classes) > 1:
        some = sum(n > 0 for n in network.populations)
        if some > 1:
            reason = f"it takes one class with customers, there are {some}"
    return reason


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
    """The closed network of one class with customers in the shape its solvers take."""
    index = 0
    if len(network.classes) > 1:
        index = max(range(len(network.classes)), key=network.populations.__getitem__)
    customers = network.classes[index]
    assert isinstance(customers, ClosedClass)
    everywhere = range(len(network.stations))
    return of_one_class(network, index, everywhere, customers.population, customers.think_time)


def of_one_class(
    network: Network, c: int, stations: Iterable[int], most: int, think_time: float
) -> OneClass:
    """So many customers of a class at some stations alone, by their positions, and thinking."""
    delay, positions, demands, rates = think_time, [], [], []
    row, present = network.demand[c], max(1, most)
    for k in stations:
        station, demand = network.stations[k], row[k]
        if isinstance(station, DelayStation):
            delay += demand
        elif demand:
            speeds = service_rates(station, present)
            positions.append(k)
            several = len(speeds) > 1
            demands.append(demand if several else demand / speeds[0])
            rates.append(speeds if several else None)
    return OneClass(c, most, delay, tuple(positions), tuple(demands), tuple(rates))


def several_classes(network: Network) -> SeveralClasses:
    """The closed network of several classes in the shape its solvers take."""
    sizes = network.populations
    classes = [c for c, n in enumerate(sizes) if n]
    classes.sort(key=sizes.__getitem__, reverse=True)
    rows = [network.demand[c] for c in classes]
    fixed, stations, columns = [], [], []
    speeds: list[tuple[float, ...] | None] = []
    # Without customers there are no columns, and no station is of interest.
    for k, (station, column) in enumerate(
        zip(network.stations, zip(*rows, strict=True), strict=False)
    ):
        if isinstance(station, DelayStation):
            fixed.append(k)
        elif any(column):
            rates = service_rates(station, sum(sizes))
            several = len(rates) > 1
            stations.append(k)
            speeds.append(rates if several else None)
            columns.append(
                column if several or rates[0] == 1.0 else tuple([d / rates[0] for d in column])
            )
    think_time = network.think_time
    delay = [total([think_time[c], *(network.demand[c][k] for k in fixed)]) for c in classes]
    return SeveralClasses(
        tuple(classes), tuple(stations), tuple([sizes[c] for c in classes]), tuple(delay),
        tuple(zip(*columns, strict=True)) if columns else ((),) * len(classes), tuple(speeds),
    )  # fmt: skip


def service_rates(
    station: QueueingStation | LoadDependentStation | ForkJoinStation, most: int | None = None
) -> tuple[float, ...]:
    """Relative rates with 1, 2 ... customers present, the last going on, none said twice there.

    Rates with more than ``most`` customers are left out. A branch of a fork-join station is a
    single server.
    """
    if isinstance(station, LoadDependentStation):
        return without_repetition(station.rates, most)
    if isinstance(station, ForkJoinStation) or station.servers == 1:
        return _SINGLE_SERVER
    servers = station.servers if most is None else min(station.servers, most)
    return tuple(float(busy) for busy in range(1, servers + 1))


def without_repetition(rates: tuple[float, ...], most: int | None = None) -> tuple[float, ...]:
    """Rates with at most so many customers, the last going on and not repeated."""
    last = len(rates[:most])
    while last > 1 and rates[last - 2] == rates[last - 1]:
        last -= 1
    return rates[:last]


def one_class_solution(
    network: Network, model: OneClass, method: str, measures: Sequence[float]
) -> Solution:
    """The solution of the whole network from the throughput and residence times of ``model``."""
    throughput, *residence = measures
    row = residence_row(network, model.position, model.positions, residence)
    if len(network.classes) == 1:
        return Solution(network, method, (throughput,), (row,))
    return solution_of(network, method, [model.position], [throughput], [row])


def empty_solution(network: Network, method: str) -> Solution:
    """The solution of a closed network without customers."""
    return solution_of(network, method, (), (), ())


def solution_of(
    network: Network, method: str, classes: Sequence[int], throughput: Sequence[float],
    residence: Sequence[Sequence[float]], **details: Any,
) -> Solution:  # fmt: skip
    """The solution of a network from that of the ``classes`` with customers; others have none."""
    throughputs = [0.0] * len(network.classes)
    rows = [(0.0,) * len(network.stations)] * len(network.classes)
    for c, x, row in zip(classes, throughput, residence, strict=True):
        throughputs[c], rows[c] = x, tuple(row)
    return Solution(network, method, tuple(throughputs), tuple(rows), **details)


def residence_row(
    network: Network, c: int, positions: tuple[int, ...], residence: Sequence[float]
) -> tuple[float, ...]:
    """Residence times of a class at all stations from those at the stations it queues at."""
    if len(positions) == len(network.stations):
        return tuple(residence)
    row = [
        demand if isinstance(station, DelayStation) else 0.0
        for station, demand in zip(network.stations, network.demand[c], strict=True)
    ]
    for k, time in zip(positions, residence, strict=True):
        row[k] = time
    return tuple(row)
