"""Servers as users build them: some stations, limits, orders of service, classes, simulated.

One generator makes them all: two to six stations of up to 32 servers, one to four classes whose
times differ, so loaded that the busiest station is 30 to 95 % busy if nobody waits for anything
else. What a family has beyond that (a limit, an order, open classes, a fork) is asked for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any
from zlib import crc32

from benchmarks.accuracy.by_simulation import simulated
from benchmarks.accuracy.family import Family, Truth, Values, by_name, exact_reference, measures
from qmodel import (
    ClosedClass,
    DelayStation,
    ForkJoinStation,
    Network,
    NotApplicable,
    OpenClass,
    PopulationLimit,
    QueueingStation,
    solve,
)
from qmodel.solvers.recorded_accuracy import USE, figures
from qmodel.solvers.solve import METHODS, PATIENCE

#: Use of a limit from which on its errors are recorded apart.
NEARLY_FULL = 0.7
#: Orders of service that are drawn for stations in order.
ORDERS = "fcfs", "fcfs", "priority", "preemptive"


def _stations(rng: random.Random, orders: int, fork: bool, most: int, servers: list[int]) -> list:
    """So many of them serve in order, the first one may be a fork; a delay in every second."""
    count = rng.randint(max(2, orders + fork), most)
    found: list = [ForkJoinStation("array", rng.choice([2, 3, 4, 8]))] if fork else []
    for k in range(count - len(found)):
        order = rng.choice(ORDERS) if k < orders else "ps"
        found.append(QueueingStation(f"s{k}", rng.choice(servers), order))
    return found + [DelayStation("lan")] * (rng.random() < 0.5)


def _network(
    rng: random.Random,
    stations: list,
    sizes: list[int],
    opened: int,
    *,
    limit: bool = False,
    varied: bool = False,
    never: float = 0.0,
    most_inside: int = 64,
) -> Network:
    """Closed classes of these sizes and some open ones; ``never`` is how often one never pauses."""
    total = len(sizes) + opened
    scale = 10 ** rng.uniform(-2.0, 0.0)
    demand = [
        [scale * 10 ** rng.uniform(-0.7, 0.7) * getattr(s, "servers", 1) for s in stations]
        for _ in range(total)
    ]
    parts = [rng.uniform(0.2, 1.0) for _ in range(total)]
    busy = rng.uniform(0.3, 0.95)
    shares = [busy * part / sum(parts) for part in parts]
    classes: list[Any] = []
    for c, share in enumerate(shares):
        least = max(
            d / getattr(s, "max_rate", 1e9) for d, s in zip(demand[c], stations, strict=True)
        )
        rate, priority = share / least, rng.choice([c, c, 0])
        if c >= len(sizes):
            classes.append(OpenClass(f"o{c}", rate, priority=priority))
        elif rng.random() < never:
            classes.append(ClosedClass(f"c{c}", rng.choice([1, 1, 2]), 0.0, priority))
        else:
            think = max(sizes[c] / rate - sum(demand[c]), 0.2 * sum(demand[c]))
            classes.append(ClosedClass(f"c{c}", sizes[c], think, priority))
    scv = [[rng.choice([0.25, 1.0, 1.0, 2.0, 4.0]) for _ in stations] for _ in range(total)]
    limits = []
    if limit:
        inside = [s.name for s in stations[: rng.randint(1, len(stations))]]
        some = [c.name for c in classes]
        counted = None if rng.random() < 0.7 else some[: rng.randint(1, len(some))]
        places = rng.randint(1, max(1, min(most_inside, sum(sizes) - 1)))
        limits = [PopulationLimit("threads", places, inside, counted)]
    ordered = varied and any(getattr(s, "discipline", "ps") != "ps" for s in stations)
    forked = [isinstance(s, ForkJoinStation) for s in stations]
    scv = [[1.0 if f else v for v, f in zip(row, forked, strict=True)] for row in scv]
    return Network(stations, classes, demand, scv=scv if ordered else None, limits=limits)


def _sizes(rng: random.Random, classes: int, most: int) -> list[int]:
    """Populations of the closed classes, so many customers in all."""
    return [max(1, round(most ** rng.uniform(0.3, 1.0) / classes)) for _ in range(classes)]


def _broken(networks: Iterator[Network]) -> Iterator[Network]:
    return (each for each in networks if each.product_form_violation() is not None)


def ordered(seed: int) -> Iterator[Network]:
    """One to three stations in order, closed classes."""
    rng = random.Random(f"ordered {seed}")

    def networks() -> Iterator[Network]:
        while True:
            there = _stations(rng, rng.choice([1, 1, 2, 3]), False, 5, [1, 1, 2, 4])
            sizes = _sizes(rng, rng.choice([1, 2, 2, 3]), 40)
            yield _network(rng, there, sizes, 0, varied=True, never=0.1)

    return _broken(networks())


def mixed(seed: int) -> Iterator[Network]:
    """One to three stations in order, open classes beside closed ones."""
    rng = random.Random(f"mixed {seed}")

    def networks() -> Iterator[Network]:
        while True:
            orders, fork = rng.choice([1, 1, 2, 3, 4]), rng.random() < 0.3
            there = _stations(rng, orders, fork, 6, [1, 1, 2, 4, 8, 32, 64])
            sizes = _sizes(rng, rng.choice([1, 1, 2, 3]), 100)
            yield _network(rng, there, sizes, rng.choice([1, 1, 2]), varied=True, never=0.1)

    return _broken(networks())


def opened(seed: int) -> Iterator[Network]:
    """Priorities or a fork, open classes."""
    rng = random.Random(f"opened {seed}")

    def networks() -> Iterator[Network]:
        while True:
            orders, fork = rng.choice([1, 2, 3, 4]), rng.random() < 0.4
            there = _stations(rng, orders, fork, 6, [1, 1, 2, 4, 8, 32, 64])
            network = _network(rng, there, [], rng.choice([1, 2, 3]), varied=True)
            orders = {getattr(s, "discipline", "") for s in there}
            forks = any(isinstance(s, ForkJoinStation) for s in there)
            if forks or orders & {"priority", "preemptive"}:
                yield network

    return _broken(networks())


def limited(seed: int) -> Iterator[Network]:
    """One limit, stations that share their servers, up to four classes."""
    rng = random.Random(f"limited {seed}")

    def networks() -> Iterator[Network]:
        while True:
            there = _stations(rng, 0, False, 4, [1, 1, 2, 4, 8, 16, 32])
            sizes = _sizes(rng, rng.choice([1, 2, 2, 3, 4]), 200)
            yield _network(rng, there, sizes, 0, limit=True, never=0.2)

    return _broken(networks())


def limited_in_order(seed: int) -> Iterator[Network]:
    """One limit and stations in order, few customers."""
    rng = random.Random(f"limited in order {seed}")

    def networks() -> Iterator[Network]:
        while True:
            there = _stations(rng, rng.choice([1, 1, 2]), False, 5, [1, 1, 2, 4])
            sizes = _sizes(rng, rng.choice([1, 2, 2]), 20)
            yield _network(rng, there, sizes, 0, limit=True, varied=True, never=0.1, most_inside=8)

    return (each for each in _broken(networks()) if each.limits)


def limited_arrivals(seed: int) -> Iterator[Network]:
    """One open class and one limit that it waits for."""
    rng = random.Random(f"limited arrivals {seed}")
    while True:
        there = _stations(rng, 0, False, 6, [1, 1, 2, 4, 8, 32, 64])
        network = _network(rng, there, [], 1)
        first = rng.randrange(len(there))
        inside = [s.name for s in there[first : rng.randint(first, len(there) - 1) + 1]]
        (rate,) = (c.arrival_rate for c in network.classes)
        least = rate * sum(d for s, d in zip(there, network.demand[0], strict=True)
                           if s.name in inside)  # fmt: skip
        places = max(1, round(least * rng.uniform(1.5, 6.0)))
        limit = PopulationLimit("threads", places, inside)
        made = Network(there, network.classes, network.demand, limits=[limit])
        if figures(made)[USE][0] <= NEARLY_FULL:
            yield made


def limited_arrivals_full(seed: int) -> Iterator[Network]:
    """The same near what the limit lets through."""
    rng = random.Random(f"limited arrivals full {seed}")
    while True:
        there = _stations(rng, 0, False, 4, [1, 1, 2, 4, 8])
        network = _network(rng, there, [], 1)
        inside = [s.name for s in there[rng.choice([0, 0, 1]) :]]
        limit = PopulationLimit("threads", rng.choice([1, 2, 4, 8, 16, 40]), inside)
        one = Network(there, [OpenClass("o0", 1.0)], network.demand, limits=[limit])
        rate = rng.uniform(NEARLY_FULL, 0.95) / figures(one)[USE][0]
        made = replace(one, classes=(OpenClass("o0", rate),))
        if max(figures(made)["utilization"]) < 0.95:
            yield made


def forked(seed: int) -> Iterator[Network]:
    """A fork, in every third network another station in order, closed classes."""
    rng = random.Random(f"forked {seed}")
    while True:
        there = _stations(rng, rng.choice([0, 0, 1]), True, 5, [1, 1, 2, 4, 8])
        classes = rng.choice([1, 1, 1, 2])
        yield _network(rng, there, _sizes(rng, classes, 60 if classes == 1 else 14), 0, varied=True)


def many(seed: int) -> Iterator[Network]:
    """Product form, four to thirty stations of up to 128 servers."""
    rng = random.Random(f"many {seed}")
    while True:
        there = _stations(rng, 0, False, 30, [1, 1, 2, 8, 32, 128])
        yield _network(rng, there, _sizes(rng, rng.choice([2, 2, 3]), 60), 0, never=0.1)


def _in_time(*names: str) -> dict[str, Callable[[Network], Values]]:
    """Methods on networks that ``auto`` leaves to them."""

    def solved(name: str, network: Network) -> Values:
        (method,) = (m for m in METHODS if m.name == name)
        if (
            method.seconds
            and method.why_not(network) is None
            and method.seconds(network) > PATIENCE
        ):
            raise NotApplicable(f"{name}: takes long")
        return measures(solve(network, name))

    return {name: partial(solved, name) for name in names}


def _reference(interactions: int, network: Network) -> Truth:
    return simulated(network, crc32(repr(network).encode()), interactions, "R", "X")


def _family(
    name: str, about: str, networks: Callable[[int], Iterator[Network]], *methods: str, count: int,
    interactions: int = 200_000,
) -> Family:  # fmt: skip
    return Family(
        name=name,
        about=about,
        seed=33,
        networks=networks,
        count=count,
        reference=partial(_reference, interactions),
        truth="simulation",
        methods=_in_time(*methods),
        keep=True,
        sample=2,
        measures=("R", "X"),
    )


FAMILIES = (
    _family("servers-ordered", "closed, 1 to 3 classes of up to 40 in all, 2 to 5 stations of 1 to "
            "4 servers, 1 to 3 of them FCFS, priority or preemptive with SCV 0.25 to 4", ordered,
            "marie", "extended-amva", count=80),
    _family("servers-mixed", "1 or 2 open classes beside 1 to 3 closed ones of up to 100 in all, 2 "
            "to 6 stations of 1 to 64 servers, 1 to 4 of them in order, a fork in every third",
            mixed, "extended-amva", count=80),
    _family("servers-open", "open, 1 to 3 classes, 2 to 6 stations of 1 to 64 servers with "
            "priorities or a fork", opened, "extended-amva", count=80),
    _family("servers-forked", "closed, 1 or 2 classes of up to 60, a fork of 2 to 8 branches among "
            "2 to 5 stations, another one in order in every third", forked, "marie",
            "extended-amva", count=40),
    _family("servers-limited-ordered", "closed, 1 or 2 classes of up to 20 in all, memory for 1 "
            "to 8, 2 to 5 stations, 1 or 2 of them in order", limited_in_order, "marie", count=100),
    _family("servers-limited-open", "open, one class, memory at some of 2 to 6 stations of 1 to 64 "
            "servers, used 70 % at most", limited_arrivals, "nested-fes", count=52),
    _family("servers-limited-full", "open, one class, memory for 1 to 40 at some of 2 to 4 "
            "stations of 1 to 8 servers, used 70 to 95 %", limited_arrivals_full, "nested-fes",
            count=80, interactions=3_000_000),
    _family("servers-limited", "closed, 1 to 4 classes of up to 200 in all, some of which never "
            "pause, memory for 1 to 64 at some of 2 to 4 stations of 1 to 32 servers",
            limited, "marie", "nested-fes", "flow-equivalent", "limited-layers",
            "aggregated-fes", count=80),
)  # fmt: skip
MANY = Family(
    name="servers-many",
    about="closed, 2 or 3 classes of up to 60 in all, product form, up to 30 stations of 1 to 128 "
    "servers",
    seed=33,
    networks=many,
    count=40,
    reference=exact_reference,
    methods=by_name("second-differences", "linearizer", "aql", "bard-schweitzer"),
)
