"""A customer followed through the whole network, in a Markov chain of its own.

A state says where the tagged customer is, how many must go before it is served there, and how many
others are at each station; all others think. What it finds on arrival is the network with one
customer less (the arrival theorem [1]). So visits may be at random, others may overtake, and a
round finds what those before it have left.

Numbers of others that a station almost never has are left out: who would make them stays where it
is, or goes behind the queue at once.

References
----------
.. [1] S. S. Lavenberg and M. Reiser, "Stationary state probabilities at arrival instants for
   closed queueing networks with multiple types of customers," Journal of Applied Probability
   17(4), 1980, pp. 1048-1061.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from qmodel.numerics.absorbing_chain import Chain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from qmodel.response_times.population_distribution import Numbers, ServedStation
    from qmodel.response_times.tagged_routing import Ways

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]


class Place(NamedTuple):
    """States of a tagged customer at one place of its way.

    Attributes
    ----------
    station : int
        Of the numbers.
    before : array of int, shape (S,)
        How many must go before it is served.
    way : array of int, shape (S,)
        That of the others.
    state : array of int, shape (B, W)
        By both, the state; -1 where there is none.
    """

    station: int
    before: Index
    way: Index
    state: Index


def chain(numbers: Numbers, mine: Ways, others: Ways, think_time: float, most: int) -> Chain | None:
    """The chain from an arrival until the tagged customer leaves; None if it has too many states.

    Parameters
    ----------
    numbers : Numbers
        Of the others, by the stations of ``others``.
    mine, others : Ways
        Of the tagged customer and of the others.
    think_time : float
        Of the others. [s]
    most : int
        States that are not too many.
    """
    import numpy as np

    places = _places(numbers, [others.station.index(k) for k in mine.station], most)
    if places is None:
        return None
    size = sum(len(place.way) for place in places)
    arrival = [_arrival(numbers, place) for place in places]
    events = [(a, chance, numbers.moved(a, b)) for a, b, chance in _moves(others, think_time)]
    moves: list[tuple[Index, Index, Array]] = []
    leave, often, start = np.zeros(size), np.zeros(size), np.zeros(size)
    visits = np.linalg.solve(np.eye(len(places)) - mine.onward.T, mine.entry)
    out = mine.out()
    for i, place in enumerate(places):
        here, station = place.state[place.before, place.way], numbers.stations[place.station]
        served, rest = _speeds(numbers, place)
        often[here] = visits[i] * station.time * numbers.often[place.way] / _part(station, served)
        leave[here] = out[i] * served
        np.add.at(start, arrival[i], mine.entry[i] * numbers.often)
        for j, chance in enumerate(mine.onward[i]):
            if chance:
                moves.append((here, arrival[j][place.way], chance * served))
        for a, chance, moved in events:
            way, before = moved[place.way], place.before
            if a is None:
                rate = numbers.thinking[place.way] / think_time
            elif a == place.station:
                rate, before = rest, np.maximum(before - 1, 0)
            else:
                there = numbers.stations[a]
                rate = there.speed[numbers.at[place.way, a]] / there.time
            moves.append((here, place.state[before, way], chance * rate))
    source, target, rate = (np.concatenate(column) for column in zip(*moves, strict=True))
    there = (rate > 0.0) & (source != target)
    return Chain(start, source[there], target[there], rate[there], leave, often)


def _places(numbers: Numbers, stations: Sequence[int], most: int) -> list[Place] | None:
    import numpy as np

    found, size = [], 0
    for k in stations:
        here, m = numbers.at[:, k], numbers.stations[k].servers
        highest = max(0, int(here.max()) - m + 1) if m else 0
        if (highest + 1) * len(here) > 30 * most:
            return None
        rows = np.arange(highest + 1)[:, None]
        there = (rows == 0) | (here >= m - 1 + rows)
        state = np.where(there, np.cumsum(there).reshape(there.shape) - 1 + size, -1)
        size += int(there.sum())
        if size > most:
            return None
        before, way = np.nonzero(there)
        found.append(Place(k, before, way, state))
    return found


def _arrival(numbers: Numbers, place: Place) -> Index:
    """The state of one who comes to a place, by the way of the others."""
    import numpy as np

    here, m = numbers.at[:, place.station], numbers.stations[place.station].servers
    before = np.maximum(here - m + 1, 0) if m else np.zeros(len(here), int)
    found: Index = place.state[before, np.arange(len(here))]
    return found


def _speeds(numbers: Numbers, place: Place) -> tuple[Array, Array]:
    """Rates at which the tagged customer and the others at its place are served. [1/s]"""
    import numpy as np

    station = numbers.stations[place.station]
    present = numbers.at[place.way, place.station] + 1
    busy = station.speed[present]
    mine = np.where(place.before == 0, 1.0, 0.0) if station.servers else busy / present
    return mine / station.time, np.maximum(busy - mine, 0.0) / station.time


def _part(station: ServedStation, served: Array) -> Array:
    """Of one server that a customer has at a place, in the mean over all who are there so."""
    import numpy as np

    if station.servers:
        return np.where(served > 0.0, 1.0, float(station.servers))
    return served * station.time


def _moves(others: Ways, think_time: float) -> Iterator[tuple[int | None, int | None, float]]:
    """Ways of others from station to station, None the terminals, and their chances."""
    out, entry, comes = others.out(), others.entry, others.entry.sum()
    for a in range(len(entry)):
        for b, chance in enumerate(others.onward[a]):
            at_once = 0.0 if think_time else out[a] * entry[b] / comes
            if chance + at_once:
                yield a, b, float(chance + at_once)
        if think_time and out[a]:
            yield a, None, float(out[a])
    if think_time:
        for b, chance in enumerate(entry):
            if chance:
                yield None, b, float(chance)
