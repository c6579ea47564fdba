"""A closed network reduced for approximate mean value analysis, and the way back.

Shared by Bard-Schweitzer, Linearizer and AQL. Stations of one speed are single servers. Where the
speed grows with the customers there, a law of `amva.multiserver` closes the equations; a station
with a server for every customer is a delay, exactly. Original: reduction, no theory.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from qmodel.model.closed_network import SeveralClasses, not_closed, several_classes
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.solution import NotConverged, Solution
from qmodel.model.stations import LoadDependentStation, QueueingStation
from qmodel.solvers.amva.multiserver import DEFAULT, LAWS
from qmodel.solvers.amva.multiserver.seidmann import split
from qmodel.solvers.method import Method

#: Relative error of the queue lengths at which the iteration stops.
TOLERANCE = 1e-10
#: The same per customer: where a queue holds many, no throughput is fine enough for the former.
ROUNDING = 4e-15
#: Six to ten evaluations are usual, forty where stations are tied or populations extreme.
STEPS = 100
#: Throughputs, residence times at the queues, evaluations, estimated error, tolerated error.
Measures = tuple[Sequence[float], Sequence[Sequence[float]], int, float, float]

#: A rate that is higher by no more than rounding is none.
ROUNDED = 1.0 + 1e-9
#: Numbers of one evaluation at most, classes x populations x rates of all stations.
NUMBERS = 50_000_000


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

    @property
    def needs_no_law(self) -> bool:
        """Whether no law is needed: single servers, or split as if they were."""
        return LAWS[self.law] is None or all(self.closed.rates[k] is None for k in self.queues)

    def solution(self, name: str, measures: Measures) -> Solution:
        """The solution of the whole network.

        Raises `NotConverged` if the error is above the tolerated one.
        """
        throughput, times, used, residual, enough = measures
        residence = [list(row) for row in self.unqueued]
        for row, queued in zip(residence, times, strict=True):
            for k, time in zip(self.queues, queued, strict=True):
                row[k] += time
        method = name_of(name, self.law)
        solution = self.closed.solution(self.network, method, throughput, residence)
        solution = replace(solution, iterations=used, residual=residual)
        if not residual <= enough:
            raise NotConverged(solution, enough)
        return solution


def why_not(network: Network, law: str) -> str | None:
    """The assumption that fails, or None if approximate mean value analysis applies."""
    reason = network.product_form_violation() or not_closed(network)
    if reason is not None:
        return reason
    rates_of = LAWS[law]
    total, classes = 0, 0
    for c in network.classes:
        if isinstance(c, ClosedClass) and c.population:
            total += c.population
            classes += 1
    numbers = 0.0
    for station in network.stations:
        if isinstance(station, LoadDependentStation):
            reached = station.rates[: max(1, total)]
            if max(reached) > reached[-1] * ROUNDED:
                return f"station {station.name!r} slows down as customers come"
            if rates_of is None or not rates_of.any_rates:
                return f"station {station.name!r} is load-dependent"
            numbers += min(len(station.rates), total)
        elif isinstance(station, QueueingStation) and station.servers > 1 and rates_of is not None:
            numbers += min(station.servers, total)
    numbers *= classes * (classes + 1)
    if numbers > NUMBERS:
        return f"its stations have {numbers:.3g} rates in all, it takes {NUMBERS:.0e}"
    return None


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
            elif LAWS[law] is None:
                at_queue, times[k] = split(demand, rates[-1])
                queued.append(at_queue)
            else:
                queued.append(demand / rates[-1])
            delay[c] += times[k]
        rows.append(tuple(queued))
        unqueued.append(tuple(times))
    return Model(network, closed, tuple(queues), tuple(delay), tuple(rows), tuple(unqueued), law)


def solved(name: str, network: Network, law: str, core: Callable[[Model], Measures]) -> Solution:
    """The solution by a method whose ``core`` answers for the queues, where there are any."""
    model = model_of(network, law)
    if model.queues:
        return model.solution(name, core(model))
    pairs = zip(model.closed.population, model.delay, strict=True)
    alone: Measures = [n / time for n, time in pairs], [[] for _ in model.delay], 0, 0.0, 0.0
    return model.solution(name, alone)


def name_of(base: str, law: str) -> str:
    """The name of a method with a law: ``linearizer``, ``linearizer/rolia``."""
    return base if law == DEFAULT else f"{base}/{law}"


def method(base: str, solve: Callable[..., Solution], law: str = DEFAULT) -> Method:
    """A method with a law for stations of several servers."""
    return Method(name_of(base, law), False, partial(solve, law=law), partial(why_not, law=law))
