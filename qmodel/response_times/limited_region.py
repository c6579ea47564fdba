"""Response times with a limit: the wait for a place, and the time inside; see THEORY.md."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Self

import numpy as np

from qmodel.model.closed_network import not_closed, without_limits
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Row, Solution
from qmodel.model.stations import DelayStation, LoadDependentStation, QueueingStation
from qmodel.numerics.arrays import Array, Complex
from qmodel.numerics.laplace import quantiles
from qmodel.numerics.phase_type import ServiceTime
from qmodel.response_times.assumptions import assumption, orders
from qmodel.response_times.processor_sharing import SharedPassage, by_total, over_open
from qmodel.response_times.response_time import ResponseTime
from qmodel.response_times.route import StationTimes, route_of, station_times
from qmodel.response_times.station_passage import Series
from qmodel.solvers import solve
from qmodel.solvers.limits.aggregated_classes import aggregate
from qmodel.solvers.product_form.scaled_convolution import Part, weights
from qmodel.solvers.recorded_accuracy import UNKNOWN

#: Steps of time in which the time inside is computed, and numbers found for which it is.
STEPS, LEVELS = 128, 16
#: Share of the times inside that the steps reach, and of waits that are as good as none. [1]
FAR, SELDOM = 1.0 - 1e-7, 1e-12
#: No tail and no decay is less. [1], [1/s]
LEAST = 1e-200
#: Numbers found that are less likely, over the likeliest, are left out.
RARE = 1e-15
#: Least SCV of the time between departures. [1]
EVEN = 1e-2
#: How near percentiles were: `tests/qmodel/response_times/test_limited_region.toml`.
NEAR = "p95 and p99 within 6 % of 30 simulated networks, and of 8 small ones"
NEAR_ARRIVALS = "p95 and p99 within 13 % of 30 simulated networks, 1.5 % in the middle"
#: The largest of them. [customers]
MOST_PLACES, MOST_CUSTOMERS = 40, 800
#: Share of customers who wait from which on all are taken to. [1]
ALWAYS = 1.0 - 1e-6


@dataclass(frozen=True, slots=True)
class SteppedTime:
    """A time with a tail that falls exponentially from step to step."""

    #: One step, and the decay in each, the last going on. [s], [1/s]
    step: float
    decay: Array

    @classmethod
    def of(cls, parts: Sequence[tuple[float, ResponseTime]], scale: float) -> Self:
        """One of some times, with a probability in proportion to the number beside it."""
        end = max(scale * time.percentiles((FAR,))[0] for _, time in parts)
        some = np.linspace(0.0, end, STEPS + 1)[1:]
        late = sum(p * np.array(time.late_shares((some / scale).tolist())) for p, time in parts)
        late = np.minimum.accumulate(late / sum(p for p, _ in parts))
        logs = np.log(np.maximum(late, LEAST))
        return cls(some[0], np.maximum(-np.diff(logs, prepend=0.0) / some[0], LEAST))

    def transform(self, s: Complex) -> Complex:
        """Laplace-Stieltjes transform E exp(-s T)."""
        late = np.exp(-self.step * (np.cumsum(self.decay) - self.decay))
        both = self.decay[:, None] + s
        ends = -np.expm1(-self.step * both)
        ends[-1] = 1.0
        starts = np.exp(-self.step * np.arange(len(late))[:, None] * s)
        return np.asarray((late * self.decay) @ (starts * ends / both))


@dataclass(frozen=True, slots=True)
class RegionPassage:
    """The region as a station with one queue; the wait is apart from what follows."""

    #: The time inside, in the mean. [s]
    service: ServiceTime
    #: Weights of n closed and o open customers, shape (N + 1, O + 1). [1]
    weights: Array
    #: The time between departures where all places are taken. [s]
    departure: ServiceTime
    #: Times inside, and their shares by the number found below m; the last if it is not. [1]
    times: tuple[SteppedTime, ...]
    shares: Array
    exponential_phases: bool = False

    def repeated(self, visits: int) -> Self:
        """Refused: the network of the region has no visit ratios, so that it is passed once."""
        raise NotImplementedError(visits)  # asked of stations that a route comes back to

    def weighted_transforms(self, s: Complex) -> Series:
        """The products w(n) phi(n, s)."""
        *free, full = (time.transform(s) for time in self.times)
        most, known = len(self.shares), by_total(self.weights)
        there, found = np.flatnonzero(known), np.zeros((len(known), len(s)), complex)
        found[:most] = (self.shares @ free)[: len(found)]
        number = there[there >= most]
        found[number] = self.departure.transform(s) ** (number - most + 1)[:, None] * full
        return over_open(self.weights, found), np.zeros_like(s)


@dataclass(frozen=True, slots=True)
class LimitedResponse(ResponseTime):
    """The response time of a class that waits for a limit."""

    #: Stations inside, and the time there as it is most often.
    inside: tuple[int, ...]
    usual: ResponseTime

    def visit(self, k: int, shares: Row, demand: float) -> Row:
        """Percentiles of the wait at the station of the limit, else of a visit to one. [s]"""
        if k in self.inside:
            return self.usual.visit(k, shares, demand)
        *others, at = self.route.states.stations
        if k < len(others):
            return ResponseTime.visit(self, k, shares, demand)
        assert isinstance(at, RegionPassage)
        none = (SteppedTime(1.0, np.array([1.0 / LEAST])),) * len(at.times)
        states = replace(self.route.states, stations=(*others, replace(at, times=none)))
        return quantiles(replace(self.route, states=states).sojourn(k), shares, self.mean)


def limited_responses(
    solution: Solution, classes: Iterable[int], *, exact: bool = False
) -> dict[int, LimitedResponse]:
    """Of some classes with customers, by position, where the only limit keeps some outside."""
    network, times = solution.network, solution.residence_times
    (limit,) = network.limits
    inside = tuple(network.station_names.index(name) for name in limit.stations)
    region, near = _as_station(solution, inside), _near(network)
    served = orders(region.network)
    found = {}

    @cache
    def alone(who: str | int) -> tuple[Solution, tuple[str, ...], StationTimes]:
        solved = solve(_alone(solution, inside, who))
        return solved, orders(solved.network), station_times(solved)

    def time_inside(c: int, who: str | int) -> ResponseTime:
        solved, by, known = alone(who)
        return ResponseTime.of(solved, c, by, known, exact=exact)

    for c in classes:
        route = route_of(region, c, served)
        *outside, at = route.states.stations
        assert isinstance(at, SharedPassage)
        chances = by_total(at.on_arrival) / at.on_arrival.sum()
        most = min(limit.customers, len(chances) - 1)
        waiting, full = chances[most:], time_inside(c, limit.customers)
        time, waits = sum(times[c][k] for k in inside), float(waiting.sum())
        free, levels = [[(1.0, full)]], np.ones((most, 1))
        queue = {order: sum(times[c][k] - network.demand[c][k] for k in inside
                            if served[k] == order) for order in ("fcfs", "ps")}  # fmt: skip
        if waits < ALWAYS and queue["fcfs"] > queue["ps"]:
            numbers = np.unique(np.geomspace(1, max(1, most), LEVELS).round())
            free = [[(1.0, time_inside(c, int(n)))] for n in numbers]
            each = np.arange(1.0, most + 1.0)
            levels = np.array([np.interp(each, numbers, one) for one in np.eye(len(numbers))]).T
        elif waits < ALWAYS:  # so that the mean is that of the solution
            held, every, room = time_inside(c, "places"), time_inside(c, "all"), 1.0 - waits
            apart = (time - waits * full.mean - room * held.mean) / (every.mean - held.mean or 1.0)
            crowd = min(1.0, max(0.0, apart / room))
            free = [[part for part in ((1.0 - crowd, held), (crowd, every)) if part[0] > SELDOM]]
        parts = [(waits, full)]
        for i, chance in enumerate((chances[:most] @ levels).tolist()):
            parts += [(chance * p, each) for p, each in free[i]]
        scale = time / sum(p * each.mean for p, each in parts)
        ahead = float(waiting @ np.arange(1.0, len(waiting) + 1.0))
        wait = times[c][-1] / ahead if waits > SELDOM else 0.0
        departure = ServiceTime(wait, _between_departures(alone(limit.customers)[0], c))
        known = np.where(at.on_arrival > RARE * at.on_arrival.max(), at.weights, 0.0)
        passage = RegionPassage(
            replace(departure, mean=time), known, departure,
            tuple(SteppedTime.of(each, scale) for each in (*free, [(1.0, full)])), levels,
        )  # fmt: skip
        states = replace(route.states, stations=(*outside, passage))
        usual = max(parts, key=lambda part: part[0])[1]
        elsewhere = assumption(region, c, route, (*served[:-1], "limit"), None, exact=False)
        passed = elsewhere.rpartition("; ")[0]  # less what would be exact without the limit
        said = (
            f"waits for {limit.name!r} first come, first served, as long as so many departures "
            f"take, apart from the time inside ({near}); inside: "
            f"{usual.assumption.partition('; found on')[0]}; {passed}"
        )
        mean = solution.response_times[c]
        found[c] = LimitedResponse(
            replace(route, states=states), None, mean, 1.0, mean, False, said, inside, usual
        )
    return found


def _between_departures(full: Solution, c: int) -> float:
    """The SCV of the time between departures where all places are taken; original. [1]

    That of a customer alone, where customers do not queue, to 1 where they only queue.
    """
    network = full.network
    if network.visit_ratio and max(network.visit_ratio[c]) > 1.0:
        return 1.0  # rounds at random
    row = network.demand[c]
    alone = sum(network.scv_at(c, k) * d * d for k, d in enumerate(row)) / sum(row) ** 2
    scv = alone + (1.0 - alone) * max(0.0, 1.0 - sum(row) / full.response_times[c])
    return max(scv, EVEN)


def _near(network: Network) -> str:
    """How near percentiles of such networks were."""
    like = all(isinstance(each, DelayStation | QueueingStation) for each in network.stations)
    small = (
        network.limits[0].customers <= MOST_PLACES and sum(network.populations) <= MOST_CUSTOMERS
    )
    other = len(network.classes) > 1 or network.scv or network.visit_ratio
    known = NEAR_ARRIVALS if not_closed(network) else NEAR
    return known if like and small and not other else UNKNOWN


def _as_station(solution: Solution, inside: Sequence[int]) -> Solution:
    """Of a network with the region as the last station, by rates of its flow-equivalent server."""
    network, (limit,) = solution.network, solution.network.limits
    one = aggregate(network, solution.throughputs)
    flow = sum(solution.throughputs)
    part = Part.of(one, 0, inside, 0.0, limit.customers)
    held = weights(part, limit.customers, flow)
    demand = sum(one.demand[0][k] for k in inside)
    number = np.arange(1.0, limit.customers + 1.0)
    # Relative to one customer's; of numbers that never occur at most such.
    known = (held[1:] > 0.0) & (held[:-1] > 0.0)
    rates = np.divide(flow * demand * held[:-1], held[1:], out=number, where=known)
    kept = without_limits(network)
    changed = replace(
        kept, visit_ratio=None, scv=kept.scv and tuple((*row, 1.0) for row in kept.scv),
        stations=(*kept.stations, LoadDependentStation(limit.name, tuple(rates.tolist()))),
        demand=tuple((*_without(row, inside), sum(row[k] for k in inside)) for row in kept.demand),
        distributions=(),
    )  # fmt: skip
    rows = tuple((*_without(row[:-1], inside), 0.0) for row in solution.residence_times)
    return replace(solution, network=changed, residence_times=rows, details=None)


def _alone(solution: Solution, inside: Sequence[int], who: str | int) -> Network:
    """The network of the stations inside: of "all" customers, of one for each of the "places", or
    of so many.

    The think time of all is their time elsewhere in the solution, that of the places' customers
    gives the throughput of the solution, and that of a number of customers is 0.
    """
    network, (limit,) = solution.network, solution.network.limits
    rates, times = solution.throughputs, solution.residence_times
    held = [x * sum(row[k] for k in inside) for x, row in zip(rates, times, strict=True)]
    classes: list[ClosedClass | OpenClass] = []
    for c, each in enumerate(network.classes):
        if isinstance(each, OpenClass) and who == "all":
            classes.append(each)
            continue
        population, think = getattr(each, "population", limit.customers), 0.0
        if rates[c] > 0.0:
            if who != "all":
                places = limit.customers if who == "places" else int(who)
                population = min(population, max(1, round(places * held[c] / sum(held))))
            there = held[c] / rates[c]
            if who == "places":
                think = max(0.0, population / rates[c] - there)
            elif who == "all":
                think = network.think_time[c] + sum(times[c][:-1]) - there
        classes.append(ClosedClass(each.name, population, max(0.0, think)))
    outside = [k for k in range(len(network.stations)) if k not in inside]
    changed = replace(
        network, classes=tuple(classes), distributions=(),
        demand=tuple(_without(row, outside) for row in network.demand),
        visit_ratio=network.visit_ratio and tuple(
            _without(row, outside) for row in network.visit_ratio
        ),
    )  # fmt: skip
    return without_limits(changed)


def _without(row: Sequence[float], some: Sequence[int]) -> Row:
    """The row with zeros at some stations."""
    return tuple(0.0 if k in some else value for k, value in enumerate(row))
