"""Times of a tagged customer in the exact Markov chain of a small closed network of one class.

Theory and sources: `tests/truth/THEORY.md`, passage.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.sparse import coo_matrix

from tests.truth.chain import Ending, stationary


@dataclass(frozen=True)
class Place:
    """A place: mean service time, servers (0: a delay), order."""

    time: float
    servers: int = 1
    order: str = "fcfs"

    def busy(self, n: int) -> int:
        return n if self.servers == 0 else min(n, self.servers)


class Round(Ending):
    """The time of a tagged customer from when it leaves place 0 until it is back.

    Parameters
    ----------
    places : list of Place
        The first is the terminals.
    routing : list of list of float
        Probabilities from place to place.
    customers : int
        How many go round.
    """

    def __init__(self, places, routing, customers):
        self.places, self.routing, self.customers = places, routing, customers
        self.states: dict[tuple, int] = {}
        self.start: dict[int, float] = {}
        self._begin()
        events, total = self._follow()
        begun = np.zeros(len(self.states))
        begun[list(self.start)] = list(self.start.values())
        super().__init__(begun, events, total)

    def _begin(self):
        """Where the others are when a customer leaves the terminals, from the whole chain."""
        index = {way: i for i, way in enumerate(_ways(self.customers, len(self.places)))}
        moves = [
            (i, index[_moved(way, a, b)], place.busy(way[a]) / place.time * p)
            for way, i in index.items()
            for a, place in enumerate(self.places)
            for b, p in enumerate(self.routing[a])
            if place.busy(way[a]) * p and a != b
        ]
        probability = stationary(len(index), moves)
        flow = {}
        for way, i in index.items():
            if way[0]:
                others = (way[0] - 1, *way[1:])
                for b, p in enumerate(self.routing[0]):
                    if p:
                        state = self._state(self._joined(others, b))
                        flow[state] = flow.get(state, 0.0) + probability[i] * way[0] * p
        total = sum(flow.values())
        self.start = {state: f / total for state, f in flow.items()}

    def _joined(self, others, place):
        """The tagged customer comes to a place: (place, ahead, others everywhere)."""
        return place, others[place] if self.places[place].order == "fcfs" else 0, others

    def _state(self, state):
        return self.states.setdefault(state, len(self.states))

    def _follow(self):
        """All that happens to the tagged customer, as a matrix over events of one rate."""
        total = sum(max(p.busy(self.customers), 1) / p.time for p in self.places)
        rows, columns, chances = [], [], []
        done = 0
        while done < len(self.states):
            state = next(s for s, i in list(self.states.items())[done:])
            i = self.states[state]
            stay = total
            for target, rate in self._events(state):
                stay -= rate
                if target is not None:
                    rows.append(self._state(target))
                    columns.append(i)
                    chances.append(rate / total)
            rows.append(i)
            columns.append(i)
            chances.append(stay / total)
            done += 1
        size = len(self.states)
        return coo_matrix((chances, (rows, columns)), shape=(size, size)).tocsr(), total

    def _events(self, state):
        here, ahead, others = state
        for a, place in enumerate(self.places):
            speed = 1.0 / place.time
            if a != here:
                for b, p in enumerate(self.routing[a]):
                    if p and others[a] and a != b:
                        yield (here, ahead, _moved(others, a, b)), speed * place.busy(others[a]) * p
                continue
            present = others[a] + 1
            busy = place.busy(present)
            if place.servers == 0 or place.order == "ps":
                mine = busy / present
            else:
                mine = 1.0 if ahead < place.servers else 0.0
            for b, p in enumerate(self.routing[a]):
                if mine and p:
                    yield (None if b == 0 else self._joined(others, b)), speed * mine * p
                if p and a != b and busy > mine:
                    # In service with ahead < servers the place of the tagged one is forgotten.
                    less = ahead - 1 if place.order == "fcfs" and ahead >= place.servers else ahead
                    moved = (here, less, _moved(others, a, b))
                    yield moved, speed * (busy - mine) * p


def _ways(customers, places):
    for way in product(range(customers + 1), repeat=places - 1):
        if sum(way) <= customers:
            yield (customers - sum(way), *way)


def _moved(way, a, b):
    moved = list(way)
    moved[a] -= 1
    moved[b] += 1
    return tuple(moved)
