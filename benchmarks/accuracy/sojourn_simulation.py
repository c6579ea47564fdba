"""A small event simulation of networks that records every response time.

Closed, open and mixed. Stations are delays, queues of one or several servers first come, first
served, or share their speed, as those without a discipline do. Service times and times between
arrivals are exponential (SCV 1), gamma (below 1), or of two balanced exponential kinds (above 1). A
class visits its stations in their order, once each; or, with visit ratios, the first of all as a
central server: after each visit there it leaves or goes to one of the others and back. Nothing of
the solvers is used.
"""

from __future__ import annotations

from bisect import bisect
from collections import deque
from heapq import heappop, heappush
from itertools import count
from math import sqrt
from random import Random
from statistics import stdev

from qmodel import ClosedClass, DelayStation, LoadDependentStation, Network

#: Batches, and Student's t for 95 % with one less.
BATCHES, STUDENT = 20, 2.093
SHARES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}


def simulate(network: Network, interactions: int, seed: int) -> list[list[float]]:
    """Response times of each class.

    Parameters
    ----------
    interactions : int
        How many are recorded, of all classes together, after a tenth more that are not.
    """
    random = Random(seed)
    classes = network.classes
    served = [[k for k, demand in enumerate(row) if demand] for row in network.demand]
    draw = [
        {k: drawing(random, network.service_time_at(c, k), network.scv_at(c, k)) for k in ks}
        for c, ks in enumerate(served)
    ]
    routing = [_routing(random, network, c, ks) for c, ks in enumerate(served)]
    places = [_place(station) for station in network.stations]
    events, order = [], count()
    responses = [[] for _ in classes]
    warm, done = interactions // 10, 0
    between = {}
    for c, customer_class in enumerate(classes):
        if isinstance(customer_class, ClosedClass):
            for _ in range(customer_class.population):
                heappush(events, (random.random() * 1e-6, next(order), None, c))
        elif customer_class.arrival_rate:
            gap = 1 / customer_class.arrival_rate
            between[c] = drawing(random, gap, customer_class.arrival_scv)
            heappush(events, (between[c](), next(order), None, c))
    while done < warm + interactions:
        now, _, place, what = heappop(events)
        if place is None:
            c = what
            if c in between:
                heappush(events, (now + between[c](), next(order), None, c))
            k, last = routing[c](None)
            places[k].join(now, (c, last, now, draw[c][k]()), events, order, k)
            continue
        for c, done_then, begun, _ in places[place].finish(now, what, events, order, place):
            if not done_then:
                k, last = routing[c](place)
                places[k].join(now, (c, last, begun, draw[c][k]()), events, order, k)
                continue
            done += 1
            if done > warm:
                responses[c].append(now - begun)
            if isinstance(classes[c], ClosedClass):
                think = classes[c].think_time
                wait = random.expovariate(1 / think) if think else 0.0
                heappush(events, (now + wait, next(order), None, c))
    return responses


class _Queue:
    """First come, first served at m servers; m = infinity is a delay."""

    def __init__(self, servers):
        self.free, self.waiting = servers, deque()

    def join(self, now, who, events, order, k):
        if self.free:
            self.free -= 1
            heappush(events, (now + who[3], next(order), k, who))
        else:
            self.waiting.append(who)

    def finish(self, now, who, events, order, k):
        if self.waiting:
            following = self.waiting.popleft()
            heappush(events, (now + following[3], next(order), k, following))
        else:
            self.free += 1
        return [who]


class _Sharing:
    """All there share the speed; time is counted by the work that each has got."""

    def __init__(self, speed):
        self.speed, self.got, self.since, self.there, self.version = speed, 0.0, 0.0, [], 0

    def join(self, now, who, events, order, k):
        self._go_on(now)
        heappush(self.there, (self.got + who[3], next(order), who))
        self._plan(now, events, order, k)

    def finish(self, now, version, events, order, k):
        if version != self.version:
            return []
        self._go_on(now)
        _, _, who = heappop(self.there)
        self._plan(now, events, order, k)
        return [who]

    def _go_on(self, now):
        n = len(self.there)
        if n:
            self.got += (now - self.since) * self.speed(n) / n
        self.since = now

    def _plan(self, now, events, order, k):
        self.version += 1
        n = len(self.there)
        if n:
            wait = max(0.0, self.there[0][0] - self.got) * n / self.speed(n)
            heappush(events, (now + wait, next(order), k, self.version))


def _routing(random, network, c, served):
    """A function from a station (None: the terminals) to the next, and whether that is the last."""
    if network.visit_ratio is None:
        after = dict(zip([None, *served], served, strict=False))
        return lambda place: (after[place], after[place] == served[-1])
    rounds, *visits = network.visit_ratio[c]
    if abs(sum(visits) - rounds + 1.0) > 1e-9 * rounds or len(served) < len(network.stations):
        raise ValueError("visit ratios other than those about a central server")
    bounds = [sum(visits[:i]) / sum(visits) for i in range(1, len(visits))]

    def go(place):
        if place == 0:
            return 1 + bisect(bounds, random.random()), False
        return 0, random.random() * rounds < 1.0

    return go


def _place(station):
    if isinstance(station, DelayStation):
        return _Queue(float("inf"))
    if isinstance(station, LoadDependentStation):
        rates = station.rates
        return _Sharing(lambda n: rates[min(n, len(rates)) - 1])
    if station.discipline in {"any", "ps"}:
        servers = station.servers
        return _Sharing(lambda n: min(n, servers))
    return _Queue(station.servers)


def drawing(random: Random, time: float, scv: float):
    """A function that draws times of a mean and a squared coefficient of variation."""
    if scv == 1.0:
        return lambda: random.expovariate(1.0 / time)
    if scv == 0.0:
        return lambda: time
    if scv < 1.0:
        return lambda: random.gammavariate(1.0 / scv, time * scv)
    first = 0.5 * (1.0 + sqrt((scv - 1.0) / (scv + 1.0)))

    def balanced():
        p = first if random.random() < first else 1.0 - first
        return random.expovariate(2.0 * p / time)

    return balanced


def percentiles(times: list[float]) -> tuple[dict[str, float], dict[str, float]]:
    """Percentiles of a list of times, and half widths of their 95 % intervals by batches."""
    values, noise = {}, {}
    size = len(times) // BATCHES
    batches = [times[i * size : (i + 1) * size] for i in range(BATCHES)]
    ordered, parts = sorted(times), [sorted(batch) for batch in batches]
    for name, share in SHARES.items():
        values[name] = _percentile(ordered, share)
        noise[name] = _half_width([_percentile(part, share) for part in parts])
    return values, noise


def _half_width(values: list[float]) -> float:
    return STUDENT * stdev(values) / sqrt(BATCHES)


def _percentile(ordered: list[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = int(place)
    high = ordered[min(low + 1, len(ordered) - 1)]
    return ordered[low] + (place - low) * (high - ordered[low])
