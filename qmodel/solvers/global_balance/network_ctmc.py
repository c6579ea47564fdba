"""The Markov chain of a whole closed network, its stationary distribution and what follows.

Its generator Q, pi Q = 0: Stewart (1994), ch. 1-2; Fiedler and Ptak (1962).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, global_balance/network_ctmc.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from qmodel.errors import InternalError, NotApplicable
from qmodel.numerics.arrays import Array
from qmodel.numerics.ctmc import stationary
from qmodel.solvers.global_balance.network_states import AdmissionLimit, NetworkStates, Routing
from qmodel.solvers.markov.state_space import StateSpace, TooManyStates
from qmodel.solvers.markov.station_states import NO_CLASS, Counts, State, StationStates

#: Ratio of rates beyond which numbers of 16 digits may mislead.
FAR = 1e30
#: Steps of the embedded chain after which a state that is likely has been found.
JUMPS = 30

#: The index of each station's state.
Indices = tuple[int, ...]


class StateIndex:
    """Numbers for the states of a station, as they are met; 0 is the one without customers."""

    def __init__(self, model: StationStates) -> None:
        self.model = model
        self.states: list[State] = []
        self.counts: list[Counts] = []
        #: Of each state: the states after its transitions, their rates, and the class that leaves.
        self._transitions: dict[int, list[tuple[int, float, int]]] = {}
        self._arrivals: dict[tuple[int, int], list[tuple[int, float]]] = {}
        self._numbers: dict[State, int] = {}
        self.number(model.empty)

    def number(self, state: State) -> int:
        """The number of a state."""
        if (number := self._numbers.get(state)) is None:
            number = self._numbers[state] = len(self.states)
            self.states.append(state)
            self.counts.append(self.model.counts(state))
        return number

    def arrivals(self, i: int, c: int) -> list[tuple[int, float]]:
        """The states after the arrival of a class, and their probabilities."""
        if (i, c) not in self._arrivals:
            after = self.model.arrivals(self.states[i], c)
            self._arrivals[i, c] = [(self.number(state), p) for state, p in after]
        return self._arrivals[i, c]

    def transitions(self, i: int) -> list[tuple[int, float, int]]:
        """What may end next."""
        if i not in self._transitions:
            after = self.model.transitions(self.states[i])
            self._transitions[i] = [(self.number(state), rate, c) for state, rate, c in after]
        return self._transitions[i]


class Measures(NamedTuple):
    """What the stationary distribution gives, by class with customers and by station."""

    #: Mean numbers, shape (C, K + 1). [customers]
    queues: Array
    #: Departures per unit of time, shape (C, K + 1). [1/s]
    flows: Array
    #: The highest rate over the lowest.
    rate_ratio: float


class NetworkCTMC:
    """The state space of a network. Raises `TooManyStates` if there are more than ``most``."""

    def __init__(self, network: NetworkStates, most: int) -> None:
        self.network, self.most = network, most
        self.stations = [StateIndex(model) for model in network.stations]
        self.space = StateSpace(sorted(self._starts()), self._transitions, most)

    def solve(self) -> Measures:
        """Mean numbers and flows in equilibrium.

        Raises `NotApplicable` if there are several recurrent classes of states, and `InternalError`
        if rounding leaves no probabilities.
        """
        source, target, rates = self.space.source, self.space.target, self.space.rate
        rate_ratio = float(rates.max() / rates.min()) if len(rates) else 1.0
        if not rate_ratio <= FAR:
            raise InternalError(f"the highest is {rate_ratio:.3g} times the lowest")
        kept = _recurrent(len(self.space.states), source, target)
        within = kept[source]
        renumbered = np.cumsum(kept) - 1
        source, target = renumbered[source[within]], renumbered[target[within]]
        probability = _stationary(int(kept.sum()), source, target, rates[within])
        indices = np.array(self.space.states, int)[kept]
        queues, flows = np.zeros((2, len(self.network.population), len(self.stations)))
        for k, station in enumerate(self.stations):
            marginal = np.bincount(indices[:, k], probability, len(station.states))
            queues[:, k] = marginal @ np.array(station.counts, float)
            for i in np.flatnonzero(marginal).tolist():
                for _, rate, c in station.transitions(i):
                    if c != NO_CLASS:
                        flows[c, k] += float(marginal[i]) * rate
        return Measures(queues, flows, rate_ratio)

    def _starts(self) -> set[Indices]:
        """All think who do; the others come one by one, in every order of their classes."""
        thinking = len(self.stations) - 1
        state = (0,) * len(self.stations)
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
            if len(reached) > self.most:
                raise TooManyStates(f"more than {self.most} states")
        return {start for start, _ in reached}

    def _transitions(self, state: Indices) -> Iterator[tuple[Indices, float, int]]:
        """What may end next in the network."""
        for k, i in enumerate(state):
            for after, rate, c in self.stations[k].transitions(i):
                left = (*state[:k], after, *state[k + 1 :])
                if c == NO_CLASS:
                    yield left, rate, c
                    continue
                limit = self.network.limits[c][k]
                for way in self.network.routing[c][k]:
                    for reached, p in self._leave(left, c, way, limit):
                        if reached != state:
                            yield reached, rate * way.probability * p, c

    def _leave(
        self, state: Indices, c: int, way: Routing, limit: AdmissionLimit | None
    ) -> list[tuple[Indices, float]]:
        """The states after a customer moves on, and the next who waits for its place enters."""
        if limit is None or (not way.completes and self.network.limits[c][way.to] is limit):
            return self._arrive(state, c, way.to, limit)
        queue = self.stations[limit.queue]
        waiting = queue.states[state[limit.queue]]
        if not waiting:
            return self._arrive(state, c, way.to, None)
        (first, to), *others = waiting
        shorter = _with(state, limit.queue, queue.number(tuple(others)))
        return [
            (after, p * q)
            for before, p in self._enter(shorter, first, to)
            for after, q in self._arrive(before, c, way.to, None)
        ]

    def _arrive(
        self, state: Indices, c: int, to: int, inside: AdmissionLimit | None
    ) -> list[tuple[Indices, float]]:
        """The states after an arrival, which may have to wait unless it comes from `inside`."""
        limit = self.network.limits[c][to]
        if limit is None or limit is inside or self._inside(state, limit) < limit.most:
            return self._enter(state, c, to)
        queue = self.stations[limit.queue]
        longer = queue.number((*queue.states[state[limit.queue]], (c, to)))
        return [(_with(state, limit.queue, longer), 1.0)]

    def _enter(self, state: Indices, c: int, to: int) -> list[tuple[Indices, float]]:
        arrivals = self.stations[to].arrivals(state[to], c)
        return [(_with(state, to, after), probability) for after, probability in arrivals]

    def _inside(self, state: Indices, limit: AdmissionLimit) -> int:
        """Customers inside who count."""
        return sum(
            n
            for k in limit.inside
            for n, limits in zip(
                self.stations[k].counts[state[k]], self.network.limits, strict=True
            )
            if limits[k] is limit
        )


def _with(state: Indices, k: int, i: int) -> Indices:
    return (*state[:k], i, *state[k + 1 :])


def _stationary(states: int, source: NDArray[Any], target: NDArray[Any], rates: Array) -> Array:
    """The stationary distribution, relative to a state that is likely."""
    if states == 1:
        return np.ones(1)
    leaving = np.bincount(source, rates, states)
    jumps = coo_matrix((rates / leaving[source], (target, source)), shape=(states, states)).tocsr()
    visits = np.ones(states)
    for _ in range(JUMPS):
        visits = (visits + jumps @ visits) / 2.0
    order = np.arange(states)
    likely = int(np.argmax(visits / leaving))
    order[[0, likely]] = likely, 0
    with catch_warnings():
        simplefilter("ignore")  # of a singular matrix: an error follows
        return stationary(states, order[source], order[target], rates)[order]


def _recurrent(states: int, source: NDArray[Any], target: NDArray[Any]) -> NDArray[np.bool_]:
    """Which states are recurrent: their strongly connected component is never left.

    Raises `NotApplicable` if there are several such components.
    """
    graph = coo_matrix((np.ones(len(source)), (source, target)), shape=(states, states)).tocsr()
    components, label = connected_components(graph, directed=True, connection="strong")
    left = np.zeros(components, bool)
    left[label[source[label[source] != label[target]]]] = True
    if (~left).sum() > 1:
        raise NotApplicable("customers keep the order in which they start, it is not known")
    return np.asarray(~left[label])
