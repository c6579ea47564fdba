"""The method of layers over flow-equivalent servers.
Theory and sources: `qmodel/solvers/THEORY.md`, layered/rounds.
"""

from math import ceil, inf, log
from typing import Any

import numpy as np
from scipy.special import gammaln

from qmodel.errors import NotApplicable, Unstable
from qmodel.numerics.arrays import Array
from qmodel.solvers.layered.durations import Durations
from qmodel.solvers.layered.processors import FOLLOWED
from qmodel.solvers.layered.shared import all_together
from qmodel.solvers.layered.state import Resource, State, rates_beside, resources_of
from qmodel.solvers.limits.pool_queue import closed_pool
from qmodel.solvers.limits.population_shares import Part, population_shares

#: Rounds at most, the change that ends them, and the part of a step that is taken.
ROUNDS, TOLERANCE, STEP = 200, 1e-6, 0.5
#: Rounds without progress after which the step is halved.
PATIENCE = 8
#: Customers of a stream are followed up to where more are this unlikely, or to `FOLLOWED`.
UNLIKELY = 1e-8


class Layers(State):
    """Rounds over all layers."""

    def solve(self, rounds: int) -> tuple[int, float]:
        """Rounds until nothing changes: how many, and the last change."""
        self._begin()
        moved, done = inf, 0
        several = any(len(each) > 1 for each in self.callers.values())
        several |= any(node.overlaps for node in self.nodes) or bool(self.at.above)
        step, best, since = STEP, inf, 0
        for done in range(1, rounds + 1):
            moved = self._round(step if several and done > 1 else 1.0)
            if moved < TOLERANCE or not several:
                break
            best, since = (moved, 0) if moved < 0.8 * best else (best, since + 1)
            if since == PATIENCE:  # it goes to and fro
                step, best, since = step / 2.0, inf, 0
        if several and moved > 1e-3:
            raise NotApplicable(f"layers: still changing by {moved:.1g} after {done} rounds")
        return done, moved if several else 0.0

    def _begin(self) -> None:
        """Throughputs at which no processor is overloaded, and no waits."""
        nodes = self.nodes
        for k in reversed(range(len(nodes))):
            self.residence[k] = dict.fromkeys(resources_of(nodes[k]), 0.0)
            self._answer(k)
        closed = {node.name: node for node in nodes if node.kind == "users"}
        self.flows(dict.fromkeys(closed, 0.0))
        load = self.loads()
        for name, busy in load.items():
            if busy >= 1.0:
                what = f"processor {self.at.level[name][0]!r}"
                raise Unstable(f"{what} would be {100 * busy:.4g} % busy, expected < 100")
        rates = {
            name: u.customers / (u.think + self.held[name] + 1e-12) for name, u in closed.items()
        }
        self.flows(rates)
        slow = 1.0
        for name, busy in self.loads().items():
            slow = max(slow, (busy - load[name]) / (0.9 * (1.0 - load[name])))
        self.flows({name: x / slow for name, x in rates.items()})
        for k, node in enumerate(nodes):
            for key in self.residence[k]:
                at = node.calls_to(nodes[key], self.held) if isinstance(key, int) else 0.0
                self.residence[k][key] = at or node.work.get(key, 0.0)  # type: ignore[arg-type]

    def _round(self, step: float) -> float:
        """All layers once, from below; then who is where, from above. The largest change."""
        before = [*self.throughput], [dict(each) for each in self.residence]
        for k in reversed(range(len(self.nodes))):
            (self._stream if self.nodes[k].kind == "stream" else self._alone)(k)
        self._from_above(step)
        moved = [abs(new / old - 1.0) for new, old in zip(self.throughput, before[0], strict=True)]
        for now, then in zip(self.residence, before[1], strict=True):
            moved += [abs(now[r] / then[r] - 1.0) for r in now if then[r] > 1e-9]
        return max(moved)

    def _alone(self, k: int) -> None:
        """A node with 1, 2 ... customers at its resources, as the others are now."""
        node, most = self.nodes[k], self.nodes[k].customers
        populations = np.array([most] if node.kind == "users" else range(1, most + 1))
        tokens = populations / (1.0 - self.overlap[k])
        rows = np.unique([np.floor(tokens), np.ceil(tokens)]).astype(int)
        if node.overlaps and node.kind == "service":
            rows = np.arange(1, int(1.2 * rows[-1]) + 2)
        most = int(rows[-1])
        keys, parts = self._parts(k, rows)
        speeds, chances = population_shares(parts, rows.tolist())
        self.rates[k], self.found[k] = speeds, (keys, chances)
        if node.overlaps:
            if node.kind == "service":  # by Little's law
                each = range(1, len(rows) + 1)
                away = [self._times(k, row).mixed(node.weights).mean for row in each]
                tokens = np.interp(populations, np.maximum.accumulate(speeds * away), rows)
            low, high = (np.searchsorted(rows, f(tokens)) for f in (np.floor, np.ceil))
            part = (tokens - np.floor(tokens))[:, None]
            chances = [(1.0 - part) * each[low] + part * each[high] for each in chances]
            self.rates[k] = (1.0 - part[:, 0]) * speeds[low] + part[:, 0] * speeds[high]
            self.found[k] = keys, chances
        if node.kind == "service":
            times = self._times(k, len(populations))
            self.scv[k] = times.mixed(node.weights).scv
            self.spans[k] = {name: times.of(name).end for name in node.entries}
            for o in self.callers.get(k, ()):
                caller = self.nodes[o]
                if caller.kind != "service" or caller.overlaps or node.overlaps:
                    continue
                if any(o in self.callers[key] for key in self.residence[k]):
                    self.beside[o, k] = np.array([
                        population_shares(self._parts(k, rows, (o, q))[1], rows.tolist())[0]
                        for q in range(caller.customers)
                    ])  # fmt: skip

    def _parts(
        self, k: int, rows: Any, busy: tuple[int, int] | None = None
    ) -> tuple[list[Resource | None], list[Part]]:
        """A node's resources with so many customers there; ``busy`` as in `others`."""
        node, most = self.nodes[k], int(rows[-1])
        keys: list[Resource | None] = []
        parts, size = [], np.arange(most + 1)
        if node.delay:
            keys.append(None)
            parts.append(Part(size * np.log(node.delay) - gammaln(size + 1)))
        for key in resources_of(node):
            others, beside = [o for o in self.callers[key] if o != k], self.beside.get((k, key))
            keys.append(key)
            if isinstance(key, int) and not others:
                rates = self.rates[key][:most]
                if beside is not None:
                    rates = rates_beside(beside, rows[:, None] - size[1:], size[1:])
                rates = rates / node.calls_to(self.nodes[key])
                places = min(most, self.nodes[key].customers)
                parts.append(Part.pool(rates, self.seen_scv(key, [k]), most, places))
                continue
            related = beside is not None or any(o in self.visits[k] for o in others)
            logs = np.full((len(rows) if related else 1, most + 1), -np.inf)
            for row, there in enumerate(rows.tolist() if related else [most]):
                logs[row, : there + 1] = self.view(k, key, there, busy)
            parts.append(Part(logs))
        return keys, parts

    def _stream(self, k: int) -> None:
        """How many of a stream are at each of its resources: it does not depend on the state."""
        node, rate = self.nodes[k], self.throughput[k]
        keys, chances = resources_of(node), []
        for key in keys:
            speed, work = self.speeds(k, key), self.work(k, key)
            most = self.rates[key] if isinstance(key, int) else speed
            open_load = sum(
                self.throughput[o] * self.work(o, key)
                for o in self.callers[key] if self.nodes[o].kind == "stream"
            ) / float(most[-1])  # fmt: skip
            if open_load >= 1.0:
                what = repr(self.nodes[key].name if isinstance(key, int) else self.at.level[key][0])
                raise Unstable(
                    f"{what} gets {100 * open_load:.4g} % of what it can do, expected < 100"
                )
            beside = sum(
                n.customers for o in self.callers[key] if (n := self.nodes[o]).kind == "users"
            )
            many = ceil(log(UNLIKELY) / log(max(0.2, open_load))) + len(most)
            many = min(FOLLOWED, many + ceil(2.0 * beside * open_load / (1.0 - open_load)))
            node.customers = max(node.customers, many)
            size = np.arange(many + 1)
            if len(self.callers[key]) == 1 and isinstance(key, int):
                feed = np.full(many + 1, rate * work)
                logs = closed_pool(feed, speed, self.scv[key], [many])[0]
            else:
                logs = self.view(k, key, many) + size * np.log(rate)
            chance = np.exp(logs - logs.max())
            chances.append((chance / chance.sum())[None, :])
        self.rates[k], self.found[k] = np.array([rate]), ([*keys], chances)

    def _times(self, k: int, row: int) -> Durations:
        """Durations of a node's entries while so many of its customers are there."""
        keys, chances = self.found[k]
        speed, times, waits = float(self.rates[k][row - 1]), dict[Resource, float](), {}
        for key, chance in zip(keys, chances, strict=True):
            if key is not None:
                size = np.arange(chance.shape[1])
                times[key] = float(chance[row - 1] @ size) / speed
                if isinstance(key, int):
                    over = np.maximum(0.0, size - self.nodes[key].customers)
                    waits[key] = float(chance[row - 1] @ over) / speed / self.work(k, key)
        return self.durations(k, times, waits)

    def _from_above(self, step: float) -> None:
        """Who is where: the threads busy of each service, and what each caller waits for."""
        nodes, rates, load = self.nodes, dict[str, float](), self.loads()
        self.at.forget()
        totals: list[list[tuple[float, Array]]] = [[] for _ in nodes]
        busy: Array
        for k, node in enumerate(nodes):
            is_service = node.kind == "service"
            busy = _mixed(totals[k], node.customers) if is_service else np.array([0.0, 1.0])
            self.busy[k] = busy
            speed = float(busy[1:] @ self.rates[k])
            if node.kind == "users":
                rates[node.name] = speed
            for key, chance in zip(*self.found[k], strict=True):
                if key is None:
                    continue
                number = busy[1:] @ chance
                number[0] += busy[0]
                here = float(number @ np.arange(len(number)))
                if isinstance(key, str) and key in self.at.above:
                    everyone = all_together(number, self.crowds[k, key])
                    work, comes = self.work(k, key), load[key] if node.kind == "stream" else 0.0
                    part = self.throughput[k] * work / self.at.cores[key] / max(load[key], 1e-300)
                    self.at.clear(key, everyone, work, part, comes)
                old = self.residence[k][key]
                time = here / speed
                self.residence[k][key] = old + step * (time - old)
                if isinstance(key, int):
                    there: Array = number
                    part = 1.0
                    if (k, key) in self.crowds:
                        there = all_together(number, self.crowds[k, key])
                        part = here / max(1e-300, float(there @ np.arange(len(there))))
                    calls = node.calls_to(nodes[key])
                    totals[key].append((self.throughput[k] * calls, there))
                    over = np.maximum(0.0, np.arange(len(there)) - nodes[key].customers)
                    self.waits[k][key] = float(there @ over) * part / speed / self.work(k, key)
        last = self.flow
        self.flows({name: last[name] + step * (x - last[name]) for name, x in rates.items()})
        for k in reversed(range(len(nodes))):
            self._answer(k)
            node = nodes[k]
            if node.overlaps and node.kind != "stream":
                inside = node.delay + sum(self.residence[k].values())
                away = node.think + sum(w * self.held[name] for name, w in node.weights.items())
                self.overlap[k] += step * (max(0.0, 1.0 - away / inside) - self.overlap[k])

    def _answer(self, k: int) -> None:
        """The times to the end and to the answer of a node's entries, as they are now."""
        times = self.durations(k)
        for name in self.nodes[k].entries:
            to_answer, to_end = times.of(name)
            self.held[name], self.answer[name] = to_end.mean, to_answer.mean


def _mixed(views: list[tuple[float, Array]], most: int) -> Array:
    """Probabilities of 0, 1 ... busy threads, from how each caller sees all who are there."""
    busy = np.zeros(most + 1)
    share = sum(weight for weight, _ in views)
    for weight, chance in views:
        size = min(len(chance), most + 1)
        busy[:size] += weight / share * chance[:size]
        busy[most] += weight / share * chance[size:].sum()
    return busy
