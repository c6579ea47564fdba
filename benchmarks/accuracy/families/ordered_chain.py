"""Small closed networks in which the order of service matters, against their Markov chains."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from benchmarks.accuracy.family import Family, Truth, by_name
from qmodel import ClosedClass, ForkJoinStation, Network, PopulationLimit, QueueingStation


def chain_reference(network: Network) -> Truth:
    """Response times and throughputs of the chain that follows every customer."""
    from tests.truth import ordered

    found = ordered.solve(network)
    times = [float(sum(r or 0.0 for r in row)) for row in found.residence_time]
    return Truth({"R": times, "X": [float(x) for x in found.throughput]})


def _classes(rng: random.Random, count: int, customers: int) -> list[ClosedClass]:
    """Two thirds of them think; the first is served first."""
    sizes = [1] * count
    for _ in range(rng.randint(count, customers) - count):
        sizes[rng.randrange(count)] += 1
    return [
        ClosedClass(
            f"c{c}", n, rng.choice([0.0, 10 ** rng.uniform(-1, 1), 10 ** rng.uniform(0, 1)]), c
        )
        for c, n in enumerate(sizes)
    ]


def _demand(rng: random.Random, classes: int, stations: int) -> list[list[float]]:
    return [[10 ** rng.uniform(-1, 0.3) for _ in range(stations)] for _ in range(classes)]


def ordered_networks(discipline: str) -> Callable[[int], Iterator[Network]]:
    """Networks whose first station serves in this order, with the others of product form."""

    def networks(seed: int) -> Iterator[Network]:
        rng = random.Random(f"{discipline}{seed}")
        while True:
            count = rng.choice([1, 2, 2, 2, 3]) if discipline == "fcfs" else rng.choice([2, 2, 3])
            classes = _classes(rng, count, 8 if count < 3 else 6)
            others = rng.choice([0, 1, 1, 2])
            servers = rng.choice([1, 1, 1, 2])
            stations = [QueueingStation("ordered", servers, discipline)]
            stations += [QueueingStation(f"s{k}") for k in range(others)]
            demand = _demand(rng, count, others + 1)
            scv = [
                [rng.choice([0.25, 0.5, 1.0, 1.0, 2.0, 4.0, 8.0])] + [1.0] * others
                for _ in range(count)
            ]
            if not others:  # somebody has to be somewhere else
                classes = [
                    ClosedClass(c.name, c.population, c.think_time or 1.0, c.priority)
                    for c in classes
                ]
            network = Network(stations, classes, demand, scv=scv)
            if network.product_form_violation() is not None:
                yield network

    return networks


def fork_networks(seed: int) -> Iterator[Network]:
    """A fork of two to four branches, and one or two other stations."""
    rng = random.Random(seed)
    while True:
        count = rng.choice([1, 1, 2])
        branches = rng.choice([2, 2, 3, 4])
        classes = _classes(rng, count, {2: 8, 3: 6, 4: 5}[branches] if count == 1 else 5)
        others = rng.choice([1, 1, 2]) if branches < 4 else 1
        stations = [ForkJoinStation("fork", branches)]
        stations += [QueueingStation(f"s{k}") for k in range(others)]
        yield Network(stations, classes, _demand(rng, count, others + 1))


def limit_networks(seed: int) -> Iterator[Network]:
    """Memory for some of the customers at the first one or two of up to three stations."""
    rng = random.Random(seed)
    while True:
        count = rng.choice([1, 1, 2])
        classes = _classes(rng, count, 8 if count == 1 else 6)
        inside, others = rng.choice([1, 2, 2]), rng.choice([0, 0, 1])
        stations = [QueueingStation(f"s{k}") for k in range(inside + others)]
        if not others:
            classes = [ClosedClass(c.name, c.population, c.think_time or 1.0) for c in classes]
        total = sum(c.population for c in classes)
        if total < 3:
            continue
        limit = PopulationLimit(
            "memory", rng.randint(1, max(1, total - 2)), [s.name for s in stations[:inside]]
        )
        yield Network(stations, classes, _demand(rng, count, inside + others), limits=[limit])


def _family(
    name: str,
    about: str,
    networks: Callable[[int], Iterator[Network]],
    *methods: str,
    seed: int,
    count: int = 40,
) -> Family:
    return Family(
        name=name,
        about=about,
        seed=seed,
        networks=networks,
        count=count,
        reference=chain_reference,
        truth="Markov chain",
        methods=by_name(*methods),
        keep=True,
    )


FCFS = _family(
    "fcfs-chain",
    "closed, 1 to 3 classes, up to 8 customers, one FCFS station of 1 or 2 servers with SCV 0.25 "
    "to 8, up to 2 other stations",
    ordered_networks("fcfs"), "global-balance", "marie", "extended-amva", seed=21,
)  # fmt: skip
PRIORITY = _family(
    "priority-chain",
    "the same with 2 or 3 classes by non-preemptive priority",
    ordered_networks("priority"), "global-balance", "marie", "extended-amva", seed=22,
)  # fmt: skip
PREEMPTIVE = _family(
    "preemptive-chain",
    "the same with preemptive-resume priority",
    ordered_networks("preemptive"), "global-balance", "marie", "extended-amva", seed=23,
)  # fmt: skip
FORK = _family(
    "fork-join-chain",
    "closed, 1 or 2 classes, up to 8 customers, a fork of 2 to 4 branches, 1 or 2 other stations",
    fork_networks, "global-balance", "marie", "extended-amva", seed=24,
)  # fmt: skip
LIMIT = _family(
    "limit-chain",
    "closed, 1 or 2 classes, up to 8 customers, memory for some of them at 1 or 2 stations, up to "
    "1 other station",
    limit_networks, "global-balance", "marie", "nested-fes", "flow-equivalent",
    "limited-layers", "aggregated-fes",
    seed=25,
)  # fmt: skip
