"""What X, R, U and Q of a network of one class are, from plain floats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, NamedTuple

from qmodel.errors import InternalError, InvalidInput, NotApplicable, Unstable
from qmodel.kernels.coxian_queue import LEAST_SCV, coxian_queue
from qmodel.kernels.effective_rates import effective_rates, residence_per_demand
from qmodel.kernels.exact import exact
from qmodel.model.closed_network import OneClass, without_repetition
from qmodel.provenance import note_method

#: Relative room for rounding, as `qmodel.solvers.invariants.EXACT`.
EXACT = 1e-9


@dataclass(frozen=True, slots=True)
class OneClassNetwork:
    """A network of one class of customers, as numbers alone; station k is the k-th of each.

    Parameters
    ----------
    demands : sequence of float
        Service demand at each station where customers queue, D. [s]
    think_time : float
        Time between interactions, outside of the response time, Z. [s]
    delay : float
        Delay without queueing, part of the response time. [s]
    servers : sequence of int
        Equal servers of each station, m; empty for one each.
    rates : sequence of (tuple of float or None)
        Speeds of a load-dependent station relative to one customer's, with 1, 2 ... customers, the
        last going on; None for a station of ``servers``. Empty for none.
    background : sequence of float
        Part of each station's capacity that other work takes, below 1; empty for none. [1]
    scv : sequence of float
        Squared coefficient of variation of service, first come first served; other than 1 at one
        single server at most. Empty for 1, which is product form under any order. [1]

    Examples
    --------
    >>> server = OneClassNetwork([0.4, 0.05], think_time=2.0, servers=[8, 1])
    >>> [(round(x, 3), round(r, 3)) for x, r in totals(server, [10, 50])]
    [(4.064, 0.461), (17.629, 0.836)]
    """

    demands: Sequence[float]
    think_time: float = 0.0
    delay: float = 0.0
    servers: Sequence[int] = ()
    rates: Sequence[tuple[float, ...] | None] = ()
    background: Sequence[float] = ()
    scv: Sequence[float] = ()

    def stations(self) -> Iterator[tuple[float, int, tuple[float, ...] | None, float]]:
        """Demand, servers, rates and background of each station."""
        count = len(self.demands)
        return zip(
            self.demands, self.servers or (1,) * count, self.rates or (None,) * count,
            self.background or (0.0,) * count, strict=True,
        )  # fmt: skip


class Measures(NamedTuple):
    """What one class does: at each station in the order of the demands.

    Attributes
    ----------
    throughput : float
        X. [1/s]
    response_time : float
        R, without the think time. [s]
    residence_times, queue_lengths : tuple of float
        R_k, all visits together, and Q_k = X R_k. [s], [customers]
    utilizations : tuple of float
        U_k, of one server, background included; of a load-dependent station over its highest
        speed. [1]
    """

    throughput: float
    response_time: float
    residence_times: tuple[float, ...]
    queue_lengths: tuple[float, ...]
    utilizations: tuple[float, ...]


def totals(network: OneClassNetwork, populations: Sequence[int]) -> list[tuple[float, float]]:
    """Throughput [1/s] and response time [s] with some numbers of customers; else `at_populations`.

    Examples
    --------
    >>> totals(OneClassNetwork([0.5], think_time=1.5), [1, 2])
    [(0.5, 0.5), (0.9411764705882353, 0.625)]
    """
    return [(x, r) for x, r, _ in _solved(network, populations, stations=False)]


def at_populations(network: OneClassNetwork, populations: Sequence[int]) -> list[Measures]:
    """All measures of the closed network with some numbers of customers.

    Raises
    ------
    InvalidInput, Unstable
        If a population is below 1 or nothing takes any time; if other work takes all of a station.
    NotApplicable
        If service varies where it is not solved: at more than one station, at several servers,
        with an SCV below `LEAST_SCV`, or where there is nothing else.
    OverflowError
        If floats cannot hold the answer: the parameters of a search may go anywhere.
    """
    return [
        _measures(network, x, r, times)
        for x, r, times in _solved(network, populations, stations=True)
    ]


def at_arrival_rate(network: OneClassNetwork, arrival_rate: float) -> Measures:
    """All measures of the open network with Poisson arrivals at some rate. [1/s]

    Raises
    ------
    Unstable, NotApplicable
        If a station cannot keep up; if service varies, as departures then are no Poisson process.

    Examples
    --------
    >>> at_arrival_rate(OneClassNetwork([0.5], delay=0.1), 1.0).response_time
    1.1
    """
    if any(value != 1.0 for value in network.scv):
        raise NotApplicable("service that varies: expected a closed network, not a rate")
    times = []
    for k, (demand, servers, rates, background) in enumerate(network.stations()):
        capacity = rates[-1] if rates else float(servers)
        load = arrival_rate * demand + background * capacity
        if not load < capacity:
            raise Unstable(f"station {k} cannot keep up: {load:g} of {capacity:g}")
        times.append(demand * residence_per_demand(rates or servers, load, capacity - load))
    return _measures(network, arrival_rate, network.delay + sum(times), tuple(times))


def _solved(
    network: OneClassNetwork, populations: Sequence[int], stations: bool
) -> list[tuple[float, float, tuple[float, ...]]]:
    """Throughput, response time and, where asked for, residence times; all of them checked."""
    wanted = sorted({*populations})
    if not wanted or wanted[0] < 1:
        raise InvalidInput(f"populations must be at least 1, got {[*populations]!r}")
    model = _reduced(network, wanted[-1])
    varying = [k for k, scv in enumerate(network.scv) if scv != 1.0 and network.demands[k]]
    if varying:
        method, rows = "marie", _marie(model, varying, network.scv, wanted, stations)
    else:
        method = "convolution" if any(model.rates) else "mva"
        rows = exact(model, wanted, stations=stations)
    think, least, most = network.think_time, network.delay, inf
    for demand, servers, rates, background in network.stations():
        if demand and not rates:
            least += demand
            most = min(most, servers * (1.0 - background) / demand)
    answers = {}
    for n, (x, *times) in rows.items():
        response, residence = n / x - think, [0.0] * len(network.demands)
        if times:
            response = network.delay
            for k, time in zip(model.positions, times, strict=True):
                residence[k] = time
                response += time
        answers[n] = x, response, tuple(residence)
        _check(method, n, think, least, most, x, response)
    note_method(method)
    return [answers[n] for n in populations]


def _check(
    method: str, n: int, think: float, least: float, most: float, x: float, response: float
) -> None:
    """Little's law, no response quicker than service alone, no station busier than it can be."""
    if not (isfinite(x) and isfinite(response)):
        raise OverflowError(f"throughput {x!r}, response time {response!r}")
    present = x * (response + think)
    if response < least * (1.0 - EXACT) - EXACT * think:
        problem = f"response time {response!r} is below the {least!r} of a customer alone"
    elif x > most * (1.0 + EXACT):
        problem = f"throughput {x!r} is beyond {most!r}, the most there can be"
    elif abs(present - n) > EXACT * n:
        problem = f"{n} customers, the answer has {present!r}"
    else:
        return
    raise InternalError(f"{method}: {problem}; please report it")


