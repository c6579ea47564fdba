"""The Markov chain of a whole closed network, and what it tells of every place.

A state is one state of each place. From every state that is reached, whatever ends at a place leads
on: a customer who leaves goes where its ways lead, those who wait outside a limit are let in one by
one as others leave it, and a server that is free takes the next. States are made breadth first from
those in which all who think do, and the others have come in some order; the chain stays in those
that cannot be left for good.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple
from warnings import catch_warnings, simplefilter

from qmodel.errors import InternalError, NotApplicable
from qmodel.solvers.global_balance.markov_routing import Way
from qmodel.solvers.global_balance.network_states import Gate, NetworkPlaces
from qmodel.solvers.markov.station_states import NOBODY, Counts, Local, Place

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Ratio of rates beyond which numbers of 16 digits may mislead.
FAR = 1e30
#: Jumps after which a state that often is has been found.
JUMPS = 30

#: The number of each place's state.
State = tuple[int, ...]


class Numbered:
    """A place whose states have numbers as they are met; 0 is without customers.

    Parameters
    ----------
    place : Place
        What it does.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self.states: list[Local] = []
        self.counts: list[Counts] = []
        #: Of each state: where moves lead to, at which rate, and who leaves.
        self.moves: list[list[tuple[int, float, int]] | None] = []
        self._numbers: dict[Local, int] = {}
        self._arrivals: dict[tuple[int, int], list[tuple[int, float]]] = {}
        self.number(place.empty)

    def number(self, state: Local) -> int:
        """The number of a state."""
        found = self._numbers.get(state)
        if found is None:
            found = self._numbers[state] = len(self.states)
            self.states.append(state)
            self.counts.append(self.place.counts(state))
            self.moves.append(None)
        return found

    def arrivals(self, i: int, c: int) -> list[tuple[int, float]]:
        """Where the arrival of a class leads to, and how likely each."""
        found = self._arrivals.get((i, c))
        if found is None:
            led = self.place.arrivals(self.states[i], c)
            found = self._arrivals[i, c] = [(self.number(state), share) for state, share in led]
        return found

    def ends(self, i: int) -> list[tuple[int, float, int]]:
        """What may end next."""
        found = self.moves[i]
        if found is None:
            led = self.place.moves(self.states[i])
            found = self.moves[i] = [(self.number(state), rate, c) for state, rate, c in led]
        return found


class Found(NamedTuple):
    """What a chain tells, by class with customers and by place.

    Attributes
    ----------
    queues : array, shape (C, P)
        Mean numbers. [customers]
    flows : array, shape (C, P)
        Departures per unit of time. [1/s]
    apart : float
        The highest rate over the lowest.
    """

    queues: Array
    flows: Array
    apart: float


