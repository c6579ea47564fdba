"""Two stations in turn fed by two classes, as a Markov chain that knows every customer's class.

The state holds the classes of all who wait, in their order, so there is room for few. One server at
each station; a class goes to the second station or leaves after the first.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import spsolve

from qmodel.numerics.phase_type import fit_phase_type


class OpenTandem:
    """Each class: mean and SCV of gaps, of services, and at the second station, or None there."""

    def __init__(self, classes, room: tuple[int, int]) -> None:
        self.gaps = [fit_phase_type(*gap) for gap, _, _ in classes]
        self.services = [
            [fit_phase_type(*first), second and fit_phase_type(*second)]
            for _, first, second in classes
        ]
        self.room = room
        first = (tuple(0 for _ in classes), (), None, (), None)
        self.number = {first: 0}
        rates, waiting = defaultdict(float), [first]
        while waiting:
            state = waiting.pop()
            for rate, to in self._next(state):
                if to not in self.number:
                    self.number[to] = len(self.number)
                    waiting.append(to)
                rates[self.number[to], self.number[state]] += rate
                rates[self.number[state], self.number[state]] -= rate
        size = len(self.number)
        places = np.array(list(rates))
        system = csr_matrix((list(rates.values()), places.T), shape=(size, size)).tolil()
        system[0] = np.ones(size)
        wanted = np.zeros(size)
        wanted[0] = 1.0
        self.probability = spsolve(system.tocsc(), wanted)
        self.states = list(self.number)

    def customers(self, station: int, c: int) -> float:
        """Mean number of a class at a station."""
        held = 1 + 2 * station
        return sum(
            p * state[held].count(c) for p, state in zip(self.probability, self.states, strict=True)
        )

    def lost(self) -> float:
        """Probability that a station is full."""
        return sum(
            p
            for p, state in zip(self.probability, self.states, strict=True)
            if len(state[1]) == self.room[0] or len(state[3]) == self.room[1]
        )

    def _next(self, state):
        gaps, one, busy, two, serves = state
        for c, gap in enumerate(self.gaps):
            at = gaps[c]
            if not gap.ends[at]:
                yield gap.rate[at], ((*gaps[:c], at + 1, *gaps[c + 1 :]), one, busy, two, serves)
                continue
            for s, p in enumerate(gap.start):
                if not p:
                    continue
                then = (*gaps[:c], s, *gaps[c + 1 :])
                if len(one) == self.room[0]:
                    yield gap.rate[at] * p, (then, one, busy, two, serves)
                else:
                    for q, begun in self._begin(0, (*one, c), busy):
                        yield gap.rate[at] * p * q, (then, (*one, c), begun, two, serves)
        if one:
            service = self.services[one[0]][0]
            if not service.ends[busy]:
                yield service.rate[busy], (gaps, one, busy + 1, two, serves)
            else:
                goes_on = self.services[one[0]][1] and len(two) < self.room[1]
                then = two + (one[0],) * bool(goes_on)
                for q, begun in self._begin(0, one[1:], None):
                    for r, other in self._begin(1, then, serves):
                        yield service.rate[busy] * q * r, (gaps, one[1:], begun, then, other)
        if two:
            service = self.services[two[0]][1]
            if not service.ends[serves]:
                yield service.rate[serves], (gaps, one, busy, two, serves + 1)
            else:
                for q, begun in self._begin(1, two[1:], None):
                    yield service.rate[serves] * q, (gaps, one, busy, two[1:], begun)

    def _begin(self, station, line, phase):
        if not line:
            yield 1.0, None
        elif phase is not None:
            yield 1.0, phase
        else:
            for at, p in enumerate(self.services[line[0]][station].start):
                if p:
                    yield p, at
