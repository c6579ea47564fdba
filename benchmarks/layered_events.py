"""python -m benchmarks.layered_events: layered models as processes, a second engine.

Each customer is a generator that asks for threads and processors. What the network simulation
leaves out is here: calls that no one waits for, work after the answer, parallel branches.
Processors are shared equally; times are exponential, numbers of calls geometric unless fixed.
"""

import random
import re
from collections import deque
from heapq import heappop, heappush

from qmodel import (
    Answer,
    Choice,
    Entry,
    Layered,
    Processor,
    Repeat,
    Service,
    Together,
    Users,
    Work,
    solve_layers,
)

SERVE, TAKE, WAIT = range(3)


class Shared:
    """A processor by virtual time: the service that each who is there has got."""

    def __init__(self, cores: int | None) -> None:
        self.cores, self.heap = cores, []
        self.virtual = self.since = self.busy = 0.0
        self.stamp = 0

    def settle(self, now: float) -> None:
        n = len(self.heap)
        if n:
            served = n if self.cores is None else min(n, self.cores)
            self.virtual += (now - self.since) * served / n
            self.busy += (now - self.since) * served
        self.since = now


class Simulation:
    """A model from empty to ``end``; what happens before ``warm`` is not counted."""

    def __init__(self, model: Layered, seed: int, end: float, warm: float) -> None:
        self.model, self.random, self.warm, self.end = model, random.Random(seed), warm, end
        self.now, self.count, self.events = 0.0, 0, []
        self.at = {p.name: Shared(p.cores) for p in model.processors}
        self.speed = {p.name: p.speed for p in model.processors}
        self.free = {s.name: s.threads for s in model.services}
        self.queue = {s.name: deque() for s in model.services}
        self.service = {e.name: s for s in model.services for e in s.entries}
        self.entry = {e.name: e for s in model.services for e in s.entries}
        self.times = {u.name: [] for u in model.users}
        self.held = dict.fromkeys(self.free, 0.0)
        for users in model.users:
            if users.population is None:
                self.start(self.arrivals(users))
            for _ in range(users.population or 0):
                self.start(self.user(users))
        while self.events and self.events[0][0] < end:
            self.now, _, what, who, stamp = heappop(self.events)
            if what is None:
                self.step(who)
            elif stamp == what.stamp:
                what.settle(self.now)
                self.step(heappop(what.heap)[2])
                self.plan(what)

    def push(self, time: float, what, who, stamp: int = 0) -> None:
        self.count += 1
        heappush(self.events, (time, self.count, what, who, stamp))

    def plan(self, at: Shared) -> None:
        at.stamp += 1
        n = len(at.heap)
        if n:
            share = 1.0 if at.cores is None else min(n, at.cores) / n
            left = max(0.0, at.heap[0][0] - at.virtual) / share
            self.push(self.now + left, at, None, at.stamp)

    def start(self, process) -> None:
        self.step(process)

    def step(self, process) -> None:
        """Go on until something must be waited for."""
        for what, which, more in process:
            if what == SERVE:
                if which is None:
                    self.push(self.now + more, None, process)
                else:
                    at = self.at[which]
                    at.settle(self.now)
                    self.count += 1
                    heappush(at.heap, (at.virtual + more, self.count, process))
                    self.plan(at)
                return
            if what == TAKE:
                if self.free[which] is None or self.free[which] > 0:
                    if self.free[which] is not None:
                        self.free[which] -= 1
                    continue
                self.queue[which].append(process)
                return
            if not which["done"]:  # WAIT
                which["waits"] = process
                return

    def release(self, name: str) -> None:
        if self.queue[name]:
            self.push(self.now, None, self.queue[name].popleft())
        elif self.free[name] is not None:
            self.free[name] += 1

    def set(self, signal) -> None:
        signal["done"] = True
        if signal["waits"] is not None:
            self.push(self.now, None, signal["waits"])

    def exp(self, mean: float) -> float:
        return self.random.expovariate(1.0 / mean) if mean else 0.0

    def user(self, users):
        while True:
            yield SERVE, None, self.exp(users.think_time)
            yield from self.interaction(users)

    def arrivals(self, users):
        while True:
            yield SERVE, None, self.exp(1.0 / users.arrival_rate)
            self.start(self.interaction(users))

    def interaction(self, users):
        begun = self.now
        for name in self.chosen(users.calls, users.fixed):
            if name is not None:
                yield from self.call(name)
        if begun > self.warm:
            self.times[users.name].append(self.now - begun)

    def chosen(self, calls, fixed: bool):
        """None for each slice, names of entries in between."""
        yield None
        if fixed:
            for name, number in calls:
                for _ in range(int(number)):
                    yield name
                    yield None
            return
        total = sum(n for _, n in calls)
        while self.random.random() < total / (1.0 + total):
            yield self.random.choices([n for n, _ in calls], [x for _, x in calls])[0]
            yield None

    def call(self, name: str):
        """One who waits for the answer, and for those of whom the call is passed on to."""
        answered = {"done": False, "waits": None}
        self.start(self.serve(name, answered))
        yield WAIT, answered, None
        u = self.random.random()
        for other, p in self.entry[name].forwards:
            u -= p
            if u < 0.0:
                yield from self.call(other)
                return

    def serve(self, name: str, answered):
        service = self.service[name]
        yield TAKE, service.name, None
        begun = self.now
        yield from self.steps(self.entry[name].steps, service, answered)
        self.release(service.name)
        if begun > self.warm:
            self.held[service.name] += self.now - begun
        if not answered["done"]:
            self.set(answered)

    def steps(self, steps, service, answered):
        for step in steps:
            if isinstance(step, Work):
                yield from self.work(step, service)
            elif isinstance(step, Answer):
                self.set(answered)
            elif isinstance(step, Choice):
                u = self.random.random()
                for p, branch in step.branches:
                    u -= p
                    if u < 0.0:
                        yield from self.steps(branch, service, answered)
                        break
            elif isinstance(step, Repeat):
                while self.random.random() < step.times / (1.0 + step.times):
                    yield from self.steps(step.steps, service, answered)
            elif isinstance(step, Together):
                ends = [{"done": False, "waits": None} for _ in step.branches]
                for branch, end in zip(step.branches, ends, strict=True):
                    self.start(self.branch(branch, service, answered, end))
                for end in ends:
                    yield WAIT, end, None

    def branch(self, steps, service, answered, end):
        yield from self.steps(steps, service, answered)
        self.set(end)

    def work(self, work: Work, service):
        total = sum(n for _, n in work.calls)
        yield SERVE, None, self.exp(work.think)
        where = service.processor
        mean = work.demand / (self.speed[where] if where else 1.0) / (1.0 + total)
        for name in self.chosen(work.calls, work.fixed):
            if name is None:
                yield SERVE, where, self.exp(mean)
            else:
                yield from self.call(name)
        for name in self.chosen(work.sends, False):
            if name is not None:
                self.start(self.sent(name))

    def sent(self, name: str):
        yield from self.call(name)