class NetworkChain:
    """The states and moves of a network.

    Parameters
    ----------
    network : NetworkPlaces
        What it is made of.
    """

    def __init__(self, network: NetworkPlaces) -> None:
        self.network = network
        self.places = [Numbered(place) for place in network.places]
        self.states: dict[State, int] = {}
        source, target, rates = [], [], []
        todo: list[State] = []

        def number(state: State) -> int:
            found = self.states.get(state)
            if found is None:
                found = self.states[state] = len(self.states)
                todo.append(state)
            return found

        for state in sorted(self._starts()):
            number(state)
        for state in todo:  # the list grows while it is read
            here = self.states[state]
            for after, rate in self._moves(state):
                there = number(after)
                if there != here:
                    source.append(here)
                    target.append(there)
                    rates.append(rate)
        self.source, self.target, self.rates = source, target, rates

    def solve(self) -> Found:
        """Mean numbers and flows in steady state.

        Raises
        ------
        NotApplicable
            If which states are ever left for good depends on how customers start.
        InternalError
            If rounding leaves no probabilities.
        """
        import numpy as np

        source, target = np.array(self.source, int), np.array(self.target, int)
        rates = np.array(self.rates)
        apart = float(rates.max() / rates.min()) if len(rates) else 1.0
        if not apart <= FAR:
            raise InternalError(f"the highest is {apart:.3g} times the lowest")
        kept = _for_good(len(self.states), source, target)
        moves = kept[source]
        renumbered = np.cumsum(kept) - 1
        source, target = renumbered[source[moves]], renumbered[target[moves]]
        probability = _probabilities(int(kept.sum()), source, target, rates[moves])
        local = np.array([*self.states], int)[kept]
        classes = len(self.network.population)
        queues, flows = np.zeros((2, classes, len(self.places)))
        for k, place in enumerate(self.places):
            often = np.bincount(local[:, k], probability, len(place.states))
            queues[:, k] = often @ np.array(place.counts, float)
            for p, ends in zip(often.tolist(), place.moves, strict=True):
                for _, rate, c in ends or ():
                    if c != NOBODY:
                        flows[c, k] += p * rate
        return Found(queues, flows, apart)

    def _starts(self) -> set[State]:
        """All think who do; the others come one by one, in every order of their classes."""
        thinking = len(self.places) - 1
        state = (0,) * len(self.places)
        later = list(self.network.population)
        for c, home in enumerate(self.network.homes):
            while home == thinking and later[c]:
                state = self._arrive(state, c, home, None)[0][0]
                later[c] -= 1
        reached = {(state, tuple(later))}
        for _ in range(sum(later)):
            reached = {
                (
                    self._arrive(before, c, self.network.homes[c], None)[0][0],
                    (*left[:c], left[c] - 1, *left[c + 1 :]),
                )
                for before, left in reached
                for c, n in enumerate(left)
                if n
            }
        return {found for found, _ in reached}

    def _moves(self, state: State) -> Iterator[tuple[State, float]]:
        """The states that follow, and the rates at which they do."""
        for k, place in enumerate(self.places):
            for local, rate, c in place.ends(state[k]):
                left = (*state[:k], local, *state[k + 1 :])
                if c == NOBODY:
                    yield left, rate
                    continue
                for way in self.network.ways[c][k]:
                    for after, share in self._leave(left, c, k, way):
                        yield after, rate * way.probability * share

    def _leave(self, state: State, c: int, k: int, way: Way) -> list[tuple[State, float]]:
        """Where a customer's way from a place leads to, and what it makes room for."""
        gate = self.network.gates[c][k]
        if gate is None or (not way.again and self.network.gates[c][way.to] is gate):
            return self._arrive(state, c, way.to, gate)
        line = self.places[gate.line]
        outside = line.states[state[gate.line]]
        if not outside:
            return self._arrive(state, c, way.to, None)
        (first, to), *others = outside
        shorter = line.number(tuple(others))
        freed = (*state[: gate.line], shorter, *state[gate.line + 1 :])
        return [
            (after, p * q)
            for before, p in self._enter(freed, first, to)
            for after, q in self._arrive(before, c, way.to, None)
        ]

    def _arrive(
        self, state: State, c: int, to: int, inside: Gate | None
    ) -> list[tuple[State, float]]:
        """Where an arrival leads to, which may be outside; ``inside`` is where it comes from."""
        gate = self.network.gates[c][to]
        if gate is None or gate is inside or self._inside(state, gate) < gate.most:
            return self._enter(state, c, to)
        line = self.places[gate.line]
        longer = line.number((*line.states[state[gate.line]], (c, to)))
        return [((*state[: gate.line], longer, *state[gate.line + 1 :]), 1.0)]

    def _enter(self, state: State, c: int, to: int) -> list[tuple[State, float]]:
        return [
            ((*state[:to], local, *state[to + 1 :]), share)
            for local, share in self.places[to].arrivals(state[to], c)
        ]

    def _inside(self, state: State, gate: Gate) -> int:
        """How many are inside of those who count."""
        found = 0
        for k in gate.inside:
            for n, gates in zip(self.places[k].counts[state[k]], self.network.gates, strict=True):
                if gates[k] is gate:
                    found += n
        return found


def _probabilities(states: int, source: NDArray[Any], target: NDArray[Any], rates: Array) -> Array:
    """The stationary probabilities, those of other states relative to one that often is."""
    import numpy as np
    from scipy.sparse import coo_matrix

    from qmodel.numerics.ctmc import stationary

    if states == 1:
        return np.ones(1)
    leaving = np.bincount(source, rates, states)
    jumps = coo_matrix((rates / leaving[source], (target, source)), shape=(states, states)).tocsr()
    visits = np.ones(states)
    for _ in range(JUMPS):
        visits = (visits + jumps @ visits) / 2.0
    order = np.arange(states)
    often = int(np.argmax(visits / leaving))
    order[[0, often]] = often, 0
    with catch_warnings():
        simplefilter("ignore")  # of a singular matrix: an error follows
        return stationary(states, order[source], order[target], rates)[order]


def _for_good(states: int, source: NDArray[Any], target: NDArray[Any]) -> NDArray[np.bool_]:
    """Which states are not left for good.

    Raises
    ------
    NotApplicable
        If there are several sets of them, between which the chain does not move.
    """
    import numpy as np
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    graph = coo_matrix((np.ones(len(source)), (source, target)), shape=(states, states)).tocsr()
    sets, label = connected_components(graph, directed=True, connection="strong")
    left = np.zeros(sets, bool)
    left[label[source[label[source] != label[target]]]] = True
    if (~left).sum() > 1:
        raise NotApplicable("customers keep the order in which they start, it is not known")
    return np.asarray(~left[label])
