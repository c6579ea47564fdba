"""Single servers passed in turn, first come, first served: the way of one who overtakes nobody.

One who comes to the first station and the customers found there and at the later stations go on
alone: whoever comes after stays behind. So what happens until this customer has left the last
station is a chain of those ahead, whose numbers only become less at the front. The time at one
station then depends on that at another as it does in the network. For exponential service that
comes to the same as times independent given the numbers found (`arrival_states`); for
other service it does not: who waits behind a long service finds few at the next station.

What is found follows from the weights of the stations, each with the phases its own chain tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from qmodel.numerics.phase_type import Phases
from qmodel.response_times.ctmc_station import Isolated, in_steps
from qmodel.response_times.stage import InOrder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.numerics.service_time import Complex
    from qmodel.response_times.ctmc_station import Steps
    from qmodel.response_times.stage import Stage

    Array = NDArray[np.float64]

#: States of the chain of those ahead, about, at most; and numbers held at once.
LARGEST, HELD = 20_000, 2_000_000

#: Customers at each station from that of the tagged one on, and the phase of the one in service;
#: the tagged one is the last at the first of them.
State = tuple[tuple[int, int], ...]
EMPTY = (0, -1)


class Server(NamedTuple):
    """A single server, and what is found there.

    Attributes
    ----------
    service : Phases
        Of all customers.
    found : list of list of (int, float)
        By the number found, phases of the one in service and their weights.
    """

    service: Phases
    found: list[list[tuple[int, float]]]

    @classmethod
    def of(cls, stage: Stage, others: int) -> Server | None:
        """The station of a stage, or None if it is no single server with one class."""
        if isinstance(stage, InOrder) and stage.plain and not stage.open_load:
            weights = [[(EMPTY[1], 1.0)]]
            weights += [[(0, stage.ratio**n)] for n in range(1, others + 1)]
            return cls(Phases((1.0,), (1.0 / stage.own.mean,), (1.0,)), weights)
        if not isinstance(stage, Isolated):
            return None
        station = stage.waits.chain.model.station
        if station.servers > 1 or len(station.service) > 1:
            return None
        return cls(station.service[0], _phases_found(stage, others))


class Tandem(NamedTuple):
    """The chain of those ahead.

    Attributes
    ----------
    start : array
        Probability of each state when the tagged customer arrives.
    steps : list of (array of int, sparse matrix, array)
        See `in_steps`: some states, rates of their moves by state, and the sums of these. [1/s]
    ends : array
        Rate at which the tagged customer leaves the last station from each state. [1/s]
    """

    start: Array
    steps: Steps
    ends: Array

    @classmethod
    def of(cls, stations: Sequence[Server], away: Sequence[float]) -> Tandem:
        """The chain of some stations; ``away`` weighs the numbers of others that are elsewhere."""
        import numpy as np

        service = [station.service for station in stations]
        work = [sum(len(one.rate) for one in service[k:]) for k in range(len(service))]
        states: dict[State, int] = {}
        start: list[float] = []
        for state, weight in _found(stations, away):
            if state not in states:
                states[state] = len(states)
                start.append(0.0)
            start[states[state]] += weight
        moves: list[tuple[int, int, float]] = []
        ends: dict[int, float] = {}
        left = []
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            here, last = states[state], len(service) - len(state)
            left.append((here, sum(n * work[last + i] - p for i, (n, p) in enumerate(state) if n)))
            for target, rate in _moves(state, service[last:]):
                if not target:
                    ends[here] = ends.get(here, 0.0) + rate
                    continue
                if target not in states:
                    states[target] = len(states)
                    waiting.append(target)
                moves.append((here, states[target], rate))
        size = len(states)
        leave = np.zeros(size)
        leave[list(ends)] = list(ends.values())
        source, target_of, rates = (np.array(column) for column in zip(*moves, strict=True))
        rank = np.zeros(size, int)
        rank[[i for i, _ in left]] = [value for _, value in left]
        steps = in_steps(rank, rank > 0, source, target_of, rates, leave)
        begun = np.zeros(size)
        begun[: len(start)] = start
        return cls(begun / begun.sum(), steps, leave)

    def transform(self, s: Complex) -> Complex:
        """Transform of the time until the tagged customer has left the last station."""
        import numpy as np

        size = max(1, HELD // len(self.start))
        return np.concatenate([self._part(s[i : i + size]) for i in range(0, len(s), size)])

    def _part(self, s: Complex) -> Complex:
        import numpy as np

        time = np.zeros((len(self.start), len(s)), complex)
        for group, moves, total in self.steps:
            ends = self.ends[group, None]
            time[group] = (moves @ time + ends) / (s[None, :] + total[:, None])
        return np.asarray(self.start @ time, complex)


def size(stations: Sequence[Server], others: int) -> float:
    """About how many states the chain has."""
    phases = prod(len(station.service.rate) for station in stations)
    ways = 1.0
    for k in range(1, len(stations) + 1):
        ways *= (others + k) / k
    return ways * phases


def _found(stations: Sequence[Server], away: Sequence[float]) -> Iterator[tuple[State, float]]:
    """What an arrival finds, itself the last at the first station, and the weight of that."""
    others = len(away) - 1
    for numbers in product(range(others + 1), repeat=len(stations)):
        elsewhere = others - sum(numbers)
        if elsewhere < 0 or not away[elsewhere]:
            continue
        for phases in product(*(one.found[n] for one, n in zip(stations, numbers, strict=True))):
            weight = away[elsewhere] * prod(w for _, w in phases)
            if not weight:
                continue
            later = [(n, p) for n, (p, _) in zip(numbers[1:], phases[1:], strict=True)]
            if numbers[0]:
                yield ((numbers[0] + 1, phases[0][0]), *later), weight
                continue
            for p, share in enumerate(stations[0].service.start):
                if share:
                    yield ((1, p), *later), weight * share


def _phases_found(station: Isolated, others: int) -> list[list[tuple[int, float]]]:
    """By the number found, phases of the one in service and their weights."""
    chain, often = station.waits.chain, station.waits.often
    seen: list[dict[int, float]] = [{} for _ in range(others + 1)]
    for state, n, probability in zip(
        chain.space.states, chain.counts[:, 0].tolist(), often.tolist(), strict=True
    ):
        if n <= others:
            phase = state[1].index(1) if n else EMPTY[1]
            seen[n][phase] = seen[n].get(phase, 0.0) + probability
    return [
        [(p, float(weight) * w / (sum(row.values()) or 1.0)) for p, w in row.items()]
        for weight, row in zip(station.weights, seen, strict=True)
    ]


def _moves(state: State, service: Sequence[Phases]) -> Iterator[tuple[State, float]]:
    """Where a state leads to, and at which rate; to () where the tagged customer is done."""
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
        for place, share in after:
            for later, more in _joined(state[i + 1 :], service[i + 1 :]):
                if i == 0 and n == 1:  # the tagged customer goes on, and its station is behind it
                    yield later, rate * ends * more
                else:
                    yield (*state[:i], place, *later), rate * ends * share * more


def _joined(state: State, service: Sequence[Phases]) -> list[tuple[State, float]]:
    """What one more at the first of some stations makes of them; nothing if there are none."""
    if not state:
        return [((), 1.0)]
    n, p = state[0]
    if n:
        return [(((n + 1, p), *state[1:]), 1.0)]
    return [(((1, q), *state[1:]), share) for q, share in enumerate(service[0].start) if share]
