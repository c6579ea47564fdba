"""Times of a tagged customer who passes single servers in turn, service times of phases, exactly.

Theory and sources: `tests/truth/THEORY.md`, tandem.
"""

import numpy as np
from scipy.sparse import coo_matrix, identity

from tests.truth.chain import Ending, explored, stationary


def erlang(mean, phases):
    """Of SCV 1 / phases."""
    return [(float(i == 0), phases / mean, float(i == phases - 1)) for i in range(phases)]


def balanced(mean, scv):
    """Of two exponential kinds that contribute equally to the mean, SCV > 1."""
    p = 0.5 * (1 + ((scv - 1) / (scv + 1)) ** 0.5)
    return [(q, 2 * q / mean, 1.0) for q in (p, 1 - p)]


class Passage(Ending):
    """The time through all stations.

    Parameters
    ----------
    customers : int
        How many go round.
    think : float
        Mean time at the terminals.
    service : list
        Of each station, as in the text of this file.
    """

    def __init__(self, customers, think, service):
        self.service = service
        empty = ((0, 0),) * len(service)
        chain, rates = explored([empty], lambda s: self._all(s, customers, think))
        probability = stationary(len(chain), rates)
        self.found = {}
        for state, i in chain.items():
            weight = probability[i] * (customers - sum(n for n, _ in state))
            for behind, share in self._joined(state, 0):
                self.found[behind] = self.found.get(behind, 0.0) + weight * share
        total = sum(self.found.values())
        self.found = {state: w / total for state, w in self.found.items() if w}
        start = {(0, state): i for i, state in enumerate(self.found)}
        states, rates = explored(start, self._ahead)
        size = len(states)
        begun = np.zeros(size)
        begun[: len(self.found)] = list(self.found.values())
        out = np.zeros(size)
        for i, _, rate in rates:
            out[i] += rate
        inside = [(i, j, rate) for i, j, rate in rates if j is not None]
        rows, columns, values = zip(*inside, (0, 0, 0.0), strict=True)
        moved = coo_matrix((values, (columns, rows)), shape=(size, size)).tocsr()
        kept = coo_matrix((out, (range(size), range(size))), shape=(size, size)).tocsr()
        super().__init__(begun, identity(size) + (moved - kept) / out.max(), out.max())

    def _joined(self, state, k):
        """One more at station k."""
        n, p = state[k]
        if n:
            return [((*state[:k], (n + 1, p), *state[k + 1 :]), 1.0)]
        starts = enumerate(self.service[k])
        return [((*state[:k], (1, q), *state[k + 1 :]), a) for q, (a, _, _) in starts if a]

    def _served(self, state, k):
        """What happens at station k: the state without the customer who leaves, or a phase on."""
        n, p = state[k]
        if not n:
            return
        _, rate, ends = self.service[k][p]
        if ends < 1:
            yield (*state[:k], (n, p + 1), *state[k + 1 :]), rate * (1 - ends), False
        if ends:
            less = (*state[:k], (0, 0), *state[k + 1 :])
            if n == 1:
                yield less, rate * ends, True
                return
            for q, (a, _, _) in enumerate(self.service[k]):
                if a:
                    yield (*state[:k], (n - 1, q), *state[k + 1 :]), rate * ends * a, True

    def _all(self, state, customers, think):
        thinking = customers - sum(n for n, _ in state)
        if thinking:
            for target, share in self._joined(state, 0):
                yield target, share * thinking / think
        for k in range(len(state)):
            for target, rate, leaves in self._served(state, k):
                if leaves and k + 1 < len(state):
                    for further, share in self._joined(target, k + 1):
                        yield further, rate * share
                else:
                    yield target, rate

    def _ahead(self, tagged):
        """The tagged customer is the last of those counted at its station."""
        at, state = tagged
        for k in range(at, len(state)):
            for target, rate, leaves in self._served(state, k):
                goes = leaves and k == at and state[k][0] == 1
                if not leaves or k + 1 == len(state):
                    yield (None if goes else (at, target)), rate
                    continue
                for further, share in self._joined(target, k + 1):
                    yield (at + goes, further), rate * share
