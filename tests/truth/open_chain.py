"""One station fed by a renewal process, as a Markov chain with so many customers at most.

Written out state by state: how many customers, the phase of the arrivals, and the phase of each
customer in service.
"""

from collections import defaultdict

import numpy as np
from scipy.linalg import expm

from qmodel.numerics.phase_type import fit_phase_type
from tests.truth.chain import explored, stationary


class OpenChain:
    """GI/PH/m with room for ``room`` customers."""

    def __init__(self, gap, service, servers: int, room: int) -> None:
        self.gap, self.service, self.servers = (
            fit_phase_type(*gap), fit_phase_type(*service), servers,
        )  # fmt: skip
        self.departs = defaultdict(float)
        self.arrives = defaultdict(float)
        self.number, moves = explored([(0, 0, ())], lambda state: self._next(state, room))
        size = len(self.number)
        self.rates = np.zeros((size, size))
        for i, j, rate, kind in moves:
            self.rates[i, j] += rate
            self.rates[i, i] -= rate
            if kind == "departs":
                self.departs[i, j] += rate
            if kind == "arrives":
                self.arrives[i] += rate
        self.probability = stationary(size, moves)

    def _next(self, state, room):
        n, phase, busy = state
        for s, p in enumerate(self.gap.start):
            rate = self.gap.moves[phase][0] * p
            if rate and n < room:
                if len(busy) < self.servers:
                    for own, q in enumerate(self.service.start):
                        if q:
                            yield (n + 1, s, tuple(sorted((*busy, own)))), rate * q, "arrives"
                else:
                    yield (n + 1, s, busy), rate, "arrives"
            elif rate:
                yield (n, s, busy), rate, "lost"
        for to, rate in enumerate(self.gap.generator[phase]):
            if rate > 0.0:
                yield (n, to, busy), rate, "none"
        for i, own in enumerate(busy):
            rest = busy[:i] + busy[i + 1 :]
            ends = self.service.moves[own][0]
            for after, rate in enumerate(self.service.generator[own]):
                if rate > 0.0:
                    yield (n, phase, tuple(sorted((*rest, after)))), rate, "none"
            if ends and n > self.servers:
                for new, q in enumerate(self.service.start):
                    if q:
                        to = (n - 1, phase, tuple(sorted((*rest, new))))
                        yield to, ends * q, "departs"
            elif ends:
                yield (n - 1, phase, rest), ends, "departs"

    @property
    def wait(self) -> tuple[float, float]:
        """Probability of waiting, and the mean wait by Little's law."""
        rate = waits = waiting = 0.0
        for (n, _, _), i in self.number.items():
            rate += self.probability[i] * self.arrives[i]
            waits += self.probability[i] * self.arrives[i] * (n >= self.servers)
            waiting += self.probability[i] * max(0, n - self.servers)
        return waits / rate, waiting / rate

    def departures(self, times) -> list[float]:
        """Index of dispersion of the departures over times, by the integral of exp(D u)."""
        size = len(self.number)
        leave = np.zeros((size, size))
        for (i, j), rate in self.departs.items():
            leave[i, j] += rate
        rate = float((self.probability @ leave).sum())
        found = []
        for t in times:
            # The upper right block of the exponential is the integral of (t - u) exp(D u).
            blocks = np.zeros((size + 2, size + 2))
            blocks[:size, :size] = self.rates
            blocks[:size, size] = leave.sum(axis=1)
            blocks[size, size + 1] = 1.0
            twice = expm(blocks * t)[:size, size + 1]
            both = float(self.probability @ leave @ twice)
            found.append(1.0 + 2.0 / (rate * t) * (both - 0.5 * (rate * t) ** 2))
        return found
