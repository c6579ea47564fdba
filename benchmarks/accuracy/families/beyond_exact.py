"""Closed networks that no exact method of `qmodel.solve` affords, and their exact answer.

Nine to eighteen classes are copies of two or three: the same demands and think times, different
populations. Customers of such classes are alike, so the network of two or three classes with
their populations added is solved exactly, and gives the response times of all. No method here
looks for copies, so to them the classes are as good as different.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from benchmarks.accuracy.family import Family, Truth, as_truth, by_name
from qmodel import ClosedClass, Network, QueueingStation, solve
from qmodel.solvers import METHODS


def networks(seed: int) -> Iterator[Network]:
    """Three to six stations, half of the networks with several servers; 1 to 25 a class."""
    rng = random.Random(seed)
    while True:
        network = drawn(rng)
        if all(method.why_not(network) is not None for method in METHODS if method.exact):
            yield network


def drawn(rng: random.Random) -> Network:
    """One of them, perhaps small enough to be solved exactly after all."""
    several = rng.random() < 0.5
    most = rng.choice([8, 15, 25])
    stations = [
        QueueingStation(f"s{k}", rng.choice((1, 2, 4, 8, 16)) if several else 1)
        for k in range(rng.randint(3, 6))
    ]
    classes, demand = [], []
    for group in range(rng.randint(2, 3)):
        row = [10 ** rng.uniform(-1.5, 0) * s.servers ** rng.uniform(0.3, 1.2) for s in stations]
        think_time = rng.choice([0.0, 10 ** rng.uniform(-1, 1.5)])
        for copy in range(rng.randint(4, 6)):
            classes.append(ClosedClass(f"c{group}{copy}", rng.randint(1, most), think_time))
            demand.append(row)
    return Network(stations, classes, demand)


def reference(network: Network) -> Truth:
    """From the network in which classes that are alike are one."""
    alike: dict = {}
    for c, row in zip(network.classes, network.demand, strict=True):
        alike.setdefault((c.think_time, row), []).append(c)
    classes = [
        replace(members[0], population=sum(c.population for c in members))
        for members in alike.values()
    ]
    solution = solve(Network(network.stations, classes, [row for _, row in alike]), "exact")
    of = {
        c.name: (solution.response_times[i], solution.throughputs[i] * c.population / n)
        for i, members in enumerate(alike.values())
        for n in [sum(c.population for c in members)]
        for c in members
    }
    whole = as_truth(solution)
    return Truth(
        {
            "R": [of[c.name][0] for c in network.classes],
            "X": [of[c.name][1] for c in network.classes],
            "Q": whole.values["Q"],
        },
        whole.scale,
    )


FAMILY = Family(
    name="beyond-exact",
    about="closed, 8 to 18 classes, 3 to 6 stations, half of them with stations of up to 16 "
    "servers, up to 25 customers a class; all too large for the exact methods",
    seed=4,
    networks=networks,
    count=200,
    reference=reference,
    methods=by_name("second-differences", "linearizer", "aql", "bard-schweitzer"),
    truth="exact, of the network in which classes that are alike are one",
    sample=2,
    keep=True,
    measures=("R", "X", "Q"),
)