def _reduced(network: OneClassNetwork, population: int) -> OneClass:
    """The stations with any demand, other work taken off, for so many customers."""
    positions, demands, every = [], [], []
    for k, (demand, servers, rates, background) in enumerate(network.stations()):
        if not demand:
            continue
        if rates:
            speeds = without_repetition(rates, population)
        else:
            speeds = tuple([float(j) for j in range(1, min(servers, population) + 1)])
        if background:
            capacity = rates[-1] if rates else float(servers)
            spare = capacity * (1.0 - background)
            if not spare > 0.0:
                raise Unstable(f"other work takes all of station {k}")
            speeds = effective_rates(rates or servers, capacity - spare, spare, population)
        positions.append(k)
        demands.append(demand / speeds[0] if len(speeds) == 1 else demand)
        every.append(speeds if len(speeds) > 1 else None)
    away = network.think_time + network.delay
    total = away + sum(demands)
    if not total:
        raise InvalidInput("all demands, the delay and the think time are 0, expected one above 0")
    if not isfinite(total):
        raise OverflowError(f"times of {total!r} s in all")
    return OneClass(0, population, away, tuple(positions), tuple(demands), tuple(every))


def _marie(
    model: OneClass, varying: list[int], scv: Sequence[float], wanted: list[int], stations: bool
) -> dict[int, tuple[float, ...]]:
    """As `exact`, with one station of variable service, fed by the rest of the network."""
    at = model.positions.index(varying[0])
    if len(varying) > 1 or model.rates[at] is not None:
        raise NotApplicable("service that varies at several servers, expected one single server")
    if scv[varying[0]] < LEAST_SCV:
        raise NotApplicable(f"an SCV of {scv[varying[0]]:g} is below {LEAST_SCV:g}, the least")

    def others(values: Sequence[Any]) -> tuple[Any, ...]:
        return (*values[:at], *values[at + 1 :])

    without = model._replace(demands=others(model.demands), rates=others(model.rates))
    if not without.demands and not without.delay:  # it has all customers, whatever varies
        work = model.demands[at]
        return {n: (1.0 / work, *([n * work] if stations else [])) for n in wanted}
    rest = exact(without, range(1, wanted[-1] + 1), stations=stations)
    rows: dict[int, tuple[float, ...]] = {}
    for n in wanted:
        arrivals = [rest[j][0] for j in range(n, 0, -1)]
        x, chances = coxian_queue(arrivals, model.demands[at], scv[varying[0]])
        rows[n] = (x,)
        if stations:
            here = sum(j * chance for j, chance in enumerate(chances))
            there = [0.0] * len(without.demands)
            for j, chance in enumerate(chances[:n]):
                rate, *times = rest[n - j]
                there = [q + chance * rate * time for q, time in zip(there, times, strict=True)]
            rows[n] = (x, *(q / x for q in (*there[:at], here, *there[at:])))
    return rows


def _measures(
    network: OneClassNetwork, throughput: float, response_time: float, residence: tuple[float, ...]
) -> Measures:
    utilizations = tuple(
        background + throughput * demand / (max(rates) if rates else servers)
        for demand, servers, rates, background in network.stations()
    )
    queues = tuple([throughput * time for time in residence])
    return Measures(throughput, response_time, residence, queues, utilizations)
