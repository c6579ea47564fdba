"""One replication: its random streams, its state, and what it has counted; see THEORY.md."""

from collections.abc import Sequence
from copy import copy
from math import inf
from typing import Any

import numpy as np

from qmodel.errors import NotApplicable, Unstable
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.simulation.compiled import least, longer, new_heaps, pop, push, roomier, sequence
from qmodel.simulation.estimates import Counts
from qmodel.simulation.events import STALLED, advance
from qmodel.simulation.layout import Layout
from qmodel.simulation.state import (
    BINS,
    COUNTED,
    EVENTS,
    FORK,
    FREE,
    NOW,
    OF_CUSTOMERS,
    PREEMPTIVE,
    REFILL,
    SHARED,
    SHORTEST,
    TRACED,
    Floats,
    State,
)

#: Random numbers in all rows, and in a row at most and at least, of which some are kept back.
NUMBERS, LONG, SHORT = 400_000, 2048, 96
#: Customers of open classes to begin with, and at most.
FIRST, MOST = 64, 1 << 16


class Replication:
    """A network under way; `run` brings it to a later time.

    ``plan`` is the network in flat sequences, ``seed`` that of this replication alone,
    ``late_after`` the response time of each class beyond which an interaction is late [s].
    ``trace`` response times are kept in the order of their ends, for the warm-up. Where ``loaded``,
    closed classes begin at their first station and not by thinking.
    """

    def __init__(
        self, network: Network, plan: Layout, seed: np.random.SeedSequence,
        late_after: Sequence[float], trace: int, loaded: bool = False,
    ) -> None:  # fmt: skip
        self.names = network.station_names
        self.rows = [copy(each) for each in plan.rows]  # arrivals have a phase
        streams = [np.random.default_rng(each) for each in seed.spawn(len(plan.rows) + 1)]
        self.streams, self.others = streams[:-1], streams[-1]
        self.thinking = network.think_time
        self.there = [getattr(c, "population", 0) for c in network.classes]
        self.pending = [0.0] * len(network.classes)
        kinds, servers, limits = (plan.fields[name] for name in ("kind", "servers", "most"))
        forks = [n for n, kind in zip(servers, kinds, strict=True) if kind == FORK]
        margin = max([1, *forks]) * (len(limits) + 2) + len(kinds) + 16  # drawn at one event
        block = max(SHORT, 3 * margin, min(LONG, NUMBERS // max(1, len(plan.rows))))
        self.state = _state(network, plan, late_after, trace, block, block - margin)
        self.begun = 0.0
        self._refill()
        _begin(self.state, network, plan, None if loaded else self.others)

    def run(self, until: float) -> int:
        """Let events happen up to a time; why it stopped, see `events`."""
        while True:
            stopped = advance(self.state, until)
            if stopped == STALLED and any(self.state.present):
                raise NotApplicable(
                    f"simulation: deadlock after {self.now:.4g} s, all customers wait for each "
                    f"other's room, most of them at {_most_crowded(self.state, self.names)!r}; "
                    "give one a larger buffer"
                )
            if self.state.counts[REFILL]:
                self._refill()
            else:
                return stopped

    def take_load(self, factors: Sequence[float], there: Sequence[int]) -> None:
        """From now on other arrival rates, over those of the network, and customers by class.

        The time to the next arrival is that of the rate so far, stretched. Customers who are to
        leave do so when they would think; thinking ones are gone at once.
        """
        s, outside = self.state, len(self.names)
        now, stays, planned = s.clock[NOW], list[tuple[float, int]](), list[tuple[int, float]]()
        wanted = [n - have for n, have in zip(there, self.there, strict=True)]
        while (key := least(s.heaps, 0)) < inf:
            planned.append((pop(s.heaps, 0), key))
        for i, key in sorted(planned, reverse=True):  # who leaves does not depend on when
            c = -1 - i if i < 0 else s.cls[i]
            if -len(factors) <= i < 0:
                self.pending[c] = (key - now) / s.stretch[c]
            elif i >= 0 and s.closed[c] and s.at[i] == outside and wanted[c] < 0:
                s.at[i] = -1
                wanted[c] += 1
            else:
                stays.append((key, i))
        for c, more in enumerate(wanted):
            stay = min(max(more, 0), s.leaving[c])
            s.leaving[c] += max(-more, 0) - stay
            absent = [i for i, c_ in enumerate(s.cls) if s.closed[c] and c_ == c and s.at[i] == -1]
            for i in absent[: max(more, 0) - stay]:
                s.at[i], s.place[i] = outside, s.outside[c]
                stays.append((now + self.others.exponential(self.thinking[c]), i))
            if not s.closed[c] and self.pending[c] and factors[c]:
                s.stretch[c] = 1.0 / factors[c]
                stays.append((now + self.pending[c] * s.stretch[c], -1 - c))
        for pair in stays:
            push(s.heaps, 0, *pair)
        self.there = list(there)

    def count_anew(self) -> None:
        """Forget what is counted so far: the warm-up ends."""
        s = self.state
        for name in COUNTED:
            values = getattr(s, name)
            values[:] = [0] * len(values)
        self.begun = s.clock[NOW]
        s.since[:] = [self.begun] * len(s.since)
        s.counts[EVENTS] = 0
        self.state = s._replace(trace=sequence([], float))

    def counted(self) -> Counts:
        """What is counted since the warm-up."""
        s = self.state
        now, (area, since, present) = (
            s.clock[NOW],
            (np.array(values, float) for values in (s.area, s.since, s.present)),
        )
        area = area + present * (now - since)
        rest = (np.array(getattr(s, name), float) for name in COUNTED[1:])
        return Counts(now - self.begun, s.counts[EVENTS], area, *rest)

    def traced(self) -> Floats:
        """The response times kept so far, in the order of their ends."""
        return self.state.trace[: self.state.counts[TRACED]]

    def trace_more(self, more: int) -> None:
        """Keep so many more response times."""
        self.state = self.state._replace(trace=longer(self.state.trace, more))

    @property
    def now(self) -> float:
        """The simulated time. [s]"""
        return float(self.state.clock[NOW])

    @property
    def is_empty(self) -> bool:
        """Whether nothing will ever happen."""
        return least(self.state.heaps, 0) == inf

    @property
    def events(self) -> int:
        """Events so far, or since the warm-up."""
        return int(self.state.counts[EVENTS])

    def _refill(self) -> None:
        """Fill up the rows of random numbers, and make room for more customers."""
        s = self.state
        if s.counts[REFILL] & 2:
            self._more_customers()
            s = self.state
        block = len(s.numbers) // max(1, len(self.rows))
        for row, (times, stream) in enumerate(zip(self.rows, self.streams, strict=True)):
            used = s.used[row]
            if used < block // 3:
                continue
            fresh = stream.random(used) if times is None else times.draw(stream, used)
            base = row * block
            kept = s.numbers[base + used : base + block]
            s.numbers[base : base + block] = sequence(np.concatenate([kept, fresh]), float)
            s.used[row] = 0
        s.counts[REFILL] = 0

    def _more_customers(self) -> None:
        """Twice as many customers may be there."""
        s = self.state
        have = len(s.cls)
        if have > MOST:
            raise Unstable(
                f"more than {MOST} customers after {self.now:.4g} s, most of them at "
                f"{_most_crowded(s, self.names)!r}: it diverges"
            )
        grown = {name: longer(getattr(s, name), have) for name in OF_CUSTOMERS}
        s = s._replace(heaps=roomier(s.heaps, have), **grown)
        for i in range(have, 2 * have):
            s.link[i] = s.counts[FREE]
            s.counts[FREE] = i
        self.state = s


def _state(
    network: Network, plan: Layout, late_after: Sequence[float], trace: int, block: int, low: int
) -> State:
    """The state before the first event."""
    stations, classes = len(network.stations), len(network.classes)
    kinds, servers, limits = (plan.fields[name] for name in ("kind", "servers", "most"))
    ranks = max([0, *plan.fields["rank"]]) + 1
    opened = any(isinstance(c, OpenClass) for c in network.classes)
    beside = any(plan.fields["beside"])
    customers = sum(network.populations) + (FIRST if opened or beside else 0)
    shared = [k for k, kind in enumerate(kinds) if kind == SHARED]
    slots = [n if kind >= PREEMPTIVE else 0 for n, kind in zip(servers, kinds, strict=True)]
    both = stations * classes
    counts = [stations, classes, ranks, len(limits), -1, 0, low, block, 1, 0, 0, customers]
    way_upto = []
    for ways in plan.ways:
        total = 0.0
        for _, p in ways:
            total += p
            way_upto.append(total)
    made: dict[str, Any] = {
        "heaps": new_heaps(1 + len(shared), customers + classes + sum(slots) + 2),
        "trace": sequence([0.0] * trace, float),
    }
    ints = {
        **plan.fields, "buffer": [getattr(s, "buffer", None) or 0 for s in network.stations],
        "polled": [k for k, kind in enumerate(kinds) if SHARED <= kind < FORK],
        "heap_of": [shared.index(k) + 1 if k in shared else 0 for k in range(stations)],
        "speed_at": _starts([len(each) for each in plan.speeds]), "slot_at": _starts(slots),
        "slot_station": [k for k, n in enumerate(slots) for _ in range(n)],
        "way_at": _starts([len(each) for each in plan.ways]), "leaving": [0] * classes,
        "way_to": [j for ways in plan.ways for j, _ in ways],
        "closed": [int(isinstance(c, ClosedClass)) for c in network.classes], "counts": counts,
        "used": [block] * len(plan.rows), "idle": servers, "head": [-1] * (2 * stations * ranks),
        "tail": [-1] * (2 * stations * ranks), "slot": [-1] * sum(slots),
        "inside": [0] * len(limits), "agenda": [0] * (len(limits) + stations + 4),
        "histogram": [0] * (classes * BINS),
        **{name: [0] * stations for name in ("total", "held", "sharing")},
        **{name: [0] * customers for name in OF_CUSTOMERS[:13]},
        **{name: [0] * classes for name in ("done", "late", "lost")},
        **{name: [0] * both for name in ("present", "visits")},
    }  # fmt: skip
    floats: dict[str, Sequence[float]] = {
        "speed": [rate for each in plan.speeds for rate in each], "way_upto": way_upto,
        "late_after": late_after, "shortest": [SHORTEST * sum(row) for row in network.demand],
        "clock": [0.0], "stretch": [1.0] * classes, "numbers": [0.0] * (block * len(plan.rows)),
        "next_time": [inf] * stations, "response": [0.0] * classes,
        **{name: [0.0] * stations for name in ("virtual", "changed")},
        **{name: [0.0] * customers for name in OF_CUSTOMERS[13:]},
        **{name: [0.0] * both for name in ("since", "area", "work")},
    }  # fmt: skip
    made |= {name: sequence(values, int) for name, values in ints.items()}
    made |= {name: sequence(values, float) for name, values in floats.items()}
    return State(**made)


def _begin(s: State, network: Network, plan: Layout, random: np.random.Generator | None) -> None:
    """Plan the first arrivals, and the ends of the first think times."""
    stations, i = len(network.stations), 0
    row_length = len(s.numbers) // max(1, len(plan.rows))
    for c, customers in enumerate(network.classes):
        row = plan.fields["gap_row"][c]
        if isinstance(customers, OpenClass):
            if row >= 0:
                first = s.numbers[row * row_length + s.used[row]]
                s.used[row] += 1
                push(s.heaps, 0, first, -1 - c)
            continue
        waits = np.zeros(customers.population)
        if random is not None:
            waits = random.exponential(customers.think_time, customers.population)
        for wait in waits.tolist():
            s.cls[i], s.at[i], s.place[i] = c, stations, plan.fields["outside"][c]
            push(s.heaps, 0, wait, i)
            i += 1
    for free in range(len(s.cls) - 1, i - 1, -1):
        s.link[free] = s.counts[FREE]
        s.counts[FREE] = free


def _starts(sizes: Sequence[int]) -> list[int]:
    """Where each of several parts of a sequence begins, and where the last ends."""
    return [0, *np.cumsum(np.array(sizes, int)).tolist()]


def _most_crowded(s: State, names: Sequence[str]) -> str:
    sums = [sum(s.present[k :: len(names)]) for k in range(len(names))]
    return names[int(np.argmax(sums))]
