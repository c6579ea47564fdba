"""Limits inside of limits, one class: flow-equivalent servers from the inside out.

Chandy, Herzog and Woo (1975); Lazowska et al. (1984), ch. 8-9.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, limits/nested.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from qmodel.errors import Unstable
from qmodel.kernels.exact import exact
from qmodel.model.closed_network import but_empty, empty_solution, of_one_class, solution_of
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.population_limits import overlapping
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation
from qmodel.numerics.arrays import Array
from qmodel.solvers.limits.holding_time import Way, holding_scv
from qmodel.solvers.limits.pool_queue import open_pool
from qmodel.solvers.limits.population_shares import Part, population_shares, throughputs
from qmodel.solvers.method import Method
from qmodel.solvers.product_form import open_network

#: Customers at most, and inside one limit around another: their square is what takes the time.
CUSTOMERS, AROUND = 20_000, 600


#: What becomes of a limit that is held during visits elsewhere.
KEPT = (
    "is held at stations outside of it as well: name them inside it, make it a service of "
    "solve_layers() that calls both, or simulate()"
)


class Region(NamedTuple):
    """The inside of a limit, or the whole network."""

    #: Places, and the stations that are in no limit inside.
    most: int
    own: tuple[int, ...]
    inner: "tuple[Region, ...]"
    #: The station where customers wait for it; -1 for the whole network.
    wait: int = -1
    rejects: bool = False

    @property
    def stations(self) -> tuple[int, ...]:
        """All that are inside, those where customers wait included."""
        waits = tuple(each.wait for each in self.inner)
        return sum((each.stations for each in self.inner), self.own + waits)

    @property
    def all(self) -> "list[Region]":
        """It and all inside."""
        return [self, *(x for inner in self.inner for x in inner.all)]


class Alone(NamedTuple):
    """A region alone with each of some populations."""

    #: Interactions. [1/s]
    throughput: Array
    #: Mean numbers, shape (populations, K).
    numbers: Array
    #: Interactions that get to each station, shape (populations, K). [1/s]
    reached: Array
    #: SCV of the time a place is held, by the station where customers wait for it.
    scv: dict[int, float]


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    if not network.limits:
        return "no limit keeps customers outside"
    c, *others = but_empty(network)
    if others:
        return f"it takes one class, there are {1 + len(others)}"
    customers = network.classes[c]
    free = replace(network, limits=(), routes=())
    reason = overlapping(network.limits) or free.product_form_violation()
    if reason is not None:
        return reason
    if isinstance(customers, ClosedClass) and customers.population > CUSTOMERS:
        return f"{customers.population} customers, it takes {CUSTOMERS}"
    way, names = Way.of(network, c), network.station_names
    for limit in network.limits:
        inside = [names.index(name) for name in limit.stations]
        if limit.held == "interaction" and limit.counts(customers.name) and way.comes_back(inside):
            return f"limit {limit.name!r} {KEPT}"
    whole = regions(network, c)
    for each in whole.all:
        if each.wait >= 0 and each.inner and min(each.most, whole.most) > AROUND:
            return f"limit {names[each.wait]!r} lets in more than {AROUND} around another"
        if each.rejects and isinstance(customers, ClosedClass):
            return (
                "it rejects arrivals from outside only; for one station see "
                "single_station.FiniteSource"
            )
        if each.rejects and not way.ends_with(each.stations):
            what = "rejects customers before the last stations of their interaction"
            return f"limit {names[each.wait]!r} {what}"
        if not each.own and any(inner.rejects for inner in each.inner) and each is not whole:
            return f"limit {names[each.wait]!r} has no stations around one that rejects customers"
    return None


def regions(network: Network, c: int) -> Region:
    """The limits that a class can reach, each inside the next, and the whole network around."""
    names, row, customers = network.station_names, network.demand[c], network.classes[c]
    there: dict[int, Region] = {}  # the outermost so far, by station
    # Of equal stations the tighter limit is the inner one.
    for limit in sorted(network.limits, key=lambda x: (len(x.stations), x.customers)):
        inside = [k for k in map(names.index, limit.stations) if row[k]]
        if not inside or not limit.counts(customers.name):
            continue
        inner = tuple(dict.fromkeys(there[k] for k in inside if k in there))
        own = tuple(k for k in inside if k not in there)
        rejects = limit.full == "reject"
        made = Region(limit.customers, own, inner, names.index(limit.name), rejects)
        there |= dict.fromkeys(inside, made)
    own = tuple(k for k, d in enumerate(row) if d and k not in there)
    most = max((limit.customers for limit in network.limits), default=0)
    if isinstance(customers, ClosedClass):
        most = customers.population
    return Region(most, own, tuple(dict.fromkeys(there.values())))


def solve(network: Network) -> Solution:
    """Throughput and residence times.

    Raises `Unstable` if open arrivals exceed what a station or a full limit can do.
    """
    c = but_empty(network)[0]
    customers, whole, way = network.classes[c], regions(network, c), Way.of(network, c)
    if isinstance(customers, OpenClass):
        return _opened(network, customers, whole, way)
    if not customers.population:
        return empty_solution(network, "nested-fes")
    found = _alone(network, way, whole, [customers.population], customers.think_time)
    throughput = float(found.throughput[0])
    residence = (found.numbers[0] / throughput).tolist()
    return solution_of(network, "nested-fes", [c], [throughput], [residence])


def _opened(network: Network, customers: OpenClass, whole: Region, way: Way) -> Solution:
    """Of Poisson arrivals: the outermost limits one by one, each sees them all."""
    arrivals, names = customers.arrival_rate, network.station_names
    # Stations inside of a limit that rejects customers are never asked too much.
    bounded = {k for each in whole.all if each.rejects for k in each.stations}
    row = [0.0 if k in bounded else d for k, d in enumerate(network.demand[way.c])]
    free = open_network.METHOD.solve(Network(network.stations, [customers], [row]))
    times, reached = list(free.residence_times[0]), np.full(len(names), arrivals)
    for pool in whole.inner:
        inside = _pool(network, way, pool, pool.most)
        x, waiting = inside.throughput[1:], 0.0
        if pool.rejects:
            with np.errstate(divide="ignore"):  # a rate of 0
                logs = np.append(0.0, np.cumsum(np.log(arrivals / x)))
            chance = np.exp(logs - logs.max())
            chance = chance / chance.sum()
            reached[[*pool.stations, pool.wait]] = float(chance @ inside.throughput)
        else:
            try:
                chance, waiting = open_pool(arrivals, x, inside.scv[pool.wait])
            except Unstable as error:
                raise Unstable(f"limit {names[pool.wait]!r}: {error}") from None
        numbers, rates = chance @ inside.numbers, chance @ inside.reached
        if any(inner.rejects for inner in pool.all[1:]):
            reached[[*pool.stations]] = rates[[*pool.stations]]
        if not arrivals:  # a lone one
            numbers, rates = inside.numbers[1], inside.reached[1]
        for k in pool.stations:
            times[k] = float(numbers[k] / (reached[k] if arrivals else rates[k]))
        times[pool.wait] = waiting / arrivals if arrivals else 0.0
    done = arrivals
    for outer in whole.all:
        came = reached[outer.own[0]] if outer.wait >= 0 and outer.own else arrivals
        for inner in outer.inner if came else ():
            often = float(way.entries(inner.stations).sum())
            done -= often * (came - reached[inner.wait]) if inner.rejects else 0.0
    rows = [(0.0,) * len(names)] * len(network.classes)
    rows[way.c] = tuple(reached.tolist())
    some = tuple(rows) if any(each.rejects for each in whole.all) else None
    return solution_of(network, "nested-fes", [way.c], [float(done)], [times], reached=some)


def _alone(
    network: Network, way: Way, region: Region, populations: Sequence[int], think: float = 0.0
) -> Alone:
    """A region alone with some populations, customers who think included."""
    most = max(populations)
    rest, numbers = _own(network, way.c, region.own, think, most)
    pools = [_pool(network, way, inner, min(inner.most, most)) for inner in region.inner]
    parts = [
        Part.full(inside.throughput[1:], most) if inner.rejects
        else Part.pool(inside.throughput[1:], inside.scv[inner.wait], most)
        for inner, inside in zip(region.inner, pools, strict=True)
    ]  # fmt: skip
    throughput, chances = population_shares([*parts, Part(rest)], populations)
    total, size = chances[-1] @ numbers, np.arange(most + 1)
    if any(inner.rejects for inner in region.inner):  # and who is rejected leaves as well
        throughput = (chances[-1] * throughputs(rest)).sum(axis=1)
    reached = np.outer(throughput, np.isin(np.arange(numbers.shape[1]), region.own))
    for inner, inside, chance in zip(region.inner, pools, chances, strict=False):
        there = chance @ np.eye(len(inside.numbers))[np.minimum(size, len(inside.numbers) - 1)]
        total += there @ inside.numbers
        reached += there @ inside.reached
        reached[:, inner.wait] = reached[:, inner.stations[0]]
        total[:, inner.wait] += chance @ np.maximum(0.0, size - inner.most)
    return Alone(throughput, total, reached, {k: v for each in pools for k, v in each.scv.items()})


def _pool(network: Network, way: Way, region: Region, most: int) -> Alone:
    """A region with 0, 1 ... customers inside, and how its places are held when it is full."""
    found = _alone(network, way, region, range(1, most + 1))
    full, speed = found.numbers[-1], float(found.throughput[-1])
    visits = {k: way.visits_at(k) for k in region.stations}
    times = {k: full[k] / (speed * v) for k, v in visits.items() if v}
    waits = []
    for inner in region.all[1:]:
        entries = float(way.entries(inner.stations).sum())
        wait = float(full[inner.wait]) / (speed * entries)
        waits.append((inner.stations, wait, found.scv[inner.wait]))
    scv = holding_scv(way, region.stations, times, waits)
    none = np.zeros((1, len(full)))
    return Alone(
        np.append(0.0, found.throughput), np.concatenate([none, found.numbers]),
        np.concatenate([none, found.reached]), {**found.scv, region.wait: scv},
    )  # fmt: skip


def _own(
    network: Network, c: int, stations: Sequence[int], think: float, most: int
) -> tuple[Array, Array]:
    """Logarithms of the normalising constants of some stations, and mean numbers there.

    Both with 0, 1 ... customers at them, those thinking counted.
    """
    numbers = np.zeros((most + 1, len(network.stations)))
    model = of_one_class(network, c, stations, most, think)
    if not model.positions and not model.delay:
        return np.append(0.0, np.full(most, -np.inf)), numbers
    logs = np.zeros(most + 1)
    for n, (x, *times) in sorted(exact(model, range(1, most + 1)).items()):
        logs[n] = logs[n - 1] - np.log(x)
        numbers[n, model.positions] = [x * time for time in times]
        for k in stations:
            if isinstance(network.stations[k], DelayStation):
                numbers[n, k] = x * network.demand[c][k]
    return logs, numbers


METHOD = Method("nested-fes", False, solve, why_not)
