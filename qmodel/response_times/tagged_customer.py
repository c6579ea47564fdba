"""The absorbing Markov chain of a tagged customer in a network of one class; see THEORY.md."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from qmodel.numerics.arrays import Array, Index
from qmodel.numerics.uniformization import AbsorbingChain
from qmodel.response_times.population_distribution import PopulationDistribution, ServedStation
from qmodel.response_times.tagged_routing import MarkovRouting


class TaggedStates(NamedTuple):
    """States of the tagged customer in one state of its route."""

    #: Its station.
    station: int
    #: How many must leave before it is served, shape (S,).
    ahead: Index
    #: State of the others, shape (S,).
    others: Index
    #: The state by both, shape (B, W); -1 where there is none.
    state: Index


def tagged_chain(
    population: PopulationDistribution, tagged: MarkovRouting, others: MarkovRouting,
    think_time: float, most: int,
) -> AbsorbingChain | None:  # fmt: skip
    """The chain from the arrival of the tagged customer until it leaves; None if it is too large.

    ``population`` is that of the others at their stations, ``think_time`` theirs [s], ``most`` the
    largest number of states.
    """
    groups = _states(population, [others.station.index(k) for k in tagged.station], most)
    if groups is None:
        return None
    size = sum(len(group.others) for group in groups)
    arrival = [_on_arrival(population, group) for group in groups]
    events = [
        (source, chance, population.moved(source, target))
        for source, target, chance in _moves(others, think_time)
    ]
    moves: list[tuple[Index, Index, Array]] = []
    absorption, occupancy, start = np.zeros(size), np.zeros(size), np.zeros(size)
    visits = np.linalg.solve(np.eye(len(groups)) - tagged.onward.T, tagged.entry)
    exits = tagged.exits()
    for i, group in enumerate(groups):
        state, station = group.state[group.ahead, group.others], population.stations[group.station]
        served, rest = _rates(population, group)
        occupancy[state] = (
            visits[i] * station.time * population.probability[group.others] / _part(station, served)
        )
        absorption[state] = exits[i] * served
        np.add.at(start, arrival[i], tagged.entry[i] * population.probability)
        for j, chance in enumerate(tagged.onward[i]):
            if chance:
                moves.append((state, arrival[j][group.others], chance * served))
        for source, chance, moved in events:
            after, ahead = moved[group.others], group.ahead
            rate: Array
            if source is None:
                rate = population.thinking[group.others] / think_time
            elif source == group.station:
                rate, ahead = rest, np.maximum(ahead - 1, 0)
            else:
                at = population.stations[source]
                rate = at.rate[population.number[group.others, source]] / at.time
            moves.append((state, group.state[ahead, after], chance * rate))
    sources, targets, rates = (np.concatenate(column) for column in zip(*moves, strict=True))
    real = (rates > 0.0) & (sources != targets)
    return AbsorbingChain(start, sources[real], targets[real], rates[real], absorption, occupancy)


def _states(
    population: PopulationDistribution, stations: Sequence[int], most: int
) -> list[TaggedStates] | None:
    groups, size = [], 0
    for k in stations:
        number, m = population.number[:, k], population.stations[k].servers
        highest = max(0, int(number.max()) - m + 1) if m else 0
        if (highest + 1) * len(number) > 30 * most:
            return None
        rows = np.arange(highest + 1)[:, None]
        possible = (rows == 0) | (number >= m - 1 + rows)
        state = np.where(possible, np.cumsum(possible).reshape(possible.shape) - 1 + size, -1)
        size += int(possible.sum())
        if size > most:
            return None
        ahead, others = np.nonzero(possible)
        groups.append(TaggedStates(k, ahead, others, state))
    return groups


def _on_arrival(population: PopulationDistribution, group: TaggedStates) -> Index:
    """The state at the arrival of the tagged customer, by that of the others."""
    number, m = population.number[:, group.station], population.stations[group.station].servers
    ahead = np.maximum(number - m + 1, 0) if m else np.zeros(len(number), int)
    state: Index = group.state[ahead, np.arange(len(number))]
    return state


def _rates(population: PopulationDistribution, group: TaggedStates) -> tuple[Array, Array]:
    """Service rates of the tagged customer and of the others at its station. [1/s]"""
    station = population.stations[group.station]
    present = population.number[group.others, group.station] + 1
    busy = station.rate[present]
    tagged = np.where(group.ahead == 0, 1.0, 0.0) if station.servers else busy / present
    return tagged / station.time, np.maximum(busy - tagged, 0.0) / station.time


def _part(station: ServedStation, served: Array) -> Array:
    """Mean rate at which a customer in such a state is served, relative to one alone."""
    if station.servers:
        return np.where(served > 0.0, 1.0, float(station.servers))
    return served * station.time


def _moves(
    others: MarkovRouting, think_time: float
) -> Iterator[tuple[int | None, int | None, float]]:
    """Moves of others from station to station, None the terminals, and their probabilities."""
    exits, entry, arrivals = others.exits(), others.entry, others.entry.sum()
    for source in range(len(entry)):
        for target, chance in enumerate(others.onward[source]):
            at_once = 0.0 if think_time else exits[source] * entry[target] / arrivals
            if chance + at_once:
                yield source, target, float(chance + at_once)
        if think_time and exits[source]:
            yield source, None, float(exits[source])
    if think_time:
        for target, chance in enumerate(entry):
            if chance:
                yield None, target, float(chance)
