"""Response times with a limit: the wait for a place, and the time inside; see THEORY.md."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt

import numpy as np

from qmodel.model.closed_network import without_limits
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.population_limits import PopulationLimit
from qmodel.model.solution import Row, Solution
from qmodel.model.stations import DelayStation
from qmodel.numerics.arrays import Array
from qmodel.response_times.assumptions import orders
from qmodel.response_times.response_time import ResponseTime
from qmodel.response_times.route import station_times
from qmodel.solvers import solve
from qmodel.solvers.limits import flow_equivalent
from qmodel.solvers.limits.aggregated_classes import aggregate
from qmodel.solvers.recorded_accuracy import UNKNOWN

#: Steps of time, and those at which the time inside is computed.
STEPS, COMPUTED = 1024, 128
#: Share of the times inside that the steps reach, and of waits that are as good as none. [1]
FAR, SELDOM = 1.0 - 1e-7, 1e-12
#: Least SCV of the time between departures. [1]
EVEN = 1e-2
#: How near percentiles were: `tests/qmodel/response_times/test_limited_region.toml`.
NEAR = "p95 and p99 within 6 % of 30 simulated networks"
#: Share of customers who wait from which on all are taken to. [1]
ALWAYS = 1.0 - 1e-6
#: Groups of numbers of customers ahead, and standard deviations of a wait that the steps reach.
GROUPS, DEVIATIONS = 64, 6.0


@dataclass(frozen=True, slots=True)
class AdmissionWait:
    """The wait for a place: gamma by the number of departures waited for, if any."""

    #: Shapes for numbers of departures, their probabilities, and the rate. [1], [1], [1/s]
    departures: Array
    chances: Array
    rate: float

    @classmethod
    def of(cls, found: Array, mean: float, scv: float = 1.0) -> "AdmissionWait":
        """If 1, 2 ... departures are waited for so often, and in the mean for so long. [1], [s]

        ``scv`` is that of the time between departures. [1]
        """
        found = np.where(found > SELDOM, found, 0.0)
        numbers = np.arange(1.0, len(found) + 1.0)
        ahead = float(found @ numbers)
        if not (ahead and mean):
            return cls(np.ones(1), np.zeros(1), 1.0)
        wide = ceil((np.flatnonzero(found)[-1] + 1) / GROUPS)
        starts = np.arange(0, len(found), wide)
        chances = np.add.reduceat(found, starts)
        some = chances > 0.0
        means = np.add.reduceat(found * numbers, starts)[some] / chances[some]
        return cls(means / scv, chances[some], ahead / mean / scv)

    @property
    def any_wait(self) -> float:
        """The share of customers who wait. [1]"""
        return float(self.chances.sum())

    @property
    def longest(self) -> float:
        """Practically no wait is longer. [s]"""
        if not self.chances.any():
            return 0.0
        last = float(self.departures[-1])
        return (last + DEVIATIONS * (sqrt(last) + DEVIATIONS)) / self.rate

    def longer(self, times: Array) -> Array:
        """The shares of customers who wait longer than some times, each at least 0. [1]"""
        from scipy.special import gammaincc

        return np.asarray(self.chances @ gammaincc(self.departures[:, None], self.rate * times))


@dataclass(frozen=True, slots=True)
class LimitedResponse:
    """The response time of a class that waits for a limit; the wait is apart from what follows."""

    limit: PopulationLimit
    #: Times inside of customers who find room, with their shares. [1]
    free: tuple[tuple[float, ResponseTime], ...]
    #: That of customers who wait.
    full: ResponseTime
    #: Mean of the solution over that of these. [1]
    scale: float
    wait: AdmissionWait
    #: How near such percentiles were.
    near: str = UNKNOWN
    exact: bool = False

    @property
    def assumption(self) -> str:
        """What the percentiles assume."""
        return (
            f"waits for {self.limit.name!r} first come, first served, as long as so many "
            f"departures take, apart from the time inside ({self.near}); "
            f"inside: {self.usual.assumption}"
        )

    @property
    def _parts(self) -> list[tuple[float, ResponseTime]]:
        """The times inside that occur, with their shares; of customers who wait the last. [1]"""
        return [*self.free, *([(self.wait.any_wait, self.full)] if self.wait.any_wait else [])]

    @property
    def usual(self) -> ResponseTime:
        """The time inside as it is most often."""
        return max(self._parts, key=lambda part: part[0])[1]

    def percentiles(self, shares: Row) -> Row:
        """The times within which shares of the customers are done. [s]"""
        return _where(*self._tail(), shares)

    def late_shares(self, times: Sequence[float]) -> Row:
        """The shares of the customers that take longer than some times. [1]"""
        steps, late = self._tail()
        logs = np.log(np.maximum(late, 1e-300))
        return tuple(np.exp(np.interp(times, steps, logs, right=-np.inf)).tolist())

    def visit(self, k: int, shares: Row, demand: float) -> Row:
        """Percentiles of the wait at the station of the limit, else of a visit to one. [s]"""
        if k < len(self.full.route.states.stations):
            return self.usual.visit(k, shares, demand)
        steps = np.linspace(0.0, self.wait.longest, STEPS + 1)
        return _where(steps, self.wait.longer(steps), shares)

    def _tail(self) -> tuple[Array, Array]:
        """Times, and the shares that take longer: a convolution in equal steps. [s], [1]"""
        each = self._parts
        far = [self.scale * time.percentiles((FAR,))[0] for _, time in each]
        steps = np.linspace(0.0, max(far) + self.wait.longest, STEPS + 1)
        late = [self._late(time, end, steps) for (_, time), end in zip(each, far, strict=True)]
        waits = self.wait.longer((steps[1:] + steps[:-1]) / 2.0)
        longer = np.concatenate([[0.0], np.convolve(-np.diff(late[-1]), waits)[:STEPS]])
        for (part, _), shares in zip(each, late, strict=True):
            longer += part * shares
        return steps, np.minimum(longer, 1.0)

    def _late(self, time: ResponseTime, far: float, steps: Array) -> Array:
        """The shares of times inside that are longer than each step, none than ``far``. [1]"""
        some = np.linspace(0.0, far, COMPUTED + 1)[1:]
        late = np.array(time.late_shares((some / self.scale).tolist()))
        logs = np.log(np.maximum(np.minimum.accumulate(late), 1e-300))
        shares: Array = np.exp(np.interp(steps, [0.0, *some], [0.0, *logs], right=-np.inf))
        return shares


def _where(times: Array, late: Array, shares: Row) -> Row:
    """When a tail, given at some times, has fallen to 1 - p. [s]"""
    logs = np.log(np.maximum(np.minimum.accumulate(late), 1e-300))
    found = np.interp(np.log1p(-np.array(shares)), logs[::-1], times[::-1])
    return tuple(
        time if 1.0 - share < late[0] else 0.0
        for time, share in zip(found.tolist(), shares, strict=True)
    )


def limited_responses(
    solution: Solution, classes: Iterable[int], *, exact: bool = False
) -> dict[int, LimitedResponse]:
    """Of some classes with customers, by position, where the only limit keeps some outside."""
    network, means = solution.network, solution.response_times
    (limit,), waits = network.limits, [row[-1] for row in solution.residence_times]
    one = aggregate(network, solution.throughputs)
    held = flow_equivalent.numbers(one.with_population(sum(network.populations) - 1))
    every = held.probabilities[held.most :]
    near = UNKNOWN if network.scv or len(network.classes) > 1 else NEAR
    unlimited = without_limits(replace(network, distributions=()))
    solved = [solve(_inside(solution, full=True)), solve(_inside(solution, full=False))]
    if float(every.sum()) < ALWAYS:
        solved.append(solve(unlimited))
    how = [(each, orders(each.network), station_times(each)) for each in solved]
    found = {}
    for c in classes:
        wait = AdmissionWait.of(every, waits[c], _between_departures(solved[0], c))
        full, *free = (
            ResponseTime.of(s, c, served, known, exact=exact) for s, served, known in how
        )
        room = 1.0 - wait.any_wait
        shares, inside = [room], means[c] - waits[c]
        if len(free) > 1:  # so that the mean is that of the solution
            few, many = (each.mean for each in free)
            apart = (inside - wait.any_wait * full.mean - room * few) / (many - few or 1.0)
            shares = [room - min(room, max(0.0, apart)), min(room, max(0.0, apart))]
        parts = tuple((p, each) for p, each in zip(shares, free, strict=True) if p > SELDOM)
        mean = wait.any_wait * full.mean + sum(p * each.mean for p, each in parts)
        scale = inside / mean if mean else 1.0
        found[c] = LimitedResponse(limit, parts, full, scale, wait, near)
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


def _inside(solution: Solution, *, full: bool) -> Network:
    """The network of as many as there are places, and of the mean number at stations outside.

    Stations outside are delays. Customers think as long as gives the throughput of the solution, or
    not at all where every place is taken (``full``).
    """
    network, times = solution.network, solution.residence_times
    (limit,), rates = network.limits, solution.throughputs
    region = [network.station_names.index(name) for name in limit.stations]
    outside = [k for k in range(len(network.stations) - 1) if k not in region]
    held = [x * sum(row[k] for k in region) for x, row in zip(rates, times, strict=True)]
    classes: list[ClosedClass] = []
    for c, each in enumerate(network.classes):
        assert isinstance(each, ClosedClass)
        if rates[c] > 0.0:
            places = max(1, round(limit.customers * held[c] / sum(held)))
            places += ceil(rates[c] * sum(times[c][k] for k in outside) - SELDOM)
            population = min(each.population, places)
            think = 0.0 if full else max(0.0, population / rates[c] - sum(times[c][:-1]))
            classes.append(replace(each, population=population, think_time=think))
        else:
            classes.append(each)
    stations, demand = list(network.stations), [list(row) for row in network.demand]
    for k in outside:
        stations[k] = DelayStation(stations[k].name)
        for row, there in zip(demand, times, strict=True):
            row[k] = there[k]
    changed = replace(
        network, stations=tuple(stations), classes=tuple(classes),
        demand=tuple(map(tuple, demand)), distributions=(),
    )  # fmt: skip
    return without_limits(changed)
