"""The Markov chain of one class of customers and limits inside of each other, all exponential.

A state counts those at each place of the route and those who wait at each limit for each place;
who thinks is what is left of a closed population. Of open arrivals as many are there as fit.
"""

import numpy as np

from qmodel import ClosedClass, DelayStation
from qmodel.model.closed_network import service_rates
from qmodel.model.visit_routing import places_of


class NestedLimits:
    def __init__(self, network, most):
        self.network, self.most = network, most
        self.there, self.ways = places_of(network, 0)
        names = network.station_names
        # The outermost first.
        limits = sorted(network.limits, key=lambda x: (-len(x.stations), -x.customers))
        self.limits = [(x, {names.index(name) for name in x.stations}) for x in limits]

    def inside(self, counts, limit):
        held = self.limits[limit][1]
        return sum(
            n for (at, p), n in counts.items()
            if self.there[p] in held and (at < 0 or at > limit)
        )  # fmt: skip

    def enter(self, counts, place, held):
        for at, (limit, stations) in enumerate(self.limits):
            asked = self.there[place] in stations and at not in held
            if asked and self.inside(counts, at) >= limit.customers:
                if limit.full == "wait":
                    counts[at, place] = counts.get((at, place), 0) + 1
                return [(counts, 1.0)]
        counts[-1, place] = counts.get((-1, place), 0) + 1
        return [(counts, 1.0)]

    def leave(self, counts, p, q):
        """After the service at place p, on the way to q."""
        counts = dict(counts)
        counts[-1, p] -= 1
        held = set()
        free = []
        for at, (_, stations) in enumerate(self.limits):
            if self.there[p] in stations:
                stays = q < len(self.there) and self.there[q] in stations
                (held.add if stays else free.append)(at)
        states = [(counts, 1.0)]
        if q < len(self.there):
            there = sum(counts.values())
            states = self.enter(counts, q, held)
            if sum(counts.values()) == there:  # rejected: it gives back all that it holds
                free = [at for at, (_, held) in enumerate(self.limits) if self.there[p] in held]
        for at in free:
            after = []
            for state, chance in states:
                waiting = {p: n for (x, p), n in state.items() if x == at and n}
                for place, n in waiting.items():
                    some = self.enter({**state, (at, place): n - 1}, place, set(range(at + 1)))
                    after += [(s, chance * c * n / sum(waiting.values())) for s, c in some]
                if not waiting:
                    after.append((state, chance))
            states = after
        return states

    def moves(self, counts):
        customers = self.network.classes[0]
        total = sum(counts.values())
        if isinstance(customers, ClosedClass):
            rate = (self.most - total) / customers.think_time
        else:
            rate = customers.arrival_rate if total < self.most else 0.0
        outside = len(self.there)
        for q, chance in self.ways[outside] if rate else ():
            for after, c in self.enter(dict(counts), q, set()):
                yield after, rate * chance * c, False
        for (at, p), n in counts.items():
            if at >= 0 or not n:
                continue
            k = self.there[p]
            there = sum(m for (x, r), m in counts.items() if x < 0 and self.there[r] == k)
            station, speed = self.network.stations[k], float(n)
            if not isinstance(station, DelayStation):
                rates = service_rates(station)
                speed = rates[min(there, len(rates)) - 1] * n / there
            for q, chance in self.ways[p]:
                for after, c in self.leave(counts, p, q):
                    step = speed / self.network.service_time_at(0, k) * chance * c
                    yield after, step, q == outside


def solve(network, most):
    """Response time [s] and throughput [1/s] with ``most`` customers, of open ones at most."""
    chain = NestedLimits(network, most)
    numbers, states, steps = {(): 0}, [{}], []
    i = 0
    while i < len(states):
        for after, rate, done in chain.moves(states[i]):
            key = tuple(sorted((k, n) for k, n in after.items() if n))
            if key not in numbers:
                numbers[key] = len(states)
                states.append(dict(key))
            steps.append((i, numbers[key], rate, done))
        i += 1
    generator = np.zeros((i, i))
    for a, b, rate, _ in steps:
        generator[a, b] += rate
        generator[a, a] -= rate
    generator[:, 0] = 1.0
    chance = np.linalg.solve(generator.T, np.eye(i)[0])
    done = sum(chance[a] * rate for a, _, rate, done in steps if done)
    present = sum(p * sum(s.values()) for p, s in zip(chance, states, strict=True))
    return present / done, done
