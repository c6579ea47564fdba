"""The response time on an overtake-free path of single servers whose service is not exponential.

At single servers passed in turn, first come first served, the customers found at the first and at
later stations stay ahead of a tagged customer and all later arrivals behind. So what happens until
it has left the last station is an absorbing chain of those ahead, whose numbers only fall at the
front. The times at different stations then depend on each other as they do in the network. With
exponential service that comes to `arrival_states` [1, 2]; with other service it does not: a
customer delayed by a long service finds few at the next station.

The state on arrival follows from the stations' weights, each with the phases of its own chain, as
independent: original.

References
----------
.. [1] H. Daduna, "Passage times for overtake-free paths in Gordon-Newell networks," Advances in
   Applied Probability 14(3), 1982, pp. 672-686.
.. [2] F. P. Kelly and P. K. Pollett, "Sojourn times in closed queueing networks," Advances in
   Applied Probability 15(3), 1983, pp. 638-656.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from qmodel.numerics.arrays import Array, Complex
from qmodel.numerics.phase_type import PhaseType
from qmodel.response_times.ctmc_station import CtmcPassage, Levels, levels_of
from qmodel.response_times.station_passage import FcfsPassage, StationPassage

#: States of the chain, about, at most; and numbers held at once.
LARGEST, HELD = 20_000, 2_000_000

#: Customers at each station from that of the tagged one on, and the phase of the one in service;
#: the tagged one is the last at the first of them.
State = tuple[tuple[int, int], ...]
EMPTY = (0, -1)


class Server(NamedTuple):
    """A single server, and its state at the instant of an arrival."""

    #: Of all customers.
    service: PhaseType
    #: By the number of customers, phases of the one in service and their weights.
    on_arrival: list[list[tuple[int, float]]]

    @classmethod
    def of(cls, passage: StationPassage, others: int) -> Server | None:
        """The server of a station, or None if it is no single server with one class."""
        exponential = passage.exponential_phases
        if isinstance(passage, FcfsPassage) and exponential and not passage.open_load:
            weights = [[(EMPTY[1], 1.0)]]
            weights += [[(0, passage.closed_load**n)] for n in range(1, others + 1)]
            return cls(PhaseType((1.0,), (1.0 / passage.service.mean,), (1.0,)), weights)
        if not isinstance(passage, CtmcPassage):
            return None
        station = passage.waits.chain.model.station
        if station.servers > 1 or len(station.service) > 1:
            return None
        return cls(station.service[0], _phases_on_arrival(passage, others))


class OvertakeFreePassage(NamedTuple):
    """The absorbing chain of the customers ahead of a tagged one."""

    #: Distribution of the state at the arrival of the tagged customer.
    start: Array
    #: The chain, which is acyclic.
    levels: Levels
    #: Rate at which the tagged customer leaves the last station, by state. [1/s]
    absorption: Array

    @classmethod
    def of(cls, servers: Sequence[Server], elsewhere: Sequence[float]) -> OvertakeFreePassage:
        """The chain of some servers; ``elsewhere`` weighs the numbers that are not at them."""
        service = [server.service for server in servers]
        work = [sum(len(later.rate) for later in service[k:]) for k in range(len(service))]
        states: dict[State, int] = {}
        start: list[float] = []
        for state, weight in _states_on_arrival(servers, elsewhere):
            if state not in states:
                states[state] = len(states)
                start.append(0.0)
            start[states[state]] += weight
        moves: list[tuple[int, int, float]] = []
        ends: dict[int, float] = {}
        ranks: dict[int, int] = {}
        unexplored = list(states)
        while unexplored:
            state = unexplored.pop()
            i, first = states[state], len(service) - len(state)
            ranks[i] = sum(n * work[first + j] - p for j, (n, p) in enumerate(state) if n)
            for target, rate in _transitions(state, service[first:]):
                if not target:
                    ends[i] = ends.get(i, 0.0) + rate
                    continue
                if target not in states:
                    states[target] = len(states)
                    unexplored.append(target)
                moves.append((i, states[target], rate))
        size = len(states)
        absorption, rank, initial = np.zeros(size), np.zeros(size, int), np.zeros(size)
        absorption[list(ends)] = list(ends.values())
        rank[list(ranks)] = list(ranks.values())
        initial[: len(start)] = start
        source, targets, rates = (np.array(column) for column in zip(*moves, strict=True))
        levels = levels_of(rank, rank > 0, source, targets, rates, absorption)
        return cls(initial / initial.sum(), levels, absorption)

    def transform(self, s: Complex) -> Complex:
        """Transform of the time until the tagged customer has left the last station."""
        size = max(1, HELD // len(self.start))
        return np.concatenate([self._transform(s[i : i + size]) for i in range(0, len(s), size)])

    def _transform(self, s: Complex) -> Complex:
        time = np.zeros((len(self.start), len(s)), complex)
        for states, moves, exit_rate in self.levels:
            ends = self.absorption[states, None]
            time[states] = (moves @ time + ends) / (s[None, :] + exit_rate[:, None])
        return np.asarray(self.start @ time, complex)


def chain_size(servers: Sequence[Server], others: int) -> float:
    """About how many states the chain has."""
    phases = prod(len(server.service.rate) for server in servers)
    numbers = 1.0
    for k in range(1, len(servers) + 1):
        numbers *= (others + k) / k
    return numbers * phases


def _states_on_arrival(
    servers: Sequence[Server], elsewhere: Sequence[float]
) -> Iterator[tuple[State, float]]:
    """States with the arrival itself the last at the first server, and their weights."""
    others = len(elsewhere) - 1
    for numbers in product(range(others + 1), repeat=len(servers)):
        away = others - sum(numbers)
        if away < 0 or not elsewhere[away]:
            continue
        phases_by_station = (each.on_arrival[n] for each, n in zip(servers, numbers, strict=True))
        for phases in product(*phases_by_station):
            weight = elsewhere[away] * prod(w for _, w in phases)
            if not weight:
                continue
            later = [(n, p) for n, (p, _) in zip(numbers[1:], phases[1:], strict=True)]
            if numbers[0]:
                yield ((numbers[0] + 1, phases[0][0]), *later), weight
                continue
            for p, share in enumerate(servers[0].service.start):
                if share:
                    yield ((1, p), *later), weight * share


def _phases_on_arrival(passage: CtmcPassage, others: int) -> list[list[tuple[int, float]]]:
    """By the number of customers, phases of the one in service and their weights."""
    chain, stationary = passage.waits.chain, passage.waits.stationary
    rows: list[dict[int, float]] = [{} for _ in range(others + 1)]
    for state, n, probability in zip(
        chain.space.states, chain.counts[:, 0].tolist(), stationary.tolist(), strict=True
    ):
        if n <= others:
            phase = state[1].index(1) if n else EMPTY[1]
            rows[n][phase] = rows[n].get(phase, 0.0) + probability
    return [
        [(p, float(weight) * w / (sum(row.values()) or 1.0)) for p, w in row.items()]
        for weight, row in zip(passage.weights, rows, strict=True)
    ]


def _transitions(state: State, service: Sequence[PhaseType]) -> Iterator[tuple[State, float]]:
    """Targets of a state and their rates; () where the tagged customer is done."""
    for i, (n, p) in enumerate(state):
        if not n:
            continue
        rate, ends = service[i].rate[p], service[i].ends[p]
        if ends < 1.0:
            yield (*state[:i], (n, p + 1), *state[i + 1 :]), rate * (1.0 - ends)
        if not ends:
            continue
        after = [(EMPTY, 1.0)]
        if n > 1:
            after = [((n - 1, q), share) for q, share in enumerate(service[i].start) if share]
        for left, share in after:
            for later, more in _with_one_more(state[i + 1 :], service[i + 1 :]):
                if i == 0 and n == 1:  # the tagged customer goes on, and its station is behind it
                    yield later, rate * ends * more
                else:
                    yield (*state[:i], left, *later), rate * ends * share * more


def _with_one_more(state: State, service: Sequence[PhaseType]) -> list[tuple[State, float]]:
    """The state of some stations after an arrival at the first; () if there are none."""
    if not state:
        return [((), 1.0)]
    n, p = state[0]
    if n:
        return [(((n + 1, p), *state[1:]), 1.0)]
    return [(((1, q), *state[1:]), share) for q, share in enumerate(service[0].start) if share]
