"""A closed network reduced for approximate mean value analysis, and the way back.

The reduction is original; demands are split after Seidmann et al. (1987).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, amva/closed_model.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from qmodel.model.closed_network import SeveralClasses, not_closed, several_classes
from qmodel.model.network import Network
from qmodel.model.solution import NotConverged, Solution
from qmodel.model.stations import LoadDependentStation, QueueingStation
from qmodel.numerics.arrays import Array
from qmodel.solvers.amva.multiserver import DEFAULT, LAWS
from qmodel.solvers.amva.population_batch import Problems, Solutions
from qmodel.solvers.method import Method

#: Relative error of the queue lengths at which the iteration stops.
TOLERANCE = 1e-10
#: The same per customer: where a queue holds many, no throughput is fine enough for the former.
ROUNDING = 4e-15
#: Share by which a station would have been beyond its capacity from which on it is said.
NOTICED = 1e-9
#: Six to ten evaluations are usual, forty where stations are tied or populations extreme.
STEPS = 100
#: A rate that is higher by no more than rounding is none.
ROUNDED = 1.0 + 1e-9
#: Numbers of one evaluation at most, classes x populations x rates of all stations.
NUMBERS = 50_000_000
#: Queues at most, those of populations with a customer less included; seconds of each.
QUEUES, EACH = 20_000_000, 2e-5


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A closed network, divided into queues and delays."""

    #: As it was given.
    network: Network
    #: Classes with customers and stations where they queue.
    closed: SeveralClasses
    #: Of those stations, the ones where customers may wait.
    queues: tuple[int, ...]
    #: Time of each class at delays, think time included. [s]
    delay: tuple[float, ...]
    #: At full speed, [class][queue]. [s]
    demand: tuple[tuple[float, ...], ...]
    #: Time at each of the stations of ``closed`` that is part of ``delay``. [s]
    unqueued: tuple[tuple[float, ...], ...]
    #: Name of the law for stations whose speed varies.
    law: str

    def solution(self, method: str, solutions: Solutions) -> Solution:
        """The solution of the whole network from the first of the problems.

        Raises `NotConverged` if the error is above the tolerated one.
        """
        throughput, residual = solutions.throughput[:, 0].tolist(), float(solutions.error[0])
        residence = [list(row) for row in self.unqueued]
        for row, queued in zip(residence, solutions.residence[:, :, 0].tolist(), strict=True):
            for k, time in zip(self.queues, queued, strict=True):
                row[k] += time
        solution = self.closed.solution(self.network, method, throughput, residence)
        solution = replace(solution, iterations=solutions.evaluations, residual=residual)
        if solutions.beyond is not None and solutions.beyond[0] > NOTICED:
            beyond = f"slowed down by {solutions.beyond[0]:.1e} to keep a utilization at 1"
            solution = replace(solution, reason=beyond)
        if not residual <= solutions.enough[0]:
            raise NotConverged(solution, float(solutions.enough[0]))
        return solution


def why_not(network: Network, law: str, base: str = "") -> str | None:
    """The assumption that fails, or None if approximate mean value analysis applies."""
    if base != "bard-schweitzer" and (queues := _queues(network)) > QUEUES:
        return f"{queues:.3g} queues at all populations, it takes {QUEUES:.0e}"
    reason = network.product_form_violation() or not_closed(network)
    if reason is not None:
        return reason
    rates_of = LAWS[law]
    for station in network.stations:
        if isinstance(station, LoadDependentStation):
            reached = station.rates[: max(1, sum(network.populations))]
            if max(reached) > reached[-1] * ROUNDED:
                return f"station {station.name!r} slows down as customers come"
            if rates_of is None or not rates_of.any_rates:
                return f"station {station.name!r} is load-dependent"
    classes = sum(n > 0 for n in network.populations)
    numbers = float(classes * (classes + 1) * (rates_in_all(network) if rates_of else 0))
    if numbers > NUMBERS:
        return f"its stations have {numbers:.3g} rates in all, it takes {NUMBERS:.0e}"
    return None


def _queues(network: Network) -> float:
    classes = sum(n > 0 for n in network.populations)
    return float(classes * (classes + 1) * len(network.stations))


def seconds(network: Network) -> float:
    """About how long methods take that solve populations with a customer less; see `Method`. [s]"""
    return EACH * _queues(network)


def rates_in_all(network: Network) -> int:
    """Rates of the stations of several speeds, as far as the customers reach."""
    total = sum(network.populations)
    rates = 0
    for station in network.stations:
        if isinstance(station, LoadDependentStation):
            rates += min(len(station.rates), total)
        elif isinstance(station, QueueingStation) and station.servers > 1:
            rates += min(station.servers, total)
    return rates


def model_of(network: Network, law: str) -> Model:
    """The network with its stations sorted out."""
    closed = several_classes(network)
    total = sum(closed.population)
    delay, rows, unqueued = list(closed.delay), [], []
    queues = []
    for k, rates in enumerate(closed.rates):
        if rates is None or total > len(rates) or rates != tuple(range(1, len(rates) + 1)):
            queues.append(k)
    for c, row in enumerate(closed.demand):
        queued, times = [], [0.0] * len(row)
        for k, demand in enumerate(row):
            rates = closed.rates[k]
            if k not in queues:
                times[k] = demand
            elif rates is None:
                queued.append(demand)
            else:
                queued.append(demand / rates[-1])
                if LAWS[law] is None:  # a server m times as fast, and a delay of D (m - 1) / m [1]
                    times[k] = demand * (rates[-1] - 1.0) / rates[-1]
            delay[c] += times[k]
        rows.append(tuple(queued))
        unqueued.append(tuple(times))
    return Model(network, closed, tuple(queues), tuple(delay), tuple(rows), tuple(unqueued), law)


def solved(name: str, network: Network, law: str, core: Callable[[Model], Solutions]) -> Solution:
    """The solution by a method whose ``core`` answers for the queues, where there are any."""
    model = model_of(network, law)
    if model.queues:
        return model.solution(name_of(name, law), core(model))
    alone = [n / time for n, time in zip(model.closed.population, model.delay, strict=True)]
    return model.closed.solution(network, name_of(name, law), alone, model.unqueued)


def problems_of(
    model: Model, less: Array, weight: Array | float = 1.0, own: Array | float = 0.0
) -> Problems:
    """A closed network at its population less some customers of each class, (C, B).

    ``weight`` and ``own`` are the w and v of `fixed_point`.
    """
    count = less.shape[1]
    population = np.maximum(np.array(model.closed.population, float)[:, None] - less, 0.0)
    law = LAWS[model.law]
    varying = []
    for place, k in enumerate(model.queues):
        rates = model.closed.rates[k]
        if law is not None and rates is not None:
            varying.append((place, law, np.array(rates)[:, None]))
    shape = (len(model.closed.population), len(model.queues), count)
    demand = np.array(model.demand, float).reshape(*shape[:2], 1)
    return Problems(
        population, np.repeat(np.array(model.delay)[:, None], count, axis=1),
        np.ascontiguousarray(np.broadcast_to(demand, shape)), weight, own, tuple(varying),
    )  # fmt: skip


def name_of(base: str, law: str) -> str:
    """The name of a method with a law: ``linearizer``, ``linearizer/rolia``."""
    return base if law == DEFAULT else f"{base}/{law}"


def method(base: str, solve: Callable[..., Solution], law: str = DEFAULT) -> Method:
    """A method with a law for stations of several servers."""
    refuse = partial(why_not, law=law, base=base)
    return Method(name_of(base, law), False, partial(solve, law=law), refuse, seconds=seconds)
