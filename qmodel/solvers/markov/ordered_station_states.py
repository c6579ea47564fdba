"""A station that serves in order, as a place in the Markov chain of a whole network.

A state is the line of customers, those in service first, each with its class and the phase of its
service time. Who has not started has no phase yet, unless the service time has one phase only: then
it is as good as started. So nothing is lost where customers are told by class alone:

- first come, first served: the line in its order;
- priority: those who wait by rank, and in their order within a rank;
- preemptive: all by rank, and in their order within a rank; who is interrupted keeps its phase and
  its place in the order.

Where nobody is interrupted the order of those in service says nothing, and they are sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import comb

from qmodel.solvers.markov.ordered_queue import OrderedStation
from qmodel.solvers.markov.station_states import NOBODY, Counts, Local, Move, orders

#: The phase of who has not started.
FRESH = -1
#: A customer: its class and the phase of its service.
Customer = tuple[int, int]


class Ordered:
    """A station where the order of service matters.

    Parameters
    ----------
    station : OrderedStation
        Its servers, discipline, ranks and service times.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import fit_phase_type
    >>> disk = Ordered(OrderedStation(1, "fcfs", (0,), (fit_phase_type(0.5, 1.0),)))
    >>> (state, _), = disk.arrivals(disk.empty, 0)
    >>> disk.moves(state)
    [Move(after=(), rate=2.0, leaver=0)]
    """

    def __init__(self, station: OrderedStation) -> None:
        self.station = station
        self.empty: Local = ()
        # Ranks as the line knows them: one for all where none is served first.
        ranked = station.discipline != "fcfs"
        self.rank = tuple(p if ranked else 0 for p in station.priority)
        self.interrupts = station.discipline == "preemptive"
        self.fresh = tuple(0 if len(s.rate) == 1 else FRESH for s in station.service)

    def arrivals(self, state: Local, c: int) -> list[tuple[Local, float]]:
        """See `Place`."""
        line: tuple[Customer, ...] = state
        behind = 0 if self.interrupts else min(self.station.servers, len(line))
        while behind < len(line) and self.rank[line[behind][0]] <= self.rank[c]:
            behind += 1
        return self._started((*line[:behind], (c, self.fresh[c]), *line[behind:]))

    def moves(self, state: Local) -> list[Move]:
        """See `Place`."""
        line: tuple[Customer, ...] = state
        found = []
        for i, (c, phase) in enumerate(line[: self.station.servers]):
            service = self.station.service[c]
            rate, ends = service.rate[phase], service.ends[phase]
            if ends < 1.0:
                after = (*line[:i], (c, phase + 1), *line[i + 1 :])
                found.append(Move(self._sorted(after), rate * (1.0 - ends), NOBODY))
            if ends:
                found += [
                    Move(after, rate * ends * share, c)
                    for after, share in self._started((*line[:i], *line[i + 1 :]))
                ]
        return found

    def counts(self, state: Local) -> Counts:
        """See `Place`."""
        there = [c for c, _ in state]
        return tuple(there.count(c) for c in range(len(self.rank)))

    def size(self, counts: Counts) -> int:
        """See `Place`; exact but for ranks that interrupt each other."""
        lengths = [len(s.rate) for s in self.station.service]
        if self.interrupts:
            return self._interrupted(counts, lengths)
        found = 0
        for busy in _chosen(counts, min(self.station.servers, sum(counts))):
            some = 1
            for b, length in zip(busy, lengths, strict=True):
                some *= comb(b + length - 1, length - 1)
            waiting = [n - b for n, b in zip(counts, busy, strict=True)]
            for rank in {*self.rank}:
                some *= orders([n for n, r in zip(waiting, self.rank, strict=True) if r == rank])
            found += some
        return found

    def _interrupted(self, counts: Counts, lengths: Sequence[int]) -> int:
        """States of lines in which the first of each rank may have started."""
        found, free = 1, self.station.servers
        for rank in sorted({*self.rank}):
            there = [n for n, r in zip(counts, self.rank, strict=True) if r == rank]
            most = max(length for length, r in zip(lengths, self.rank, strict=True) if r == rank)
            total = sum(there)
            found *= orders(there)
            if most > 1:
                served, started = min(free, total), min(self.station.servers, total)
                found *= sum(most**n for n in range(served, started + 1))
            free -= min(free, total)
        return found

    def _started(self, line: tuple[Customer, ...]) -> list[tuple[Local, float]]:
        """A line after whoever may has started, with the probabilities of its first phase."""
        for i, (c, phase) in enumerate(line[: self.station.servers]):
            if phase == FRESH:  # one at most: a customer came, or one went
                return [
                    (self._sorted((*line[:i], (c, first), *line[i + 1 :])), share)
                    for first, share in enumerate(self.station.service[c].start)
                    if share
                ]
        return [(self._sorted(line), 1.0)]

    def _sorted(self, line: tuple[Customer, ...]) -> Local:
        if self.interrupts:
            return line
        served = self.station.servers
        return (*sorted(line[:served]), *line[served:])


def _chosen(counts: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Ways to choose so many of all."""
    *others, last = counts
    for some in product(*(range(min(n, total) + 1) for n in others)):
        rest = total - sum(some)
        if 0 <= rest <= last:
            yield (*some, rest)