def simulated(model: Layered, seed: int, events: float, runs: int = 6) -> dict[str, list[float]]:
    """Response times and throughputs of the users, with half widths from independent runs."""
    rate = sum(u.arrival_rate or u.population / (u.think_time + 1e-9) for u in model.users)
    end = events / rate / runs
    found = [Simulation(model, 1000 * seed + i, 1.1 * end, 0.1 * end) for i in range(runs)]
    answer = {"R": [], "R half": [], "X": [], "X half": []}
    for u in model.users:
        rows = [one.times[u.name] for one in found]
        for key, values in (
            ("R", [sum(r) / len(r) for r in rows]),
            ("X", [len(r) / end for r in rows]),
        ):
            mean = sum(values) / runs
            answer[key].append(mean)
            sd = (sum((v - mean) ** 2 for v in values) / (runs - 1)) ** 0.5
            answer[f"{key} half"].append(2.57 * sd / runs**0.5)
    return answer


def cases():
    """What the network simulation leaves out, alone and between tiers."""
    early = [Work(0.05), Answer(), Work(0.05)]
    page = [Work(0.12, {"q": 2})]
    later = [Work(0.1, {"q": 1}), Answer(), Work(0.05, {"q": 1})]
    fork = [Work(0.1), Together([[Work(0.05, {"q": 2})], [Work(0.05, {"r": 3})]]), Work(0.1)]
    for name, steps, query, threads, users in (
        ("answer first, below", page, early, 4, 10), ("answer first, 2 threads", page, early, 2, 6),
        ("answer first, above", later, [Work(0.08)], 4, 10),
        ("fork over two", fork, [Work(0.1)], 4, 8),
        ("calls sent", [Work(0.1, {"q": 1}, {"r": 1})], [Work(0.1)], 4, 10),
    ):  # fmt: skip
        services = [Service("web", [Entry("e", steps=steps)], threads, "p"),
                    Service("db", [Entry("q", steps=query)], 2, "d")]  # fmt: skip
        if any(n == "r" for step in steps for n in re.findall("'(r)'", repr(step))):
            services.append(Service("other", [Entry("r", 0.1)], 1, "o"))
        hosts = [Processor("p", 2), Processor("d"), Processor("o")]
        yield name, Layered([Users("u", users, 2.0, {"e": 1})], services, hosts)


def main() -> None:
    """Response times and throughputs of `cases`, and how far the method of layers is off."""
    for name, model in cases():
        found, truly = solve_layers(model)["u"], simulated(model, 1, 60_000)
        r, x = (truly[key][0] for key in "RX")
        half, off = truly["R half"][0] / r, found.response_time / r - 1
        print(f"{name:24} R {r:.4f} ± {half:.1%}: {off:+.1%}, "
              f"X {x:.4f}: {found.throughput / x - 1:+.1%}")  # fmt: skip


if __name__ == "__main__":
    main()
