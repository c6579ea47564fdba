"""A simulation of closed networks that serve in order or fork, with confidence intervals.

Ciw, which simulates queueing networks, knows no forks and no preemption that resumes with several
servers; this one knows what `qmodel` does, customer by customer. Service times have the
distributions of the mean and SCV that two-moment methods assume: Erlang mixtures below 1 and two
balanced exponential branches above. Customers visit the stations in order, once each.
"""

from __future__ import annotations

import random
from heapq import heappop, heappush
from math import ceil, sqrt
from statistics import mean, stdev

from benchmarks.accuracy.family import Truth
from qmodel import (
    ClosedClass,
    DelayStation,
    ForkJoinStation,
    Network,
    QueueingStation,
)

#: Batches, and Student's t for 95 % with one less.
BATCHES, STUDENT = 20, 2.093


def simulated(network: Network, seed: int, interactions: int) -> Truth:
    """Response times and throughputs of the classes, with half widths of 95 % intervals.

    Parameters
    ----------
    network : Network
        Closed classes; "any" stations share a server, with exponential service.
    seed : int
        Of the random numbers.
    interactions : int
        Of the class that has fewest, about; a tenth more is left out to begin with.
    """
    run = _Run(network, seed)
    run.until(interactions // 10)
    times, rates = [], []
    for _ in range(BATCHES):
        begun = run.now
        run.reset()
        run.until(interactions // BATCHES)
        times.append([total / count for total, count in zip(run.total, run.count, strict=True)])
        rates.append([count / (run.now - begun) for count in run.count])
    classes = range(len(network.classes))
    values, noise = {}, {}
    for name, rows in (("R", times), ("X", rates)):
        values[name] = [mean(row[c] for row in rows) for c in classes]
        noise[name] = [STUDENT * stdev(row[c] for row in rows) / sqrt(BATCHES) for c in classes]
    return Truth(values, noise=noise)


def sampler(rng: random.Random, average: float, scv: float):
    """A function that draws service times."""
    if scv == 1.0:
        return lambda: rng.expovariate(1.0 / average)
    if scv == 0.0:
        return lambda: average
    if scv > 1.0:
        p = 0.5 * (1.0 + sqrt((scv - 1.0) / (scv + 1.0)))
        fast, slow = 2.0 * p / average, 2.0 * (1.0 - p) / average
        return lambda: rng.expovariate(fast if rng.random() < p else slow)
    k = ceil(1.0 / scv - 1e-9)
    p = (k * scv - sqrt(max(0.0, k * (1.0 + scv) - k * k * scv))) / (1.0 + scv)
    scale = average / (k - p)
    return lambda: rng.gammavariate(k - (rng.random() < p), scale)


class _Customer:
    __slots__ = ("arrived", "begun", "c", "left", "parts", "rank", "stage")

    def __init__(self, c: int, rank: int) -> None:
        self.c, self.rank, self.stage, self.begun, self.left = c, rank, -1, 0.0, None
        self.arrived, self.parts = 0, 0


class _Run:
    """The state of a simulation."""

    def __init__(self, network: Network, seed: int) -> None:
        self.rng = random.Random(seed)
        self.network = network
        self.now, self.number = 0.0, 0
        self.events: list = []
        self.routes = [[k for k, d in enumerate(row) if d] for row in network.demand]
        self.draw = [
            [
                sampler(self.rng, d, 1.0 if _shared(s) else network.scv_at(c, k)) if d else None
                for k, (s, d) in enumerate(zip(network.stations, row, strict=True))
            ]
            for c, row in enumerate(network.demand)
        ]
        self.places = [_place(self, k, s) for k, s in enumerate(network.stations)]
        self.reset()
        for c, customers in enumerate(network.classes):
            assert isinstance(customers, ClosedClass)
            for _ in range(customers.population):
                self.think(_Customer(c, customers.priority))

    def reset(self) -> None:
        self.total = [0.0] * len(self.network.classes)
        self.count = [0] * len(self.network.classes)

    def until(self, interactions: int) -> None:
        while min(self.count) < interactions:
            self.now, _, act, data = heappop(self.events)
            act(data)

    def at(self, delay: float, act, data) -> None:
        self.number += 1
        heappush(self.events, (self.now + delay, self.number, act, data))

    def think(self, one: _Customer) -> None:
        time = self.network.think_time[one.c]
        self.at(self.rng.expovariate(1.0 / time) if time else 0.0, self.begin, one)

    def begin(self, one: _Customer) -> None:
        one.begun, one.stage = self.now, -1
        self.go_on(one)

    def go_on(self, one: _Customer) -> None:
        one.stage += 1
        route = self.routes[one.c]
        if one.stage == len(route):
            self.total[one.c] += self.now - one.begun
            self.count[one.c] += 1
            self.think(one)
        else:
            one.left = None
            self.number += 1
            one.arrived = self.number
            self.places[route[one.stage]].arrive(one)


def _shared(station) -> bool:
    return isinstance(station, QueueingStation) and station.discipline in {"any", "ps"}


def _place(run: _Run, k: int, station):
    if isinstance(station, DelayStation):
        return _Delay(run, k)
    if isinstance(station, ForkJoinStation):
        return _Fork(run, k, station.branches)
    if _shared(station):
        return _Shared(run, k, station.servers)
    return _Line(run, k, station.servers, station.discipline)


class _Delay:
    def __init__(self, run: _Run, k: int) -> None:
        self.run, self.k = run, k

    def arrive(self, one: _Customer) -> None:
        self.run.at(self.run.draw[one.c][self.k](), self.run.go_on, one)


class _Shared:
    """Processor sharing of exponential service: the next to leave is drawn anew at each change."""

    def __init__(self, run: _Run, k: int, servers: int) -> None:
        self.run, self.k, self.servers, self.here, self.turn = run, k, servers, [], 0

    def arrive(self, one: _Customer) -> None:
        self.here.append(one)
        self.plan()

    def plan(self) -> None:
        self.turn += 1
        if self.here:
            n = len(self.here)
            demand = self.run.network.demand
            weights = [1.0 / demand[one.c][self.k] for one in self.here]
            rate = sum(weights) * min(n, self.servers) / n
            (chosen,) = self.run.rng.choices(range(n), weights)
            self.run.at(self.run.rng.expovariate(rate), self.leave, (self.turn, chosen))

    def leave(self, data) -> None:
        turn, chosen = data
        if turn == self.turn:
            one = self.here.pop(chosen)
            self.plan()
            self.run.go_on(one)


class _Line:
    """First come, first served, or by priority, with or without interruption."""

    def __init__(self, run: _Run, k: int, servers: int, discipline: str) -> None:
        self.run, self.k, self.servers, self.discipline = run, k, servers, discipline
        self.queue: list = []
        self.busy: dict = {}  # customer -> (when it ends, its turn)
        self.turn = 0

    def arrive(self, one: _Customer) -> None:
        one.left = self.run.draw[one.c][self.k]()
        if len(self.busy) == self.servers and self.discipline == "preemptive":
            last = max(self.busy, key=lambda other: (other.rank, other.arrived))
            if last.rank > one.rank:
                last.left = self.busy.pop(last)[0] - self.run.now
                self.wait(last)
        if len(self.busy) < self.servers:
            self.start(one)
        else:
            self.wait(one)

    def wait(self, one: _Customer) -> None:
        rank = 0 if self.discipline == "fcfs" else one.rank
        heappush(self.queue, (rank, one.arrived, one))

    def start(self, one: _Customer) -> None:
        self.turn += 1
        self.busy[one] = self.run.now + one.left, self.turn
        self.run.at(one.left, self.leave, (one, self.turn))

    def leave(self, data) -> None:
        one, turn = data
        if self.busy.get(one, (0.0, 0))[1] == turn:
            del self.busy[one]
            if self.queue:
                self.start(heappop(self.queue)[2])
            self.run.go_on(one)


class _Fork:
    """Equal queues, one for each branch, first come, first served."""

    def __init__(self, run: _Run, k: int, branches: int) -> None:
        self.run, self.k = run, k
        self.queues: list = [[] for _ in range(branches)]

    def arrive(self, one: _Customer) -> None:
        one.parts = len(self.queues)
        for i, queue in enumerate(self.queues):
            queue.append(one)
            if len(queue) == 1:
                self.run.at(self.run.draw[one.c][self.k](), self.leave, i)

    def leave(self, i: int) -> None:
        one = self.queues[i].pop(0)
        if self.queues[i]:
            self.run.at(self.run.draw[self.queues[i][0].c][self.k](), self.leave, i)
        one.parts -= 1
        if not one.parts:
            self.run.go_on(one)
